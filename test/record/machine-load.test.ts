import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { DEFAULT_TIMELINE_CHOICES } from '../../src/features/timeline/protocol.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import type { RecordingNote } from '../../src/session/reading/recording-note.ts';
import { canRecord, SHARED_CACHE } from '../support/recorder/recorder-runs.ts';
import { cli, recordingPlace } from '../support/recorder/preload-programs.ts';

/** How busy others kept the machine while a program was recorded. */
describe.runIf(canRecord)('the load of the machine', { timeout: 60_000 }, () => {
  const place = recordingPlace(SHARED_CACHE);
  const analyze = (name: string, ...more: string[]): string =>
    place.start(process.execPath, [cli, 'analyze', '--no-cache', ...more, name]).out;
  const noteOf = (name: string): RecordingNote =>
    JSON.parse(readFileSync(place.at(name, 'recording.iolens.json'), 'utf8')) as RecordingNote;
  const command = ['sh', '-c', './writer 10 out.bin 0 & sleep 1; wait'];

  test('is noted and told where others worked, and the program’s own work is none of theirs', () => {
    const others = Array.from({ length: availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    );
    try {
      place.record(['-o', 'busy.iolens', '--no-calibration', '--', ...command]);
    } finally {
      for (const child of others) child.kill('SIGKILL');
    }
    const { load } = noteOf('busy.iolens');
    expect(load!.processors).toBe(availableParallelism());
    expect(load!.othersNs).toBeGreaterThan(0.25 * load!.processors * load!.lastedNs);
    const { timing } = JSON.parse(analyze('busy.iolens', '--format', 'json')) as AnalysisDocument;
    // What the processes themselves counted is finer than the system's ticks of 10 ms.
    expect(timing[0]!.load!.busyWithOthers).toBeCloseTo(load!.othersNs / load!.lastedNs, 1);
    expect(analyze('busy.iolens')).toMatch(/other programs kept \d+\.\d of the .*processors? busy/);
  });

  test('is not what processes of the program did for which nobody waited', () => {
    const orphan = "sh -c 'i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done'";
    place.record(['-o', 'orphan.iolens', '--no-calibration', '--', 'sh', '-c', `(${orphan} &); sleep 2`]);
    const { load } = noteOf('orphan.iolens');
    const { timing } = JSON.parse(analyze('orphan.iolens', '--format', 'json')) as AnalysisDocument;
    const orphanNs = load!.othersNs - timing[0]!.load!.busyWithOthers * load!.lastedNs;
    expect(orphanNs).toBeGreaterThan(5e7);
  });

  test('what storage did meanwhile is noted, and a lane of the timeline', async () => {
    const dd = 'dd if=/dev/zero of=storage.bin bs=1M count=40 conv=fsync 2>&1';
    place.record(['-o', 'storage.iolens', '--no-calibration', '--', 'sh', '-c', `sleep 1; ${dd}; sleep 1.5`]);
    const { storage } = noteOf('storage.iolens');
    expect(storage!.at.length).toBeGreaterThan(2);
    expect(storage!.at.at(-1)! - storage!.at[0]!).toBeGreaterThan(2.4);
    const session = localSession({ folder: path.resolve(import.meta.dirname, '../../dist') });
    const { id } = await session.recordings.open(plainRequest(place.at('storage.iolens')));
    const rows = await session.timeline.rows([id], { ...DEFAULT_TIMELINE_CHOICES, selection: [] });
    const window = await session.timeline.window(rows.token, { fromNs: 0, toNs: rows.durationNs, bins: 50, rows: [] });
    const bytes = window.storage!.writeRate.reduce((sum, rate) => sum + (rate * rows.durationNs) / 50 / 1e9, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(storage!.written.at(-1)! * 1.001);
  });

  test('is not told of a quiet machine, nor of a note that anybody may have written', () => {
    place.record(['-o', 'own.iolens', '--no-calibration', '--', ...command]);
    const note = noteOf('own.iolens');
    const told = (load: unknown): string => {
      writeFileSync(place.at('own.iolens', 'recording.iolens.json'), JSON.stringify({ ...note, load }));
      return analyze('own.iolens');
    };
    expect(told({ processors: 4, lastedNs: 1e9, othersNs: 0.9e9 })).not.toContain('other programs');
    expect(told({ processors: 4, lastedNs: 1e9, othersNs: 1.1e9 })).toContain('kept 1.1 of the 4 processors busy');
    for (const load of [
      { processors: 4, lastedNs: 0, othersNs: 1 },
      { processors: '<b>', lastedNs: 1, othersNs: 1 },
      7,
    ])
      expect(told(load)).not.toContain('other programs');
  });
});
