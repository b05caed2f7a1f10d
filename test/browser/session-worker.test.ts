// The bundle that runs in a browser's worker, without Node, against the session of this machine.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { EditorFileSystem } from '../../src/session/machine/editor-files.ts';
import { plainRequest, type OpenRequest } from '../../src/session/reading/open-request.ts';
import { PLAIN_GRAPH } from '../../src/features/graph/methods.ts';
import { localSession, type Session } from '../../src/features/answers/all-answers.ts';
import { WorkerSession } from '../../src/session/worker/worker-session.ts';

const root = path.resolve(import.meta.dirname, '../..');
const PREFIX = 'iolens-test://unit';
const asked: string[] = [];

/** This repository as an editor's file system. */
const here = (location: string): string => {
  asked.push(location);
  if (!location.startsWith(`${PREFIX}/`)) throw new Error('there is no such file or folder');
  return path.join(root, location.slice(PREFIX.length));
};
const kindOf = (file: string): 'file' | 'folder' => (statSync(file).isFile() ? 'file' : 'folder');
/** Grammars as the package holds them, whatever `dist` was built for. */
function asInPackage(file: string): Buffer {
  const bytes = readFileSync(file);
  if (!/tree-sitter-\w+\.wasm$/.test(file) || bytes.subarray(1, 4).toString() !== 'asm') return bytes;
  const packed = spawnSync('xz', ['-c'], { input: bytes, maxBuffer: 1 << 26 });
  return packed.status === 0 ? packed.stdout : bytes;
}

const editor: EditorFileSystem = {
  status: async (location) => {
    const { size, mtimeMs } = statSync(here(location));
    return Promise.resolve({ kind: kindOf(here(location)), size, modified: mtimeMs / 1000, identity: 'unknown' });
  },
  list: (location) =>
    Promise.resolve(
      readdirSync(here(location)).map((name) => ({ name, kind: kindOf(path.join(here(location), name)) })),
    ),
  read: (location) => Promise.resolve(new Uint8Array(asInPackage(here(location)))),
};

const browserWorker = new WorkerSession<Session>(
  path.join(import.meta.dirname, 'bare-worker.mjs'),
  { folder: `${PREFIX}/dist` },
  editor,
);
const inBrowser = browserWorker.topics;
const onMachine = localSession({ folder: path.join(root, 'dist') });
afterAll(() => browserWorker.dispose());

function requestFor(recording: string, folder: string, prefix: string): OpenRequest {
  return {
    ...plainRequest(`${prefix}/${recording}`),
    workspaceFolders: [`${prefix}/${folder}`],
    // Recorded paths may be there on a machine.
    pathRules: [{ from: '/home/hpc/heat', to: `${prefix}/demo/heat` }],
    maySpawn: false,
    cacheBytes: 0,
  };
}

async function everything(session: Session, request: OpenRequest): Promise<string> {
  const { id, info, notes } = await session.recordings.open(request);
  const analysis = await session.findings.analysis([id]);
  const graph = await session.graph.document(id, PLAIN_GRAPH);
  const sites = await session.lines.sites(id, 'line');
  const job = await session.report.job(id);
  await session.recordings.close(id);
  return JSON.stringify({ info, notes, analysis, graph, sites, job });
}

describe.each([
  ['demo/heat/heat.strace.gz', 'demo/heat', /"line":22/],
  ['test/data/darshan-stack/badmpi_4ranks.darshan', 'test/data/darshan-stack', /"line":21/],
  ['test/data/darshan-stack/badmpi_4ranks.dxt.txt.gz', 'test/data/darshan-stack', /"line":21/],
  ['test/data/darshan-stack/badio_serial_pie_fixed.darshan', 'test/data/darshan-stack', /"line":\d\d/],
])('%s', (recording, folder, line) =>
  test('says the same in a browser as on a machine', async () => {
    const there = await everything(inBrowser, requestFor(recording, folder, PREFIX));
    // The machine is told where the binaries are, which in an editor's file system are looked for.
    const bin = ['demo/heat/heat', 'test/data/darshan-stack/bin/badmpi', 'test/data/darshan-stack/bin/badio_pie'];
    const binaries = bin.map((name) => path.join(root, name));
    const expected = await everything(onMachine, { ...requestFor(recording, folder, root), binaries });
    expect(there).toMatch(line);
    expect(JSON.parse(there.replaceAll(PREFIX, root))).toEqual(JSON.parse(expected));
  }),
);

test('fixes are found, and a report is written with its graph', async () => {
  const { id } = await inBrowser.recordings.open(requestFor('demo/heat/heat.strace.gz', 'demo/heat', PREFIX));
  const { insights } = await inBrowser.findings.analysis([id]);
  const [insight] = insights.filter(({ sites }) => sites.some(({ line }) => line === 22));
  const site = insight!.sites.find(({ line }) => line === 22)!;
  const text = readFileSync(path.join(root, 'demo/heat/heat.c'), 'utf8');
  const fixes = await inBrowser.fixes.find({
    request: {
      trigger: insight!.trigger,
      language: 'c',
      place: { file: site.file, line: 22 },
      sources: { [site.file]: text },
      count: site.events,
      medianBytes: site.medianBytes,
      threaded: site.threaded,
      plainFiles: site.plainFiles,
      closedAt: site.closedAt,
      touchedAt: site.touchedAt,
      examples: [],
    },
    recorded: [],
    folders: { workspaceFolders: [`${PREFIX}/demo/heat`], pathRules: [], learnedRules: [] },
  });
  expect(fixes.map(({ title }) => title).join('\n')).toMatch(/^Insert an example: /);
  const report = await inBrowser.report.text([id], { format: 'html', origin: 'test', folders: [] });
  expect(report).toContain('<svg');
});

test('what a browser has not is said', async () => {
  const { id } = await inBrowser.recordings.open(requestFor('demo/heat/heat.strace.gz', 'demo/heat', PREFIX));
  await expect(inBrowser.graph.document(id, { ...PLAIN_GRAPH, mapping: `${PREFIX}/map.mjs` })).rejects.toThrow(
    /untrusted|browser/,
  );
  await expect(inBrowser.recordings.open(plainRequest('-'))).rejects.toThrow('a browser has no standard input');
  await expect(inBrowser.recordings.open(plainRequest(`${PREFIX}/nowhere`))).rejects.toThrow(/nowhere/);
});

test('only the user’s files are asked for as locations', () =>
  expect(asked.filter((location) => location.includes('://') && !location.startsWith(PREFIX))).toEqual([]));

describe('the bundles', () => {
  const script = (name: string): string => readFileSync(path.join(root, 'dist/web', name), 'utf8');

  test('name no module of Node', () => {
    for (const name of ['extension.cjs', 'session-worker.js'])
      expect(script(name), name).not.toMatch(/(from|import|require)\s*\(?\s*["']node:/);
    const required = script('extension.cjs').matchAll(/\brequire\(["']([^"']+)["']\)/g);
    expect([...new Set([...required].map(([, name]) => name))]).toEqual(['vscode']);
    // The parser's own loader has a branch for Node, in which `require` is a variable.
    const [, ...branches] = script('session-worker.js').split(/\brequire\(["']/);
    for (const branch of branches) expect(branch).toMatch(/^(fs|path|url)["']/);
  });

  test('what starts programs is offered in no browser', () => {
    const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      contributes: { commands: { command: string; enablement?: string }[] };
    };
    for (const name of ['iolens.recordProgram', 'iolens.recordLaunch', 'iolens.doctor'])
      expect(contributes.commands.find(({ command }) => command === name)?.enablement).toContain('!iolens.inBrowser');
  });
});
