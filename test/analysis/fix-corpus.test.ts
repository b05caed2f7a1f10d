import { describe, expect, test } from 'vitest';
import { corpusPrograms, fixedSources, outcomesOf, runnerOf, type CorpusProgram } from '../support/fixes/fix-corpus.ts';
import { has, offering } from '../support/fixes/fix-programs.ts';
import { shareOf } from '../support/rounds.ts';

/**
 * Programs that obvious fixes break, and programs that fixes repair: each is offered what it says, built without a warning,
 * and does the same before and after. A repair must also do the same where a file cannot grow beyond some size.
 */
const FULL_DISKS = { repair: [1, 3, 8], trade: [], example: [] } as const;

async function check(program: CorpusProgram): Promise<void> {
  const fixes = await offering.find(program.request);
  const offered = fixes.find(({ kind }) => kind !== 'example');
  expect(offered?.kind ?? 'example', `${program.why}\noffered: ${offered?.title ?? 'an example'}`).toBe(program.kind);
  const fix = offered ?? fixes[0];
  expect(fix, 'at least an example').toBeDefined();
  const limits = [undefined, ...FULL_DISKS[program.kind]];
  const now = fixedSources(program, fix!);
  const before = outcomesOf(program, program.sources, limits);
  expect(before[0]!.printed + JSON.stringify(before[0]!.files), 'something to compare').not.toBe('{}');
  expect(outcomesOf(program, now, limits), JSON.stringify(now).replaceAll('\\n', '\n')).toEqual(before);
}

describe('what is offered keeps the program right', () => {
  for (const program of shareOf(corpusPrograms()))
    test.skipIf(!has(runnerOf(program.language)))(`${program.name}: ${program.kind}, ${program.why}`, () =>
      check(program),
    );
});

test('half of the programs are there to be refused', () => {
  const programs = corpusPrograms();
  const refused = programs.filter(({ kind }) => kind === 'example');
  expect(refused.length).toBeGreaterThanOrEqual(Math.floor(programs.length / 2));
});
