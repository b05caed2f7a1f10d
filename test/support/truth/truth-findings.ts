import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { ENVIRONMENT, type Planted, type TruthProgram, type Variant } from './truth-programs.ts';

/** What the command says of a recorded program, and what is to be thought of it. */

export type Recorder = 'strace' | 'preload';
export const RECORDERS: readonly Recorder[] = ['strace', 'preload'];

export interface SlotDocument {
  readonly name: string;
  readonly value: number | string;
  readonly text: string;
}

interface Site {
  readonly file: string;
  readonly line: number;
  readonly events: number;
  readonly bytes: number;
  readonly severity: Severity;
  readonly message: string;
  readonly slots: readonly SlotDocument[];
}

type Severity = 'high' | 'warn' | 'info' | 'ok';

/** As `analyze --format json` has it. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  readonly slots: readonly SlotDocument[];
  readonly evidence: Readonly<Record<string, number>>;
  readonly files: readonly { readonly path: string }[];
  readonly sites: readonly Site[];
  readonly recommendations: readonly { readonly text: string; readonly slots?: readonly SlotDocument[] }[];
  readonly gain: { readonly savedNs: number | null; readonly lowNs: number | null; readonly highNs: number | null };
}

export interface Analysed {
  readonly run: { readonly untracedNs: number };
  readonly insights: readonly Finding[];
}

/** Another build can be measured by IOLENS_DIST. */
const cli = path.resolve(process.env['IOLENS_DIST'] ?? 'dist', 'cli.js');

function iolens(...options: string[]): string {
  return execFileSync(process.execPath, [cli, ...options], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
    env: ENVIRONMENT,
  });
}

/** Records one repetition of a program; the recording lies in `folder`. */
export function recordVariant(variant: Variant, recorder: Recorder, folder: string, calibrated: boolean): string {
  const recording = path.join(folder, recorder === 'strace' ? 'run.strace' : 'run.iolens');
  rmSync(recording, { recursive: true, force: true });
  rmSync(`${recording}.calibration.json`, { force: true });
  const how = ['--quiet', ...(calibrated ? [] : ['--no-calibration'])];
  iolens('record', '--with', recorder, ...how, '-o', recording, '--', ...variant.command(1));
  return recording;
}

/** Programs in a folder that is ignored by default (/dev/shm) count as well. */
const IGNORED = ['/usr/**', '/lib/**', '/etc/**', '/proc/**', '/sys/**', '/root/**'];

export function analyse(recording: string): Analysed {
  const ignored = IGNORED.flatMap((pattern) => ['--ignore', pattern]);
  return JSON.parse(iolens('analyze', recording, '--no-cache', '--format', 'json', ...ignored)) as Analysed;
}

const WEIGHT: Readonly<Record<Severity, number>> = { high: 3, warn: 2, info: 1, ok: 0 };

/** Loud enough for a squiggle. */
export function isLoud({ severity }: { readonly severity: Severity }): boolean {
  return WEIGHT[severity] >= WEIGHT.warn;
}

/** strace's stacks hold no lines of Python: there a finding anywhere in the program is at its place. */
function placeOf(
  finding: Finding,
  program: TruthProgram,
  line: number,
  recorder: Recorder,
): Site | Finding | undefined {
  if (recorder === 'strace' && ['Python', 'numpy', 'h5py'].includes(program.kind)) return finding;
  return finding.sites.find((site) => path.basename(site.file) === program.source && site.line === line);
}

/** What was said of a planted place. */
export interface Named {
  /** The first finding with one of the right codes at its line. */
  readonly finding: Finding | undefined;
  /** That finding is loud there. */
  readonly isLoud: boolean;
  /** Any finding is loud there. */
  readonly isAnyLoud: boolean;
  /** Of the first finding that is at its line, from 1; Infinity where none is. */
  readonly rank: number;
}

export function named(analysed: Analysed, program: TruthProgram, planted: Planted, recorder: Recorder): Named {
  const findings = analysed.insights.filter(({ severity }) => severity !== 'ok');
  const placed = findings.map((finding) => placeOf(finding, program, planted.line, recorder));
  const right = findings.findIndex(({ code }, i) => placed[i] !== undefined && planted.codes.includes(code));
  const rank = placed.findIndex((place) => place !== undefined);
  return {
    finding: findings[right],
    isLoud: placed[right] !== undefined && isLoud(placed[right]),
    isAnyLoud: placed.some((place) => place !== undefined && isLoud(place)),
    rank: rank < 0 ? Infinity : rank + 1,
  };
}

/** `L01 high store.c:12: 25 synchronisations …` */
export function shortText({ code, severity, message, sites }: Finding): string {
  const [site] = sites;
  const place = site === undefined ? '' : ` ${path.basename(site.file)}:${site.line}`;
  return `${code} ${severity}${place}: ${message.length > 110 ? `${message.slice(0, 110)}…` : message}`;
}
