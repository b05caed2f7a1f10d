import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { causesText } from '../../src/export/fleet/causes-text.ts';
import type { DirectionCauses, RecordingCauses } from '../../src/export/fleet/causes-document.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { analysed } from '../support/analysed-text.ts';
import { absent, corpus } from '../support/corpus.ts';
import { line, StraceText } from '../support/strace-text.ts';

const root = path.resolve(import.meta.dirname, '../..');

async function causesOf(recording: string): Promise<RecordingCauses> {
  const session = localSession({ folder: path.join(root, 'dist') });
  const { id } = await session.recordings.open({ ...plainRequest(recording), cacheBytes: 0, maySpawn: false });
  return session.causes.find(id, 100);
}

test('strace text: bytes, intervals and the critical path of its files', async () => {
  const causes = await causesOf(path.join(root, 'demo/heat/heat.strace.gz'));
  const { write } = causes;
  expect(write.files[0]).toMatchObject({ path: expect.stringMatching(/cells\.txt$/) as string });
  const total = write.files.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(write.bytes).toBe(total);
  const exclusive = write.files.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0);
  expect(exclusive).toBeCloseTo(write.activeSeconds, 9);
  expect(write.activeSeconds).toBeLessThanOrEqual(write.spanSeconds);
  expect(causesText(causes)).toContain('intermittent-files');
});

/** Length of the union of the files' times, by merging them. */
function unionOf({ files }: DirectionCauses): number {
  const times = files.flatMap(({ start, end }) => (start === null || end === null ? [] : [[start, end] as const]));
  let [length, until] = [0, -Infinity];
  for (const [start, end] of times.sort((a, b) => a[0] - b[0])) {
    length += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return length;
}

const LOG = 'darshan/imbalanced-io.darshan';

test.skipIf(corpus(LOG) === undefined)(`a Darshan log of 496 processes (${absent(LOG)}, if skipped)`, async () => {
  const { processes, read, write } = await causesOf(corpus(LOG)!);
  expect(processes).toBe(496);
  for (const direction of [read, write]) expect(direction.activeSeconds).toBeCloseTo(unionOf(direction), 6);
  expect(read.verdicts[0]).toMatchObject({ kind: 'one-target-for-all' });
  expect(read.files[read.verdicts[0]!.files[0]!]).toMatchObject({ processes: 496, stripeCount: 1, osts: [29] });
  expect(write.verdicts.map(({ kind }) => kind)).toEqual([
    'intermittent-files',
    'one-target-for-all',
    'small-requests',
  ]);
});

test('verdicts do not contradict findings: a log that is open all the time has the path, not the write time', async () => {
  const text = new StraceText();
  const write = (file: string, bytes: number): string => `write(3</w/${file}>, "x"..., ${bytes}) = ${bytes}`;
  text.times(20, (i) => {
    text.call(7, write('run.log', 40), 100, [line(5)]).wait(1_000_000);
    // The data are written in the middle of the run, in small pieces that take nearly all of the write time.
    if (i >= 8 && i < 12) text.times(500, () => text.call(7, write('data', 100), 80, [line(9)]));
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-causes-'));
  try {
    const recording = path.join(folder, 'run.strace');
    writeFileSync(recording, text.toString());
    const { write: found, ...causes } = await causesOf(recording);
    const nameOf = (file: number): string => path.basename(found.files[file]!.path);
    // IOMiner's figures stay: by its first and last call the log is active all the time.
    expect(nameOf(0)).toBe('run.log');
    expect(found.files[0]!.exclusiveSeconds).toBeGreaterThan(0.9 * found.activeSeconds);
    const [sparse, ...others] = found.verdicts;
    expect(sparse).toMatchObject({ kind: 'intermittent-files', files: [0] });
    expect(sparse!.message).toMatch(/of the critical path is .*run\.log, .*the calls take 2 ms only/);
    const oneFile = others.find(({ kind }) => kind === 'one-file-dominates')!;
    expect(oneFile.files.map(nameOf)).toEqual(['data']);
    expect(oneFile.message).toMatch(/^99 % of the write time/);
    for (const { kind, files, message } of others)
      if (/of the (write )?time/.test(message)) expect(files.map(nameOf), kind).not.toContain('run.log');
    expect(causesText({ ...causes, write: found })).toContain('the calls take 162 ms');
    // What findings name is the file that has the time.
    const { insights } = await analysed(text);
    expect(insights[0]).toMatchObject({ code: 'P06', sites: [{ events: 2000 }] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
