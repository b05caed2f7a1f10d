import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FixFinder, type GrammarFiles } from '../../../src/analysis/fixes/find-fixes.ts';
import type { Fix, FixLanguage, FixRequest } from '../../../src/analysis/fixes/fix.ts';
import type { FixQuestion } from '../../../src/features/fixes/answers.ts';
import { editedText } from '../../../src/export/report/edited-text.ts';

/** Small programs to which fixes are applied: before and after they must do the same. */
const modules = path.resolve(import.meta.dirname, '../../../node_modules');
const FORTRAN = 'tree-sitter-wasm/out/fortran/tree-sitter-fortran.wasm';
export const grammars: GrammarFiles = {
  load: (name) =>
    Promise.resolve(
      readFileSync(path.join(modules, name === 'tree-sitter-fortran' ? FORTRAN : `${name}/${name}.wasm`)),
    ),
};
export const offering = new FixFinder(grammars);

export interface Finding {
  readonly language: FixLanguage;
  readonly trigger: string;
  /** Text that begins on the line of the finding. */
  readonly here: string;
  readonly more?: Partial<FixRequest>;
}

const EXTENSION: Readonly<Record<FixLanguage, string>> = { c: 'c', cpp: 'cpp', fortran: 'f90', python: 'py' };

/** What is asked about a program; its file has the name of `more.place` or /x/program with the usual extension. */
function requestFor(text: string, { language, trigger, here, more }: Finding): FixRequest {
  const file = more?.place?.file ?? `/x/program.${EXTENSION[language]}`;
  const numbers = {
    count: 1000,
    medianBytes: 7,
    threaded: false,
    plainFiles: true,
    closedAt: [],
    touchedAt: [],
    examples: [],
  };
  const line = text.slice(0, text.indexOf(here)).split('\n').length;
  return { trigger, language, sources: { [file]: text }, ...numbers, ...more, place: { file, line } };
}

/** A question about the sources in the folder of a place, as the editor asks it. */
export function asked(request: FixRequest): FixQuestion {
  const folder = path.dirname(request.place.file);
  return { request, recorded: [], folders: { workspaceFolders: [folder], pathRules: [], learnedRules: [] } };
}

/** What users are offered for a finding in a program. */
export async function offeredFor(text: string, finding: Finding): Promise<Fix[]> {
  return offering.find(requestFor(text, finding));
}

/** The program after the first fix that repairs the call; undefined where there is none. */
export async function repaired(text: string, finding: Finding): Promise<string | undefined> {
  const fix = (await offeredFor(text, finding)).find(({ kind }) => kind !== 'example');
  return fix === undefined ? undefined : editedText(text, fix.edits);
}

export const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

const RUNNERS: Readonly<Record<FixLanguage, readonly string[]>> = {
  c: ['gcc', '-Wall', '-Werror'],
  cpp: ['g++', '-std=c++17', '-Wall', '-Werror'],
  fortran: ['gfortran', '-Wall', '-Werror'],
  python: ['python3'],
};

/** The example that users get instead of a repair; it says why, and nothing that is offered repairs the call. */
export function exampleInsteadOf(offered: readonly Fix[]): Fix {
  const [example] = offered;
  if (offered.length === 0 || offered.some(({ kind }) => kind !== 'example'))
    throw new Error('no example, or a repair');
  const reason = example!.reason ?? 'no reason';
  if (!example!.title.startsWith('Insert an example: ') || !example!.title.endsWith(` (code not changed: ${reason})`))
    throw new Error(`the title does not say that it is an example, and why: ${example!.title}`);
  if (!example!.edits.every(({ start, end, text }) => start === end && text.includes(`Check first: ${reason}.`)))
    throw new Error(`it does more than insert a comment with the reason: ${JSON.stringify(example!.edits)}`);
  return example!;
}

/** Compiles a program with warnings as errors, without running it. */
export function compile(language: 'c' | 'cpp' | 'fortran', text: string, options: readonly string[] = []): void {
  const [compiler, ...flags] = RUNNERS[language];
  const type = { c: 'c', cpp: 'c++', fortran: 'f95' }[language];
  execFileSync(compiler!, [...flags, ...options, '-fsyntax-only', '-x', type, '-'], { input: text, stdio: 'pipe' });
}

/** What a program prints, and what it leaves in the file `out`; it runs in an empty folder. */
export function outcomeOf(language: FixLanguage, text: string): { printed: string; written: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-outcome-'));
  try {
    const source = path.join(folder, `program.${EXTENSION[language]}`);
    writeFileSync(source, text);
    const [runner, ...flags] = RUNNERS[language];
    const built = execFileSync(runner!, [...flags, ...(language === 'python' ? [] : ['-o', 'program']), source], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const program = path.join(folder, 'program');
    const printed = language === 'python' ? built : execFileSync(program, { cwd: folder, encoding: 'utf8' });
    const out = path.join(folder, 'out');
    return { printed, written: existsSync(out) ? readFileSync(out, 'utf8') : '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Looks for a finding in up to three recordings: a call that the machine holds up for long takes the share of the time that
 * the others had, and a finding goes by shares.
 */
export async function foundInRecordings<Found>(record: () => Promise<Found | undefined>): Promise<Found | undefined> {
  const found = (await record()) ?? (await record());
  return found ?? record();
}
