import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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

function familyOf({ kind, source }: TruthProgram): string {
  return path.extname(source) === '.cpp' ? 'C++' : FAMILIES[kind];
}

/** Their places are so large a part of the run (or so small), and so far apart, that a busy machine hides none of it. */
const SURE: ReadonlySet<string> = new Set(
  `state_each_step.c random_reads.c flush_lines.c questions_and_rereads.c computing_small_writes.c endl.cpp dataset_values.c
    flushed_records.F90 unbuffered_file.py array_rows.py ranks_small_writes.c`.split(/\s+/),
);
const all = truthPrograms();
const isFull = shareOf(all).length === all.length;
const clean = all.filter(({ planted }) => planted.length === 0);
const sure = all.filter(({ source }) => SURE.has(source));
const programs = isFull
  ? all
  : [sure, clean].flatMap((of) => [...groupBy(of, familyOf).values()].flatMap((group) => shareOf(group)));

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

/** Their places wait for the storage, so that no tracer makes them seem little. */
const WAITING: ReadonlySet<string> = new Set(['state_each_step.c']);

/**
 * Whether a place is 2 % of the run is left open where a busy machine makes the run seem longer: to start MPI takes a tenth
 * of a second, or three; and under strace a program waits for a processor at each of the tracer's stops.
 */
function isSure({ source, kind }: TruthProgram, recorder: Recorder): boolean {
  if (!SURE.has(source) || FAMILIES[kind] === 'MPI') return false;
  return recorder === 'preload' || WAITING.has(source);
}

/** Each place is found; and where that is sure, loud from 2 % of the run, the dearest first. */
function expectPlaces(program: TruthProgram, analysed: Analysed, recorder: Recorder): void {
  for (const planted of program.planted) {
    const found = named(analysed, program, planted, recorder);
    const place = `${recorder}: line ${planted.line} of ${analysed.insights.map(shortText).join('\n')}`;
    const isLarge = SURE.has(program.source);
    if (!planted.little && (isLarge || FAMILIES[program.kind] !== 'MPI'))
      expect(planted.codes, place).toContain(found.finding?.code);
    if (isLarge && planted.dearest) expect(found.rank, place).toBe(1);
    if (isSure(program, recorder)) expect(planted.little ? found.isAnyLoud : found.isLoud, place).toBe(!planted.little);
  }
}

describe.skipIf(!canTrace)(canTrace ? 'truth' : 'truth: needs gcc, strace and processes that can be traced', () => {
  for (const program of canTrace ? programs : []) {
    const tools = toolsOf(program.kind, program.source);
    if (typeof tools === 'string') {
      test.skip(`${program.source}: ${tools}`);
      continue;
    }
    // What a place takes of a run that waits for a processor may be too little once: it is so each time where it is wrong.
    test(program.source, { retry: 2 }, () => {
      const own = mkdtempSync(path.join(folder, `${program.source}-`));
      const variant = makeVariant(program, 0, own);
      if (typeof variant === 'string') throw new Error(variant);
      const [command, ...options] = variant.command(0);
      execFileSync(command!, options, { env: ENVIRONMENT, stdio: 'ignore' });
      for (const recorder of recordersFor(program)) {
        // What calls cost here tells those that lost the processor from those that are dear.
        const recording = recordVariant(variant, recorder, own, recorder === 'preload' && SURE.has(program.source));
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
