import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { analysisOf } from '../../src/features/findings/answers.ts';
import { keepPlaces } from '../../src/session/reading/kept/write-places.ts';
import { EMIT, EMIT_LINE, freshFolder, has, open, placeOf, recordEmit, run } from '../support/programs.ts';

/** What a recording keeps of its addresses outlasts its binary, its sources and its machine. */
const ready = has('gcc', 'strace');
const command = path.resolve('dist/cli.js');
let folder = '';
let recording = '';

beforeAll(() => {
  folder = freshFolder('kept');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const placesFile = (): string => `${recording}.places.json`;
const textOf = async (opened: Awaited<ReturnType<typeof open>>): Promise<string> => {
  const { insights } = await analysisOf([opened]);
  return insights.find(({ code }) => code === 'P06')?.sites[0]?.source ?? '';
};
const [EMIT_FILE, EMIT_NUMBER] = EMIT_LINE.split(':') as [string, string];
const EMIT_TEXT = EMIT.split('\n')[Number(EMIT_NUMBER) - 1]!.trim();

describe.skipIf(!ready)(ready ? 'kept places' : 'gcc or strace is not on this machine', () => {
  beforeEach(async () => {
    recording = recordEmit(folder, EMIT, '-O1');
    rmSync(placesFile(), { force: true });
    const opened = await open(recording, folder);
    expect(await keepPlaces(opened, true)).toMatchObject({ file: placesFile(), sources: 1 });
    await opened.close();
  });

  test('show lines and their text on a machine that has neither program nor source', async () => {
    const elsewhere = path.join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    for (const name of [recording, placesFile()]) copyFileSync(name, path.join(elsewhere, path.basename(name)));
    renameSync(path.join(folder, 'emit'), path.join(folder, 'emit.away'));
    renameSync(path.join(folder, 'emit.c'), path.join(folder, 'emit.c.away'));
    const opened = await open(path.join(elsewhere, 'emit.strace'), elsewhere);
    expect(placeOf(opened)).toBe(EMIT_LINE);
    expect(await textOf(opened)).toBe(EMIT_TEXT);
    expect(opened.resolved.tool).toContain('when the recording was made');
    rmSync(elsewhere, { recursive: true });
  });

  test('outlast the next build, and follow the source that was edited for it', async () => {
    writeFileSync(path.join(folder, EMIT_FILE), `/* one */\n/* two */\n${EMIT.replace(/return 0/, 'return 1 - 1')}`);
    run(folder, 'gcc', '-g', '-O0', '-o', 'emit', 'emit.c');
    const opened = await open(recording, folder);
    expect(await textOf(opened)).toBe(EMIT_TEXT);
    const { insights } = await analysisOf([opened]);
    expect(insights.find(({ code }) => code === 'P06')?.sites[0]?.line).toBe(Number(EMIT_NUMBER) + 2);
    expect(opened.sourceReports.map(({ note }) => note).join()).toContain('found again by the texts');
  });

  test('stay what they are when they are kept once more, after an edit and a build', async () => {
    const before = readFileSync(placesFile(), 'utf8');
    writeFileSync(path.join(folder, EMIT_FILE), `/* one */\n${EMIT.replace(/return 0/, 'return 1 - 1')}`);
    run(folder, 'gcc', '-g', '-O0', '-o', 'emit', 'emit.c');
    const opened = await open(recording, folder);
    await keepPlaces(opened, true);
    expect(JSON.parse(readFileSync(placesFile(), 'utf8'))).toEqual(JSON.parse(before));
  });

  test('are none of a program that was built anew since, and no link is followed to write them', async () => {
    rmSync(placesFile());
    writeFileSync(path.join(folder, 'other.txt'), 'mine');
    symlinkSync(path.join(folder, 'other.txt'), placesFile());
    const opened = await open(recording, folder);
    await keepPlaces(opened, true);
    expect(readFileSync(path.join(folder, 'other.txt'), 'utf8')).toBe('mine');
    rmSync(placesFile());
    run(folder, 'gcc', '-g', '-O1', '-o', 'emit', 'emit.c');
    expect(await keepPlaces(await open(recording, folder), true)).toBeUndefined();
  });

  test('of another recording are not used', async () => {
    writeFileSync(
      recording,
      readFileSync(recording, 'utf8').replace(/^\d+/, (pid) => String(Number(pid) + 1)),
    );
    renameSync(path.join(folder, 'emit'), path.join(folder, 'emit.away'));
    const opened = await open(recording, folder);
    expect(placeOf(opened)).toBe('');
    expect(opened.notes.join()).toContain('emit.strace.places.json is not used: it is of another recording');
  });

  test.each([
    ['no JSON', '{'],
    ['another document', '{"schema":"iolens/recorded@1"}'],
    ['names that are not there', ''],
    ['a path in place of a name', ''],
  ])('that are damaged are said and not used: %s', async (what, text) => {
    const whole = JSON.parse(readFileSync(placesFile(), 'utf8')) as { names: string[]; of: { name: string } };
    if (what.startsWith('names')) whole.names = [];
    if (what.startsWith('a path')) whole.of.name = '../emit.strace';
    writeFileSync(placesFile(), text || JSON.stringify(whole));
    const opened = await open(recording, folder);
    expect(placeOf(opened)).toBe(EMIT_LINE);
    expect(opened.notes.join()).toContain('places.json is not used: it is no');
  });

  test('hold no text of sources where it is not wanted, or lies elsewhere', async () => {
    const opened = await open(recording, folder);
    expect(await keepPlaces(opened, false)).toMatchObject({ sources: 0, lines: 0 });
    const other = freshFolder('kept-other');
    const outside = await open(recording, other);
    expect(await keepPlaces(outside, true)).toMatchObject({ sources: 0, lines: 0 });
    rmSync(other, { recursive: true });
  });

  test.each(['strace', 'preload'])('are there at the end of "iolens record --with %s"', (recorder) => {
    const made = path.join(folder, recorder === 'strace' ? 'made.strace' : 'made.iolens');
    const options = ['--with', recorder, '--no-calibration', '--quiet', '-o', made];
    execFileSync('node', [command, 'record', ...options, '--', './emit'], { cwd: folder });
    renameSync(path.join(folder, 'emit'), path.join(folder, 'emit.away'));
    const sites = execFileSync('node', [command, 'sites', made], { cwd: folder, encoding: 'utf8' });
    expect(sites).toContain(EMIT_LINE);
    const [said] = execFileSync('node', [command, 'resolve', made], { cwd: folder, encoding: 'utf8' }).split('\n');
    expect(said).toMatch(/places\.json: \d+ addresses, \d+ lines of 1 source file \(/);
  });
});
