import { describe, expect, test } from 'vitest';
import { corpus } from '../../../test/support/corpus.ts';
import { archiveOf, readArchive } from '../../../test/support/otf2/otf2-archives.ts';
import { ArchiveWriter } from '../../../test/support/otf2/otf2-writer.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readOtf2 } from '../../readers/otf2/otf2-reader.ts';
import { eventTrace } from '../../../test/support/event-trace.ts';
import { NONE } from '../../trace/events.ts';
import { FunctionCallTable, type FunctionDefinition, type FunctionRole } from '../../trace/function-calls.ts';
import { largestShares, roleShares } from './shares.ts';

function ofMpi(name: string, role: FunctionRole): FunctionDefinition {
  return { name, role, paradigm: 'MPI', sourceFile: '', sourceLine: 0 };
}

/** Functions of the recording by what they do, as their roles say. */
const ROLES: Readonly<Record<string, string>> = {
  main: 'computation',
  MPI_Init: 'communication',
  MPI_Finalize: 'communication',
  MPI_Recv: 'communication',
  MPI_Send: 'communication',
  MPI_Bcast: 'communication',
  open: 'metadata',
  fcntl: 'metadata',
  lseek: 'metadata',
  dup: 'metadata',
  close: 'metadata',
  unlink: 'metadata',
  write: 'I/O',
  read: 'I/O',
  fsync: 'I/O',
};

describe('what processes spend their time with', () => {
  test('is the exclusive time of their functions, as the library of the format adds it up', async () => {
    const folder = corpus('otf2/meta_locks')!;
    const expected = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as {
      regionExclusiveTicks: Record<string, number>;
    };
    const sums: Record<string, number> = {
      computation: 0,
      communication: 0,
      synchronisation: 0,
      'I/O': 0,
      metadata: 0,
    };
    for (const [name, ticks] of Object.entries(expected.regionExclusiveTicks)) sums[ROLES[name]!]! += ticks;
    const shares = roleShares(await readArchive(folder))!;
    expect(shares.total).toEqual(sums);
    expect(shares.totalNs).toBe(Object.values(sums).reduce((sum, ticks) => sum + ticks, 0));
    expect(shares.streams.map(({ name }) => name)).toEqual(['rank 0 (n0001)', 'rank 1 (n0001)', 'rank 2 (n0001)']);
    const ofStreams = shares.streams.reduce((sum, { times }) => sum + times['I/O'], 0);
    expect(ofStreams).toBe(shares.total['I/O']);
  });

  test('a function that was not left lasts until the last that is known of its stream', async () => {
    const writer = new ArchiveWriter().processes(1).paradigms();
    writer.region(0, 'main', 1, 1).region(1, 'write', 27, 0).region(2, 'MPI_Barrier', 15, 4);
    const events = writer.location(0n, 0);
    events.time(0).enter(0).time(10).enter(1).time(40).leave(1).time(60).enter(2).time(100).leave(2);
    const shares = roleShares(await readOtf2(archiveOf(writer.finish())))!;
    expect(largestShares(shares)).toEqual([
      { role: 'synchronisation', timeNs: 40, share: 0.4 },
      { role: 'computation', timeNs: 30, share: 0.3 },
      { role: 'I/O', timeNs: 30, share: 0.3 },
    ]);
  });

  test('is absent where no functions were recorded', async () => {
    const writer = new ArchiveWriter().processes(1);
    writer.location(0n, 0).time(5);
    expect(roleShares(await readOtf2(archiveOf(writer.finish())))).toBeUndefined();
  });

  test('where functions are those of MPI alone I/O is that of the calls on files, without messages inside of it', () => {
    const functions = new FunctionCallTable();
    functions.functions.push(ofMpi('MPI_Bcast', 'communication'), ofMpi('MPI_Barrier', 'synchronisation'));
    const enter = (start: number, duration: number, stream: number, called: number): void => {
      functions.duration.values[functions.enter(start, stream, called)] = duration;
    };
    // Rank 0: 10 in the middle of a write, 20 that no call on a file touches; rank 1 waits.
    enter(105, 10, 0, 0);
    enter(300, 20, 0, 1);
    enter(0, 320, 1, 1);
    const trace = eventTrace([{ rank: 0 }, { rank: 1 }, {}], ['/out'], 4, (event, row) => {
      Object.assign(
        event,
        [
          { stream: 0, start: 100, duration: 40, call: 1, file: 0 },
          // A call inside of the write, and one of a thread without functions.
          { stream: 0, start: 120, duration: 15, call: 1, parent: 0 },
          { stream: 0, start: 150, duration: 5, call: 2, parent: NONE },
          { stream: 2, start: 0, duration: 50, call: 1 },
        ][row],
      );
    });
    const shares = roleShares({ ...trace, functions })!;
    expect(shares.streams.map(({ times }) => times)).toEqual([
      // From 100 to 320, as nothing tells how long it lived.
      { computation: 155, communication: 10, synchronisation: 20, 'I/O': 30, metadata: 5 },
      { computation: 0, communication: 0, synchronisation: 320, 'I/O': 0, metadata: 0 },
    ]);
  });
});
