import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expanded } from '../../../test/support/replay/expanded.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { writeDios } from '../dios/write-dios.ts';
import type { ReplayOperation } from '../program.ts';
import { programOfReplay } from './program-of-replay.ts';
import type { RecordedReplay } from './recorded-replay.ts';

describe('numbers in paths of replays', () => {
  const replayOfSteps = (...tasks: ReplayOperation[][]): RecordedReplay => ({
    tasks: tasks.map((operations, stream) => ({
      stream,
      steps: operations.map((operation) => ({ operation, startNs: 0, place: NaN })),
    })),
    inputs: [],
    synchronisations: { found: 0, kept: 0 },
    notes: [],
  });

  test('paths with two numbers are loops in loops, and joined by rank where they have three', () => {
    const tasks = Array.from({ length: 4 }, (_, rank): ReplayOperation[] => {
      const operations: ReplayOperation[] = [];
      for (let step = 0; step < 20; step++)
        for (let part = 0; part < 12; part++)
          operations.push(
            {
              operation: 'open',
              slot: 0,
              path: `files/w/rank${rank}/step${String(step).padStart(3, '0')}/var${part}.h5`,
              mode: 1,
            },
            { operation: 'write', slot: 0, bytes: 4096 },
            { operation: 'close', slot: 0 },
          );
      return operations;
    });
    const program = programOfReplay(replayOfSteps(...tasks));
    expect(writeDios(program).split('\n')).toHaveLength(13);
    expect(program.tasks).toEqual([
      {
        ranks: 'all',
        body: [
          {
            operation: 'series',
            count: 20,
            variable: 'i',
            body: [
              {
                operation: 'series',
                count: 12,
                variable: 'j',
                body: [
                  { operation: 'open', slot: 0, path: 'files/w/rank{RANK}/step{i:3}/var{j}.h5', mode: 1 },
                  { operation: 'write', slot: 0, bytes: 4096 },
                  { operation: 'close', slot: 0 },
                ],
              },
            ],
          },
        ],
      },
    ]);
    expect(expanded(program, 4)).toEqual(tasks);
  });

  test('6,000 writes round and round over 40 open files are a loop with a line for each file', () => {
    const names = Array.from({ length: 40 }, (_, file) => `files/w/out.${String(file).padStart(2, '0')}`);
    const turns = Array.from({ length: 150 }, (_, turn) => turn);
    const operations: ReplayOperation[] = [
      ...names.map((path, slot): ReplayOperation => ({ operation: 'open', slot, path, mode: 1 })),
      ...turns.flatMap((turn) =>
        names.map((_, slot): ReplayOperation => ({ operation: 'pwrite', slot, bytes: 512, offset: turn * 512 })),
      ),
      ...names.map((_, slot): ReplayOperation => ({ operation: 'close', slot })),
    ];
    const program = programOfReplay(replayOfSteps(operations));
    expect(writeDios(program).split('\n').length).toBeLessThan(140);
    expect(expanded(program, 1)[0]).toEqual(operations);
  });

  test('whatever numbers paths have and however they change, all comes back', () => {
    const number = fc.oneof(
      fc.nat({ max: 12 }).map(String),
      fc.nat({ max: 12 }).map((n) => String(n).padStart(3, '0')),
    );
    const long = fc.constantFrom('4294967296', '12345678901234567890', '');
    const path = fc
      .tuple(number, number, number, long, fc.constantFrom('.dat', '.h5', '%20x', ''))
      .map(([a, b, c, name, end]) => `files/r${a}/step${b}/v${c}${name && `_${name}`}${end}`);
    const grid = fc
      .tuple(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
      )
      .map(([outer, inner, from, isFilled]) =>
        Array.from({ length: outer * inner }, (_, at) => {
          const step = String(from + Math.floor(at / inner)).padStart(isFilled ? 3 : 1, '0');
          return `files/step${step}/var${at % inner}.dat`;
        }),
      );
    const some = fc.oneof(grid, fc.array(path, { maxLength: 20 }));
    const task = fc.array(some, { maxLength: 4 }).map((parts) => parts.flat());
    fc.assert(
      fc.property(fc.array(task, { minLength: 1, maxLength: 4 }), (paths) => {
        const tasks = paths.map((own) => own.map((name): ReplayOperation => ({ operation: 'unlink', path: name })));
        expect(expanded(programOfReplay(replayOfSteps(...tasks)), tasks.length)).toEqual(tasks);
      }),
      { numRuns: rounds(300) },
    );
  });
});
