import path from 'node:path';
import { expect, test } from 'vitest';
import { causesText } from '../../src/export/fleet/causes-text.ts';
import type { DirectionCauses, RecordingCauses } from '../../src/export/fleet/causes-document.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { absent, corpus } from '../support/corpus.ts';

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
