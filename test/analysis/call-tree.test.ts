import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CallTree } from '../../src/analysis/call-tree/call-tree.ts';
import { callTreeText, foldedStacks } from '../../src/export/call-tree/call-tree-text.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import type { SelectionPart } from '../../src/analysis/selection/selection.ts';

const root = path.resolve(import.meta.dirname, '../..');
const LOG = path.join(root, 'test/data/darshan-stack/badmpi_4ranks.darshan');
const LAYERS = path.join(root, 'test/data/layers/heat-each');
const FLUSHES = path.join(root, 'test/data/strace-programs/f_flush/f_flush.O0.strace.gz');
const THREADS = path.join(root, 'test/data/strace-programs/threads/threads.O0.strace.gz');

async function opened(recording: string) {
  const session = localSession({ folder: path.join(root, 'dist') });
  const { id } = await session.recordings.open({ ...plainRequest(recording), cacheBytes: 0, maySpawn: false });
  return { tree: (...parts: SelectionPart[]) => session.report.callTree(id, parts), session, id };
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);
const ALL = { measure: 'calls', allLibraries: true, least: 0 } as const;

/** Stacks of `strace -k` as a script would count them: text alone, the calls on one file. */
function countedByText(recording: string, file: string): Map<string, number> {
  const found = new Map<string, number>();
  const lines = gunzipSync(readFileSync(recording)).toString().split('\n');
  lines.forEach((line, at) => {
    const call = /^(?:\d+ +)?[\d.:]+ (\w+)\(.*\) += /.exec(line)?.[1];
    if (call === undefined || !line.includes(`${file}>`)) return;
    const stack: string[] = [];
    for (let next = at + 1; lines[next]?.startsWith(' >') === true; next++)
      stack.unshift(/\(([^+)]*)/.exec(lines[next]!)?.[1] ?? '');
    const key = [...stack, call].join(';');
    found.set(key, (found.get(key) ?? 0) + 1);
  });
  return found;
}

describe('call trees', () => {
  test('hold what findings count: calls, bytes, and all time once, however many layers show it', async () => {
    const { tree, session, id } = await opened(LOG);
    const { times, ...found } = await tree();
    const { files } = await session.files.list(id, 'time', 1000);
    expect(sum(found.calls)).toBe(sum(files.map(({ events }) => events)));
    expect(sum(found.bytes)).toBe(sum(files.map(({ readBytes, writtenBytes }) => readBytes + writtenBytes)));
    expect(sum(found.timeNs) / sum(files.map(({ timeNs }) => timeNs))).toBeCloseTo(1, 5);
    expect(times).toBe('recorded');
  });

  test('a call of an upper layer stands above what it became, with its own time alone', async () => {
    const { tree } = await opened(LAYERS);
    const folded = foldedStacks(await tree(), { measure: 'timeNs', least: 0 });
    expect(folded).toMatch(/^main;save_grid_each;MPI_File_write_at;pwrite \d+$/m);
    expect(folded).toMatch(/^main;save_grid_each;MPI_File_write_at \d+$/m);
  });

  test('of a tracer’s recording they hold what calls cost without it, of all threads together', async () => {
    const { tree } = await opened(THREADS);
    const found = await tree();
    expect(found.times).toBe('untraced');
    const text = gunzipSync(readFileSync(THREADS)).toString();
    const recorded = sum([...text.matchAll(/<(\d+\.\d+)>$/gm)].map(([, seconds]) => Number(seconds) * 1e9));
    expect(sum(found.timeNs)).toBeGreaterThan(0);
    expect(sum(found.timeNs)).toBeLessThan(recorded);
  });

  test('stacks are those of the text', async () => {
    const { tree, session, id } = await opened(FLUSHES);
    const { files } = await session.files.list(id, 'time', 10);
    const [file] = files;
    const own = await tree({ kind: 'file', path: file!.path });
    const ours = new Map(
      foldedStacks(own, ALL)
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
    const byText = countedByText(FLUSHES, file!.path);
    expect(sum([...ours.values()])).toBe(sum([...byText.values()]));
    // Their names for what starts a thread and for the C library's wrappers are left out here.
    for (const [stack, calls] of ours) {
      const functions = stack.split(';').filter((name) => /^[a-z]\w+$/.test(name));
      const same = [...byText].filter(([key]) => functions.every((name) => key.split(';').includes(name)));
      expect(sum(same.map(([, count]) => count)), stack).toBeGreaterThanOrEqual(calls);
    }
  });

  test('of selected calls alone', async () => {
    const { tree } = await opened(LOG);
    const [all, ofRank] = [await tree(), await tree({ kind: 'rank', rank: 1 })];
    expect(sum(ofRank.calls)).toBeGreaterThan(0);
    expect(sum(ofRank.calls)).toBeLessThan(sum(all.calls));
  });
});

describe('call trees as text', () => {
  const [name, file] = ['sa\u001b[2Jve', '/src/x.c'];
  const about = { operation: '', isHere: false, module: '/bin/x' } as const;
  const hostile: CallTree = {
    places: [
      { ...about, name: 'all calls', kind: 'rest', file: '' },
      { ...about, name, kind: 'program', file },
      { ...about, name: 'wri;te', kind: 'call', operation: 'write', file: '', module: '' },
    ],
    ...{
      parent: [-1, 0, 1],
      place: [0, 1, 2],
      line: [0, 3, 0],
      timeNs: [0, 0, 9e6],
      bytes: [0, 0, 5],
      calls: [0, 0, 1],
    },
    ...{ times: 'recorded', hasStacks: true },
  };

  test('no name moves the cursor, none begins another frame', () => {
    const text = callTreeText(hostile, { least: 0 }, '');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('wri;te');
    expect(foldedStacks(hostile, { least: 0 })).toMatch(/^sa[^;]*ve;wri:te 9000000\n$/);
  });

  test('says what is not there', () => {
    expect(callTreeText(hostile, { least: 0, functionName: 'load' }, '')).toBe(
      'No counted call of the recording was made by a function like load.\n',
    );
    expect(callTreeText(hostile, { least: 0, filter: 'load' }, '')).toBe(
      'No counted call of the recording went through load.\n',
    );
  });

  test('iolens stacks prints callers, callees, and JSON of a known form', () => {
    const run = (...more: string[]): { stdout: string; stderr: string } =>
      spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), 'stacks', LAYERS, '--no-cache', ...more], {
        encoding: 'utf8',
      });
    expect(run().stdout).toMatch(/itself +call\n.* MPI_File_open\n.* ← save_grid_each \(heat\.c:45\)\n.* {3}← main \(/);
    const around = run('--function', 'save_grid_each', '--by', 'calls').stdout;
    expect(around).toMatch(/save_grid_each \(heat\.c:\d+, …\) is called by\n.*main.*and calls\n.*MPI_File_write_at/s);
    const document = JSON.parse(run('--format', 'json').stdout) as { schema: string; recordings: CallTree[] };
    expect(document.schema).toBe('iolens/call-tree@1');
    expect(document.recordings[0]!.places.map(({ name: of }) => of)).toContain('save_grid_each');
    expect(run('--least', 'much').stderr).toContain('a number from 0 to 100 is expected');
  });
});
