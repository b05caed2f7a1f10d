import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fix, FixKind, FixLanguage, FixRequest } from '../../../src/analysis/fixes/fix.ts';
import { partsOfProgram } from '../../../src/analysis/fixes/program-parts.ts';
import { editedText } from '../../../src/export/report/edited-text.ts';

/**
 * Programs that fixes must keep right, in test/programs/fixes: a folder for each language, in it a file or a folder of files
 * for each program. One of the first lines says `FIX trigger kind: why` (`FIX trigger kind threaded: why` where the recording
 * saw several threads there, `handed` where it does not know what a descriptor leads to), the line of the finding ends with the comment `HERE`, lines that the recording saw touch the
 * file elsewhere with `TOUCHED`.
 */
const folder = path.resolve(import.meta.dirname, '../../programs/fixes');

export interface CorpusProgram {
  readonly name: string;
  readonly language: FixLanguage;
  /** Texts by file name. */
  readonly sources: Readonly<Record<string, string>>;
  readonly trigger: string;
  readonly kind: FixKind;
  readonly why: string;
  readonly request: FixRequest;
}

const EXTENSION: Readonly<Record<string, FixLanguage>> = {
  c: 'c',
  cpp: 'cpp',
  f90: 'fortran',
  py: 'python',
};

export function corpusPrograms(): CorpusProgram[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((language) =>
      readdirSync(path.join(folder, language))
        .toSorted()
        .map((name) => readProgram(`${language}/${name}`)),
    );
}

function readProgram(name: string): CorpusProgram {
  const at = path.join(folder, name);
  const files = statSync(at).isDirectory() ? readdirSync(at).toSorted() : [''];
  const texts = files.map((file) => [file || path.basename(name), readFileSync(path.join(at, file), 'utf8')] as const);
  const [main, text] = texts.find(([, source]) => linesEndingWith(source, 'HERE').length === 1) ?? [];
  const head = /\bFIX ([\w-]+) (repair|trade|example)( threaded)?( handed)?: (.+?)(?: \*\/)?$/m.exec(text ?? '');
  if (main === undefined || head === null) throw new Error(`${name} does not say what it expects, or where`);
  const [, trigger, kind, threaded, handed, why] = head;
  const placesOf = (mark: string): { file: string; line: number }[] =>
    texts.flatMap(([file, source]) => linesEndingWith(source, mark).map((line) => ({ file: `/x/${file}`, line })));
  const language = EXTENSION[path.extname(main).slice(1)]!;
  const all = new Map(texts.map(([file, source]) => [`/x/${file}`, source]));
  const { files: parts, unseen } = partsOfProgram(language, [`/x/${main}`], all);
  return {
    name,
    language,
    sources: Object.fromEntries(texts),
    trigger: trigger!,
    kind: kind as FixKind,
    why: why!,
    request: {
      language,
      trigger: trigger!,
      sources: Object.fromEntries(parts.map((file) => [file, all.get(file)!])),
      ...(unseen === undefined ? {} : { unseen }),
      place: placesOf('HERE')[0]!,
      count: 1000,
      medianBytes: 8,
      threaded: threaded !== undefined,
      plainFiles: handed === undefined,
      closedAt: [],
      touchedAt: placesOf('TOUCHED'),
      examples: [{ title: 'a snippet', code: 'one();\n' }],
    },
  };
}

function linesEndingWith(text: string, mark: string): number[] {
  const end = new RegExp(String.raw`(//|#|!|/\*) ?${mark}( ?\*/)?\s*$`);
  return text.split('\n').flatMap((line, i) => (end.test(line) ? [i + 1] : []));
}

/** The sources after a fix. */
export function fixedSources({ sources }: CorpusProgram, fix: Fix): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sources).map(([file, text]) => {
      const edits = fix.edits.filter((edit) => edit.file === `/x/${file}`);
      return [file, editedText(text, edits)];
    }),
  );
}

const BUILD: Readonly<Record<Exclude<FixLanguage, 'python'>, readonly string[]>> = {
  c: ['gcc', '-Wall', '-Werror', '-pthread'],
  cpp: ['g++', '-std=c++17', '-Wall', '-Werror', '-pthread'],
  fortran: ['gfortran', '-Wall', '-Werror'],
};

export function runnerOf(language: FixLanguage): string {
  return language === 'python' ? 'python3' : BUILD[language][0]!;
}

export interface ProgramOutcome {
  readonly status: number | null;
  readonly signal: string | null;
  readonly printed: string;
  /** What stands in the files that the program leaves, by their names. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Builds a program and tells what it does in an empty folder.
 * @param blocks how many blocks of 512 bytes a file may have: beyond, a write fails as on a full disk
 */
export function outcomesOf(
  { language, name }: CorpusProgram,
  sources: Readonly<Record<string, string>>,
  blocks: readonly (number | undefined)[],
): ProgramOutcome[] {
  const at = mkdtempSync(path.join(tmpdir(), 'iolens-fix-corpus-'));
  try {
    const files = Object.entries(sources).map(([file, text]) => {
      writeFileSync(path.join(at, file), text);
      return path.join(at, file);
    });
    let command = ['python3', files.find((file) => path.basename(file) === 'main.py') ?? files[0]!];
    if (language !== 'python') {
      const program = path.join(at, 'program');
      const [compiler, ...flags] = BUILD[language];
      const units = files.filter((file) => !/\.(h|hpp)$/.test(file)).toSorted();
      execFileSync(compiler!, [...flags, '-o', program, ...units], { cwd: at, stdio: 'pipe', encoding: 'utf8' });
      command = [program];
    }
    return blocks.map((limit, i) => runIn(path.join(at, `run-${i}`), name, command, limit));
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

function runIn(at: string, name: string, command: readonly string[], blocks: number | undefined): ProgramOutcome {
  mkdirSync(at);
  const limited = blocks === undefined ? 'exec "$@"' : `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`;
  const { status, signal, stdout, error } = spawnSync('sh', ['-c', limited, 'sh', ...command], {
    cwd: at,
    encoding: 'latin1',
    timeout: 30_000,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  const files = readdirSync(at, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .filter((file) => statSync(path.join(at, file)).isFile())
    .map((file) => [file, readFileSync(path.join(at, file), 'latin1')]);
  return { status, signal, printed: stdout, files: Object.fromEntries(files) as Record<string, string> };
}
