import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
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
  truthPrograms,
  type Planted,
  type TruthProgram,
  type Variant,
} from '../support/truth/truth-programs.ts';
import { Recount } from '../support/truth/truth-slots.ts';
import { measuredSaving, runMs, type Measured, withoutResults } from './truth-times.ts';
import { Scores } from './truth-scores.ts';

/**
 * Whether what is said of programs is true: of programs with planted places and of clean ones, recorded with both recorders,
 * whether the places are named, the dearest first, the clean ones left in peace, and whether estimates of what a repair saves
 * hold against what it saves without a tracer. Prints tables and asserts nothing.
 *
 *   npm run bench -- truth [--quick] [--no-calibration] [--recorder strace|preload] [--data DIR] [NAME…]
 *
 * NAME…: only programs whose source begins so. --data DIR: where programs and recordings lie and work.
 */

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'no-calibration': { type: 'boolean', default: false },
    recorder: { type: 'string' },
    data: { type: 'string', default: '.cache/truth' },
  },
  allowPositionals: true,
});
const PAIRS = values.quick ? 5 : 15;
const recorders = RECORDERS.filter((recorder) => values.recorder === undefined || recorder === values.recorder);
const scores = new Map(recorders.map((recorder) => [recorder, new Scores(recorder)]));
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** A planted place with what its repair saves. */
interface Priced {
  readonly planted: Planted;
  readonly saving: Measured;
}

/** Each place is measured with all others repaired: it would be lost in the noise of a dearer one. */
function priced(program: TruthProgram, folder: string): Priced[] {
  const all = program.planted.reduce((sum, { repair }) => sum + repair, 0);
  const variant = (repaired: number): Variant => {
    const made = makeVariant(program, repaired, folder);
    if (typeof made === 'string') throw new Error(made);
    return made;
  };
  return program.planted.map((planted) => {
    const saving = measuredSaving(variant(all - planted.repair), variant(all), PAIRS, folder);
    return { planted, saving };
  });
}

function analysedWith(recorder: Recorder, original: Variant, folder: string): Recorded {
  const recording = recordVariant(original, recorder, folder, !values['no-calibration']);
  withoutResults(folder);
  return { ...analyse(recording), recording };
}

/** Counts what is said of a recording of strace again in its raw text. */
function checkSlots(program: TruthProgram, original: Variant, { recording, insights }: Recorded): void {
  const recount = new Recount(recording, original.command(1)[0]!);
  for (const finding of insights)
    scores.get('strace')!.slots(program.source, recount.check(finding), shortText(finding));
}

type Recorded = Analysed & { readonly recording: string };

function bench(program: TruthProgram): void {
  const folder = path.resolve(values.data, program.source.replace('.', '-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const original = makeVariant(program, 0, folder);
  if (typeof original === 'string') {
    print(`${program.source}: skipped: ${original}`);
    return;
  }
  execFileSync(original.command(0)[0]!, original.command(0).slice(1), { env: ENVIRONMENT, stdio: 'ignore' });
  const analyses = recorders.map((recorder) => [recorder, analysedWith(recorder, original, folder)] as const);
  const traced = analyses.find(([recorder]) => recorder === 'strace')?.[1];
  if (program.kind === 'c' && traced !== undefined) checkSlots(program, original, traced);
  if (program.planted.length === 0) {
    for (const [recorder, { insights }] of analyses)
      scores.get(recorder)!.clean(program.source, insights.filter(isLoud).map(shortText));
    print(`${program.source}: clean`);
    return;
  }
  const whole = runMs(original, folder);
  const places = priced(program, folder);
  const dearest = places.reduce((most, place) => (place.saving.ms > most.saving.ms ? place : most));
  for (const [recorder, analysed] of analyses) {
    const score = scores.get(recorder)!;
    for (const place of places) {
      const found = named(analysed, program, place.planted, recorder);
      const row = { ...place, source: program.source, runMs: whole, said: analysed.run.untracedNs / 1e6, found };
      print(score.planted(row, place === dearest));
    }
    const lines = new Set(program.planted.map(({ line }) => line));
    const elsewhere = analysed.insights.filter(
      (finding) => isLoud(finding) && !finding.sites.some(({ line }) => lines.has(line)),
    );
    if (program.kind === 'c') score.elsewhere(program.source, elsewhere.map(shortText));
  }
}

const wanted = truthPrograms().filter(
  ({ source }) => positionals.length === 0 || positionals.some((name) => source.startsWith(name)),
);
const load = (): string =>
  loadavg()
    .map((each) => each.toFixed(1))
    .join(' ');
print(`${wanted.length} programs, ${PAIRS} pairs of runs each; load ${load()}`);
/** Ctrl-C ends after the program that is being measured, with what is known by then. */
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
for (const program of wanted) {
  await new Promise((resolve) => setImmediate(resolve));
  if (interrupted.signal.aborted) break;
  try {
    bench(program);
  } catch (error) {
    // One program that fails shall not take the others' figures along.
    print(`${program.source}: failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
print(`load ${load()}`);
for (const score of scores.values()) print(score.summary());
