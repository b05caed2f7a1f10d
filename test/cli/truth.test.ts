import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupBy } from '../../src/base/grouping.ts';
import { freshFolder, has } from '../support/programs.ts';
import { shareOf } from '../support/rounds.ts';
import {
  analyse,
  isLoud,
  named,
  recordVariant,
  RECORDERS,
  shortText,
  type Analysed,
  type Recorder,
} from '../support/truth/truth-findings.ts';
import {
  ENVIRONMENT,
  makeVariant,
  toolsOf,
  truthPrograms,
  type TruthProgram,
} from '../support/truth/truth-programs.ts';
import { Recount } from '../support/truth/truth-slots.ts';

/**
 * A part of `npm run bench -- truth` that asserts no time: places that cost much by their making are found on their lines,
 * loud, the dearest first; clean programs are left in peace, and the raw recording holds what is said of them.
 */

/** What programs have in common whose calls are seen alike. */
const FAMILIES: Readonly<Record<TruthProgram['kind'], string>> = {
  c: 'C',
  Fortran: 'Fortran',
  Python: 'Python',
  numpy: 'Python',
  h5py: 'Python',
  HDF5: 'libraries',
  NetCDF: 'libraries',
  mpi: 'MPI',
  'parallel HDF5': 'MPI',
};

/** Programs of each language: some with one place, some with several, some clean. */
function groupOf({ kind, source, planted }: TruthProgram): string {
  const family = path.extname(source) === '.cpp' ? 'C++' : FAMILIES[kind];
  return `${family} ${Math.min(planted.length, 2)}`;
}

const programs = [...groupBy(truthPrograms(), groupOf).values()].flatMap((group) => shareOf(group));

/**
 * strace sees neither libraries nor interpreters, and is not asked about their lines (docs/gain.md says how often it tells);
 * of C++ it sees what it sees of C, but takes long for its stacks.
 */
function recordersFor({ source, kind }: TruthProgram): readonly Recorder[] {
  return kind === 'c' && path.extname(source) === '.c' ? RECORDERS : ['preload'];
}

const canTrace = has('gcc', 'strace') && spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
let folder: string;
beforeAll(() => {
  folder = freshFolder('truth');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** To start MPI takes a tenth of a second, or three on a busy machine: whether a place is 2 % of that is left open. */
const isStartedLong = ({ kind }: TruthProgram): boolean => FAMILIES[kind] === 'MPI';

function expectPlaces(program: TruthProgram, analysed: Analysed, recorder: Recorder): void {
  for (const planted of program.planted) {
    const { finding, isLoud: loud, isAnyLoud, rank } = named(analysed, program, planted, recorder);
    const place = `${recorder}: line ${planted.line} of ${analysed.insights.map(shortText).join('\n')}`;
    if (planted.little) expect(isAnyLoud, place).toBe(false);
    else expect(planted.codes, place).toContain(finding?.code);
    if (!planted.little && !isStartedLong(program)) expect(loud, place).toBe(true);
    if (planted.dearest) expect(rank, place).toBe(1);
  }
}

describe.skipIf(!canTrace)(canTrace ? 'truth' : 'truth: needs gcc, strace and processes that can be traced', () => {
  for (const program of canTrace ? programs : []) {
    const tools = toolsOf(program.kind, program.source);
    if (typeof tools === 'string') {
      test.skip(`${program.source}: ${tools}`);
      continue;
    }
    test(program.source, () => {
      const own = path.join(folder, program.source);
      mkdirSync(own);
      const variant = makeVariant(program, 0, own);
      if (typeof variant === 'string') throw new Error(variant);
      const [command, ...options] = variant.command(0);
      execFileSync(command!, options, { env: ENVIRONMENT, stdio: 'ignore' });
      for (const recorder of recordersFor(program)) {
        const recording = recordVariant(variant, recorder, own, false);
        const analysed = analyse(recording);
        if (recorder === 'strace') {
          const recount = new Recount(recording, command!);
          expect(analysed.insights.flatMap((finding) => recount.check(finding).wrong)).toEqual([]);
        }
        expectPlaces(program, analysed, recorder);
        if (program.planted.length === 0) expect(analysed.insights.filter(isLoud).map(shortText), recorder).toEqual([]);
      }
    });
  }
});
