import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sarifLog } from '../../src/export/report/report-sarif.ts';
import { analysisText } from '../../src/export/report/report-text.ts';
import { plainRequest, type OpenRequest } from '../../src/session/reading/open-request.ts';
import { linesOf, quotedSources } from '../../src/session/sources/quoted-sources.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { PLAIN_GRAPH } from '../../src/features/graph/methods.ts';
import { isSourceName } from '../../src/session/sources/source-names.ts';
import { freshFolder } from '../support/programs.ts';

/** A recording names files as it likes: reports show the lines of the user's own sources, and of no other file. */
const root = path.resolve(import.meta.dirname, '../..');
const SECRET = 'TOP-SECRET-LINE';
let folder = '';
let work = '';
let outside = '';

beforeEach(() => {
  folder = realpathSync(freshFolder('quoted'));
  work = path.join(folder, 'work');
  outside = path.join(folder, 'outside');
  for (const each of [work, outside, path.join(outside, '.ssh')]) mkdirSync(each);
  for (const file of ['work/own.c', 'work/.env', 'outside/other.c', 'outside/.ssh/id_rsa', 'outside/.ssh/config.py'])
    writeFileSync(path.join(folder, file), `${SECRET} of ${file}\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A recording of many small writes that all come from the first lines of these files, its callers among them. */
function recordingOf(...files: string[]): string {
  const lines = ['7 100000000.000001 openat(AT_FDCWD, "/data/out", O_WRONLY|O_CREAT, 0600) = 3</data/out> <0.000010>'];
  let time = 100000001;
  for (const file of files) {
    for (let i = 0; i < 100; i++) {
      lines.push(`7 ${time++}.000000 write(3</data/out>, "x", 10) = 10 <0.001000>`);
      lines.push(` > /data/app(put+0x9) [0x1009] ${file}:1`, ` > /data/app(main+0x9) [0x2009] ${files[0]!}:1`);
    }
  }
  lines.push(
    `7 ${time}.000000 close(3</data/out>) = 0 <0.000010>`,
    ` > /data/app(end+0x9) [0x3009] ${files.at(-1)!}:1`,
  );
  const recording = path.join(folder, 'run.strace');
  writeFileSync(recording, `${lines.join('\n')}\n`);
  return recording;
}

/** Everything that is made of a recording to be read by somebody, and its notes. */
async function everything(files: readonly string[], more: Partial<OpenRequest> = {}) {
  const session = localSession({ folder: path.join(root, 'dist') });
  const request = { ...plainRequest(recordingOf(...files)), workspaceFolders: [work], ...more };
  const { id } = await session.recordings.open({ ...request, cacheBytes: 0, maySpawn: false });
  const analysis = await session.findings.analysis([id]);
  const material = await session.report.material([id]);
  const html = await session.report.text([id], { format: 'html', origin: '', folders: [] });
  const texts = {
    json: JSON.stringify(analysis),
    text: analysisText(analysis),
    sarif: JSON.stringify(sarifLog(analysis, { version: '1', root: work, excerpts: material.excerpts })),
    excerpts: JSON.stringify([...material.excerpts].map(([file, lines]) => [file, [...lines]])),
    sites: JSON.stringify(await session.lines.sites(id, 'line')),
    graph: JSON.stringify(await session.graph.document(id, PLAIN_GRAPH)),
    comparison: JSON.stringify(await session.comparison.compare([id], [id])),
    html,
  };
  await session.recordings.close(id);
  return { analysis, texts: Object.values(texts).join('\n') };
}

describe('what reports show of files that a recording names', () => {
  test('a source of the workspace is quoted', async () => {
    const { analysis, texts } = await everything([path.join(work, 'own.c')]);
    expect(analysis.insights.flatMap(({ sites }) => sites)[0]!.source).toBe(`${SECRET} of work/own.c`);
    expect(texts).toContain(`${SECRET} of work/own.c`);
    expect(analysis.notes.filter((note) => note.includes('is not shown'))).toEqual([]);
  });

  test('other files are named without their text: secrets, devices, links, ways upwards', async () => {
    symlinkSync(path.join(outside, 'other.c'), path.join(work, 'link.c'));
    symlinkSync(outside, path.join(work, 'linked'));
    symlinkSync('.env', path.join(work, 'env.c'));
    const named = [
      '/proc/self/environ',
      '/etc/passwd',
      path.join(outside, '.ssh/id_rsa'),
      path.join(outside, '.ssh/config.py'),
      path.join(outside, 'other.c'),
      path.join(work, '.env'),
      path.join(work, 'env.c'),
      path.join(work, 'link.c'),
      path.join(work, 'linked/other.c'),
      path.join(work, '../outside/other.c'),
    ];
    const { analysis, texts } = await everything(named);
    expect(texts).not.toContain(SECRET);
    expect(texts).not.toContain('root:');
    expect(texts).toContain(path.join(outside, 'other.c'));
    expect(analysis.insights.flatMap(({ sites }) => sites).map(({ source }) => source)).not.toContain(SECRET);
    const notes = analysis.notes.filter((note) => note.includes('is not shown'));
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('--source-map FROM=TO');
  });

  test('a path rule is the user’s word for a folder; what was learned of a picked file is, too', async () => {
    const other = path.join(outside, 'other.c');
    const rule = { from: '/built', to: outside };
    for (const more of [{ pathRules: [rule] }, { learnedRules: [rule] }]) {
      expect((await everything(['/built/other.c'], more)).texts).toContain(`${SECRET} of outside/other.c`);
      expect((await everything(['/built/.ssh/id_rsa'], more)).texts).not.toContain(SECRET);
    }
    expect((await everything([other])).texts).not.toContain(SECRET);
    expect((await everything([other], { learnedRules: [{ from: '/', to: '/' }] })).texts).not.toContain(SECRET);
  });

  test('a workspace that is reached through a link works, and so does a link within it', async () => {
    const linked = path.join(folder, 'by-link');
    symlinkSync(work, linked);
    symlinkSync('own.c', path.join(work, 'same.c'));
    for (const file of [path.join(linked, 'own.c'), path.join(work, 'own.c'), path.join(work, 'same.c')])
      expect((await everything([file], { workspaceFolders: [linked] })).texts).toContain(`${SECRET} of work/own.c`);
  });

  test('without a folder nothing is quoted', async () => {
    expect((await everything([path.join(work, 'own.c')], { workspaceFolders: [] })).texts).not.toContain(SECRET);
  });

  test('a file that closes what is accessed is read for fixes only where it may be quoted', async () => {
    const own = path.join(work, 'own.c');
    const other = path.join(outside, 'other.c');
    for (const [last, mayRead] of [
      [own, true],
      [other, false],
    ] as const) {
      const { analysis } = await everything([own, last]);
      const [site] = analysis.insights.flatMap(({ sites }) => sites.filter(({ file }) => file === own));
      expect(site!.closedAt).toEqual([{ file: last, line: 1, mayRead }]);
    }
  });
});

describe('the one check', () => {
  test.each(['a.c', 'a.F90', 'A.CU', '/x/y.f08', 'b.pyx', 'c.S', 'd.c++', 'e.jl'])('%s is a source', (name) =>
    expect(isSourceName(name)).toBe(true),
  );
  test.each(['id_rsa', 'environ', '.c', '.bashrc', 'x.pem', 'x.json', 'x.env', 'a.c/passwd', 'c', 'x.'])(
    '%s is none',
    (name) => expect(isSourceName(name)).toBe(false),
  );

  test('folders, pipes and what is not there are none', async () => {
    mkdirSync(path.join(work, 'folder.c'));
    const folders = { workspaceFolders: [work], pathRules: [], learnedRules: [] };
    const files = ['folder.c', 'gone.c', 'own.c'].map((name) => path.join(work, name));
    const quoted = await quotedSources(files, folders);
    expect([...quoted.real.keys()]).toEqual([files[2]]);
    expect([...(await linesOf(quoted, files)).keys()]).toEqual([files[2]]);
    // A folder that begins as another does is not in it.
    writeFileSync(`${work}.c`, SECRET);
    expect((await quotedSources([`${work}.c`], folders)).real.size).toBe(0);
  });
});
