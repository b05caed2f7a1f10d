import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { FixDocument } from '../../src/export/fixes/fixes-document.ts';
import { sourceEdits } from '../../src/export/fixes/chosen-fixes.ts';
import { editedText } from '../../src/export/report/edited-text.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { freshFolder, has } from '../support/programs.ts';
import { plainProgram, type PlainProgram } from '../support/truth/plain-programs.ts';
import {
  ENVIRONMENT,
  makeVariant,
  toolsOf,
  truthPrograms,
  type TruthProgram,
} from '../support/truth/truth-programs.ts';

/**
 * How much of what is found is answered: every repair and trade that is offered for the programs with planted places is
 * applied, built, run and recorded again. What they write must be the same; the table counts what is offered and what is
 * gone. Only in `npm run test:full`: some hundred recordings are made.
 */
const isFull = process.env['IOLENS_TESTS'] === 'full' && has('gcc', 'strace');
const only = process.env['IOLENS_TRUTH']?.split(',');
const session = localSession({ folder: path.resolve('dist') });
const folder = freshFolder('fix-counts');
/** Of places with a hand repair of fewer lines a fix is expected. */
const FEW_LINES = 10;

interface Row {
  readonly program: string;
  readonly codes: string;
  readonly byHand: number;
  /** A finding stands at the place. */
  readonly isFound: boolean;
  readonly offered: FixDocument['kind'] | 'nothing';
  readonly title: string;
}

interface Applied {
  readonly program: string;
  readonly fix: FixDocument;
  readonly cleared: readonly string[];
  readonly remaining: readonly string[];
}

const rows: Row[] = [];
const applied: Applied[] = [];

interface Build {
  readonly at: string;
  readonly command: readonly string[];
}

function build(program: TruthProgram, { name, text }: PlainProgram, at: string): Build | string {
  mkdirSync(at, { recursive: true });
  const file = path.join(at, name);
  writeFileSync(file, text);
  const tools = toolsOf(program.kind, program.source);
  if (typeof tools === 'string') return tools;
  if (tools.compile === undefined) return { at, command: [...tools.launch, file] };
  const [compiler, ...options] = tools
    .compile(file)
    .filter((word) => !/^-(Wall|Wextra|Werror)$|fortran_main/.test(word));
  const binary = path.join(at, 'program');
  const built = spawnSync(compiler!, [...options, '-o', binary], { cwd: at, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${name}: ${built.stderr}`);
  return { at, command: [...tools.launch, binary] };
}

/** The files that a program reads stand there before it runs. */
function dataFor(program: TruthProgram, at: string): string {
  const variant = makeVariant(program, 0, at);
  if (typeof variant === 'string') throw new Error(variant);
  const [command, ...options] = variant.command(0);
  execFileSync(command!, options, { env: ENVIRONMENT, stdio: 'ignore' });
  return path.join(at, 'data');
}

const cli = path.resolve('dist/cli.js');

function record({ kind }: TruthProgram, { at, command }: Build, data: string): string {
  const recorder = kind === 'c' || kind === 'Fortran' ? 'strace' : 'preload';
  const recording = path.join(at, `run.${recorder}`);
  const options = ['record', '--with', recorder, '--quiet', '--no-calibration', '-o', recording, '--', ...command];
  execFileSync(process.execPath, [cli, ...options], { cwd: data, env: ENVIRONMENT, stdio: 'ignore' });
  return recording;
}

function contents(data: string): Record<string, string> {
  const files = readdirSync(data, { recursive: true, encoding: 'utf8' }).toSorted();
  const plain = files.filter(
    (file) => statSync(path.join(data, file)).isFile() && !file.endsWith('.h5') && !file.endsWith('.nc'),
  );
  return Object.fromEntries(plain.map((file) => [file, readFileSync(path.join(data, file), 'latin1')]));
}

async function foundIn(recording: string, at: string): Promise<{ code: string; place: string }[]> {
  const { id } = await session.recordings.open({ ...plainRequest(recording), workspaceFolders: [at], maySpawn: true });
  const { insights } = await session.findings.analysis([id]);
  const found = insights.flatMap(({ code, severity, sites }) =>
    severity === 'ok' ? [] : sites.map((site) => ({ code, place: `${path.basename(site.file)} ${site.function}` })),
  );
  await session.recordings.close(id);
  return found;
}

async function count(program: TruthProgram): Promise<void> {
  const plain = plainProgram(program);
  const at = path.join(folder, program.source.replace('.', '-'));
  const built = build(program, plain, at);
  if (typeof built === 'string') return;
  const recording = record(program, built, dataFor(program, path.join(at, 'before')));
  const before = contents(path.join(at, 'before/data'));
  const { id } = await session.recordings.open({ ...plainRequest(recording), workspaceFolders: [at] });
  const { insights } = await session.findings.analysis([id]);
  const { fixes } = await session.fixes.list([id]);
  await session.recordings.close(id);
  for (const { line, codes, byHand } of plain.planted) {
    const isFound = insights.some(
      ({ code, sites, severity }) =>
        severity !== 'ok' &&
        codes.includes(code) &&
        sites.some((site) => site.line === line && site.file.endsWith(plain.name)),
    );
    const here = fixes.filter(({ places }) =>
      places.some((place) => place.line === line && codes.includes(place.code)),
    );
    const best = here.find(({ kind }) => kind !== 'example') ?? here[0];
    rows.push({
      program: program.source,
      codes: codes.join('|'),
      byHand,
      isFound,
      offered: best?.kind ?? 'nothing',
      title: best?.reason ?? best?.title ?? '',
    });
  }
  for (const [number, fix] of fixes.filter(({ kind }) => kind !== 'example').entries()) {
    const text = editedText(plain.text, sourceEdits(plain.text, fix.edits));
    const after = path.join(at, `after-${number}`);
    const fixed = build(program, { ...plain, text }, after);
    if (typeof fixed === 'string') throw new Error(fixed);
    const again = record(program, fixed, dataFor(program, path.join(after, 'run')));
    expect(contents(path.join(after, 'run/data')), `${program.source}: ${fix.title}`).toEqual(before);
    const found = await foundIn(again, after);
    const isLeft = (code: string): boolean =>
      found.some((one) => one.code === code && one.place === `${plain.name} ${fix.function}`);
    applied.push({
      program: program.source,
      fix,
      cleared: fix.codes.filter((code) => !isLeft(code)),
      remaining: fix.codes.filter(isLeft),
    });
  }
}

function table(): string {
  const few = rows.filter(({ isFound, byHand }) => isFound && byHand < FEW_LINES);
  const answered = few.filter(({ offered }) => offered === 'repair' || offered === 'trade');
  const gone = applied.filter(({ remaining }) => remaining.length === 0);
  return [
    ...rows.map(
      (row) =>
        `| ${row.program} | ${row.codes} | ${row.byHand} | ${row.isFound ? row.offered : 'not found'} | ${row.title} |`,
    ),
    ...applied.map(
      ({ program, fix, cleared, remaining }) =>
        `| ${program} | ${fix.id} ${fix.kind} | cleared ${cleared.join(', ')} | left ${remaining.join(', ')} | ${fix.title} |`,
    ),
    `offered for ${answered.length} of ${few.length} places with a finding and a repair by hand of fewer than ${FEW_LINES} lines`,
    `cleared by ${gone.length} of ${applied.length} repairs and trades`,
  ].join('\n');
}

describe.skipIf(!isFull)('fixes for planted places', () => {
  test.for(truthPrograms().filter(({ source, planted }) => planted.length > 0 && only?.includes(source) !== false))(
    '$source',
    { timeout: 300_000 },
    (program) => count(program),
  );
  afterAll(() => process.stdout.write(`${table()}\n`));
});
