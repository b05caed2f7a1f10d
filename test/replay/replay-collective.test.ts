import { expect, test } from 'vitest';
import { replayOfRecording } from '../../src/replay/from-recording/replay-of-recording.ts';
import { NONE, OPEN_MODE } from '../../src/trace/events.ts';
import { MessageTable } from '../../src/trace/messages.ts';
import { layerTrace, type LayerRow } from '../support/layer-rows.ts';
import { randomNumbers } from '../support/random-numbers.ts';

const RANKS = [0, 1, 2];
const ROUNDS = 10;

/** What a rank does to a file in one round. */
interface Done {
  readonly isWrite: boolean;
  readonly begin: number;
  readonly end: number;
}

const meet = (a: Done, b: Done): boolean => (a.isWrite || b.isWrite) && a.begin < b.end && b.begin < a.end;

test('any collective transfers, sizes and barriers: who uses what another changed comes behind a barrier of both', () => {
  const below = randomNumbers(17);
  for (let run = 0; run < 300; run++) {
    const rows: LayerRow[] = [];
    const messages = new MessageTable();
    const done: Done[][] = RANKS.map(() => []);
    const all = (round: number, row: (rank: number) => Partial<LayerRow> & Pick<LayerRow, 'call'>): number =>
      rows.push(
        ...RANKS.map((stream) => ({ stream, start: 100 * round, duration: 10, collective: true, ...row(stream) })),
      );
    all(0, () => ({ call: 'MPI_File_open', argument: 2 | OPEN_MODE.create }));
    for (let round = 1; round <= ROUNDS; round++) {
      const what = below(10);
      if (what === 0) {
        const argument = 100 * below(10);
        all(round, () => ({ call: 'MPI_File_set_size', argument }));
      } else if (what === 1) {
        const barrier = { kind: 'collective', operation: 'barrier', peer: NONE, communicator: 0, tag: NONE } as const;
        for (const stream of RANKS)
          messages.add({
            ...barrier,
            stream,
            start: 100 * round,
            end: 100 * round + 1,
            sentBytes: 0,
            receivedBytes: 0,
          });
      } else {
        const isWrite = what < 6;
        const shift = below(4);
        all(round, (rank) => {
          // What several write in one call is undefined: each has a part of its own.
          const begin = isWrite ? 300 * ((rank + shift) % 4) + 100 * below(2) : 100 * below(12);
          const bytes = 100 * (1 + below(2));
          done[rank]!.push({ isWrite, begin, end: begin + bytes });
          return { call: isWrite ? 'MPI_File_write_at_all' : 'MPI_File_read_at_all', offset: begin, bytes };
        });
      }
    }
    all(ROUNDS + 1, () => ({ call: 'MPI_File_close' }));
    const trace = { ...layerTrace(rows, { ranks: RANKS.length }), messages };
    const options = { calls: 'MPI-IO', thinkTime: 0, plainRequests: false } as const;
    const { tasks } = replayOfRecording(trace, { ...options, ignored: new Uint8Array(trace.files.length) });
    /** Barriers before each transfer; all are of all ranks. */
    const behind = tasks.map(({ steps }) => {
      let barriers = 0;
      return steps.flatMap(({ operation: { operation } }) => {
        if (operation === 'barrier') barriers++;
        return operation === 'mpi_write' || operation === 'mpi_read' ? [barriers] : [];
      });
    });
    for (const one of RANKS)
      for (const other of RANKS)
        done[one]!.forEach((before, i) =>
          done[other]!.slice(i + 1).forEach((later, k) => {
            if (one !== other && meet(before, later))
              expect(behind[one]![i]!, `run ${run}`).toBeLessThan(behind[other]![i + 1 + k]!);
          }),
        );
  }
});
