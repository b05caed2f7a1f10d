import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HANDLE_FLAGS } from '../../src/trace/files.ts';
import { freshFolder, open, run } from '../support/programs.ts';
import { canRecord, recordedRun, sharedRecorder } from '../support/recorder/recorder-runs.ts';

const sources = path.resolve(import.meta.dirname, '../programs/safety');
const folder = freshFolder('recorder-streams');

test.runIf(canRecord)('bytes of streams count for the files that they reach, whoever moves them', async () => {
  const library = await sharedRecorder();
  const program = path.join(folder, 'redirected');
  run(sources, 'cc', '-g', '-O2', '-o', program, 'redirected.c');
  const place = freshFolder('redirected');
  const { recording, status } = recordedRun(library, place, [program]);
  expect(status).toBe(0);
  const { trace } = await open(recording, folder);
  const moved = new Map<string, number>();
  const { events, calls, files } = trace;
  for (let row = 0; row < events.length; row++) {
    const name = calls.names[events.value('call', row)]!;
    if (!/printf$|^(puts|getc_unlocked|putc_unlocked)$/.test(name)) continue;
    const key = `${name} ${path.basename(files.at(events.value('file', row)).path)}`;
    moved.set(key, (moved.get(key) ?? 0) + events.value('bytes', row));
  }
  const size = statSync(path.join(place, 'text')).size;
  expect(moved.get('fprintf text')).toBe(size);
  expect(moved.get('getc_unlocked text')).toBe(size);
  // What closing writes is not seen.
  expect(moved.get('putc_unlocked copy')).toBeGreaterThan(size - 4096);
  expect(moved.get('putc_unlocked copy')).toBeLessThanOrEqual(size);
  expect(moved.get('puts second')).toBe('to the second\n'.length);
  expect(moved.get('puts third')).toBe('to the third one\n'.length);
  // However its descriptor is redirected, a stream without a buffer stays one.
  const lines = [...Array(events.length).keys()].filter((row) => calls.names[events.value('call', row)] === 'puts');
  const flags = lines.map((row) => trace.handles.flags.at(events.value('handle', row)));
  expect(flags.map((each) => each & HANDLE_FLAGS.writesThrough)).toEqual(Array(3).fill(HANDLE_FLAGS.writesThrough));
});
