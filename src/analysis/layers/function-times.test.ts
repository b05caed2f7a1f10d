import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { corpus } from '../../../test/support/corpus.ts';
import { archiveOf, readArchive } from '../../../test/support/otf2/otf2-archives.ts';
import { ArchiveWriter } from '../../../test/support/otf2/otf2-writer.ts';
import { readOtf2 } from '../../readers/otf2/otf2-reader.ts';
import { eventTrace } from '../../../test/support/event-trace.ts';
import { functionTimes } from './function-times.ts';

test('every function has its exclusive time, as the library of the format adds it up', async () => {
  const folder = corpus('otf2/meta_locks')!;
  const expected = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as {
    regionExclusiveTicks: Record<string, number>;
  };
  const found = functionTimes(await readArchive(folder))!;
  expect(Object.fromEntries(found.map(({ name, exclusiveNs }) => [name, exclusiveNs]))).toEqual(
    expected.regionExclusiveTicks,
  );
  const sorted = found.map(({ exclusiveNs }) => exclusiveNs).sort((a, b) => b - a);
  expect(found.map(({ exclusiveNs }) => exclusiveNs)).toEqual(sorted);
});

test('who spends least and most in a function shows a load that is not even', async () => {
  const writer = new ArchiveWriter().processes(3).paradigms();
  writer.region(0, 'main', 1, 1).region(1, 'compute', 1, 1).region(2, 'MPI_Barrier', 15, 4);
  [10, 70, 30].forEach((ns, rank) => {
    const events = writer.location(BigInt(rank), rank);
    events.time(0).enter(0).enter(1).time(ns).leave(1).enter(2).time(80).leave(2).leave(0);
  });
  const trace = await readOtf2(archiveOf(writer.finish()));
  const [waiting, computing, main] = functionTimes(trace)!;
  expect(waiting).toMatchObject({ name: 'MPI_Barrier', paradigm: 'MPI', calls: 3, exclusiveNs: 130 });
  expect(computing).toMatchObject({ name: 'compute', role: 'computation', exclusiveNs: 110 });
  expect([computing!.least?.exclusiveNs, computing!.most?.exclusiveNs]).toEqual([10, 70]);
  expect([computing!.least?.name, computing!.most?.name]).toEqual([waiting!.most?.name, waiting!.least?.name]);
  expect(main).toMatchObject({ name: 'main', exclusiveNs: 0 });
  // Of a hundred thousand processes nobody is named: that took too much memory.
  expect(functionTimes(trace, 8)![0]).toMatchObject({ exclusiveNs: 130, least: null, most: null });
});

test('a recording without functions has none', () =>
  expect(functionTimes(eventTrace([{}], [], 0, () => undefined))).toBeUndefined());
