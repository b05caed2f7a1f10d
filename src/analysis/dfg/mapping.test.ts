import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { activityLog } from './activity-log.ts';
import { Concurrency } from './concurrency.ts';
import { directlyFollowsGraph, type GraphOptions } from './directly-follows-graph.ts';
import { EdgeCounts } from './edge-counts.ts';
import { parseMapping } from './mapping.ts';
import { abbreviate, topLevels } from './site-paths.ts';

const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };
const PLAIN: GraphOptions = {
  mapping: { kind: 'call+path', levels: 2 },
  siteVariables: [],
  pathFilter: '',
  withoutCalls: [],
  grouping: 'file',
};

describe('topLevels (equation 4)', () =>
  test.each([
    ['/usr/lib/x86_64-linux-gnu/libc.so.6', 2, '/usr/lib'],
    ['/etc/passwd', 2, '/etc/passwd'],
    ['/a/b/c/d', 3, '/a/b/c'],
    ['/a', 2, '/a'],
    ['$SCRATCH/ssf/test', 1, '$SCRATCH'],
    ['$SCRATCH/ssf/test', 2, '$SCRATCH/ssf'],
    ['pipe:[123]', 2, 'pipe:[123]'],
    ['UNIX:[1->2,"/run/x/y"]', 1, 'UNIX:[1->2,"/run/x/y"]'],
  ])('%s with %i levels is %s', (path, levels, expected) => expect(topLevels(path, levels)).toBe(expected)));

describe('abbreviate (the paper’s f̄)', () => {
  const variables = [
    { name: '$HOME', prefix: '/home/*' },
    { name: '$SCRATCH', prefix: '/p/scratch/project/' },
    { name: '$P', prefix: '/p' },
  ];
  test.each([
    ['/home/me/x', '$HOME/x'],
    ['/home/me', '$HOME'],
    ['/home', '/home'],
    ['/p/scratch/project/a/b', '$SCRATCH/a/b'],
    ['/p/scratch/projects/a', '$P/scratch/projects/a'],
    ['/q', '/q'],
  ])('%s is %s', (path, expected) => expect(abbreviate(path, variables)).toBe(expected));
});

test('parseMapping names the forms it knows', () => {
  expect(parseMapping('call+path:3')).toEqual({ kind: 'call+path', levels: 3 });
  expect(parseMapping('call+path')).toEqual({ kind: 'call+path', levels: 2 });
  expect(parseMapping('site')).toEqual({ kind: 'site' });
  expect(() => parseMapping('call+path:0')).toThrow('call+path:N, path:N, call, call+file, or site');
  expect(() => parseMapping('files')).toThrow('"files" is no mapping');
});

test('concurrency is the most calls under way at once; a call that starts when another ends does not overlap it', () => {
  const concurrency = new Concurrency();
  for (const [start, duration] of [
    [0, 100],
    [10, 10],
    [20, 10],
    [25, 50],
    [100, 5],
  ] as const)
    concurrency.add(start, duration);
  expect(concurrency.most).toBe(3);
});

test('edges are counted the same in the matrix and beyond it', () => {
  const edges = new EdgeCounts();
  for (let i = 0; i < 3000; i++) edges.add(i % 1500, (i * 7) % 1500, i % 3);
  edges.add(0, 0, 0);
  const list = edges.list();
  expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(3001);
  expect(list.find(({ from, to }) => from === 1 && to === 7)).toEqual({ from: 1, to: 7, count: 2, green: 2, red: 0 });
});

const line = (pid: number, seconds: string, call: string, path: string): string =>
  `${pid} 1795252180.${seconds} ${call}(3<${path}>, "x", 1) = 1 <0.000001>\n`;

test('cases that do the same share a trace of the activity log', async () => {
  const same = line(1, '1', 'read', '/a/b') + line(1, '2', 'read', '/a/b') + line(1, '3', 'write', '/a/c');
  const trace = await readStrace([
    memoryFile('x_host1_0.st', same),
    memoryFile('x_host1_1.st', same),
    memoryFile('x_host1_2.st', line(1, '1', 'write', '/a/c')),
  ]);
  expect(activityLog(trace, NO_SITES, PLAIN)).toEqual([
    {
      cases: ['x_host1_0', 'x_host1_1'],
      events: 3,
      runs: [
        ['read:/a/b', 2],
        ['write:/a/c', 1],
      ],
      cut: false,
    },
    { cases: ['x_host1_2'], events: 1, runs: [['write:/a/c', 1]], cut: false },
  ]);
});

test('files of one launched process are one case by rank, in the order of their starts', async () => {
  const trace = await readStrace([
    memoryFile('x_host1_0.st.11', line(11, '5', 'write', '/a/c').slice(3)),
    memoryFile('x_host1_0.st.10', line(10, '1', 'read', '/a/b').slice(3) + line(10, '9', 'read', '/a/d').slice(3)),
  ]);
  const graph = directlyFollowsGraph(trace, NO_SITES, { ...PLAIN, grouping: 'rank' });
  expect(graph.cases).toBe(1);
  expect(graph.edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
    '● read:/a/b',
    'read:/a/b write:/a/c',
    'write:/a/c read:/a/d',
    'read:/a/d ■',
  ]);
});

test('a path of two hosts is two files, unless it is shared; the graph warns of the clocks', async () => {
  const files = [
    memoryFile('x_n1_0.st', line(1, '1', 'read', '/tmp/x')),
    memoryFile('x_n2_1.st', line(1, '1', 'read', '/tmp/x')),
  ];
  const trace = await readStrace(files);
  expect(trace.files.length).toBe(2);
  expect((await readStrace(files, { sharedPaths: ['/tmp'] })).files.length).toBe(1);
  expect(directlyFollowsGraph(trace, NO_SITES, PLAIN).warnings[0]).toContain('clocks are not known to agree');
});

test('calls that the kernel repeats are not counted', async () => {
  const restarted =
    '1 1795252180.1 read(3</a/b>, 0x7f, 1) = ? ERESTARTSYS (To be restarted if SA_RESTART is set) <0.1>\n';
  const trace = await readStrace([memoryFile('t', restarted + line(1, '2', 'read', '/a/b'))]);
  expect(directlyFollowsGraph(trace, NO_SITES, PLAIN).events).toBe(1);
});

test('what a filter leaves out is counted, by the filter; what the mapping leaves out is not', async () => {
  const text = ['/etc/a', '/p/b', '/p/b', '/q/c'].map((path, i) => line(1, `${i + 1}`, 'read', path)).join('');
  const trace = await readStrace([memoryFile('t', text)]);
  const ignored = Uint8Array.from(trace.files.files, ({ path }) => (path.startsWith('/etc') ? 1 : 0));
  const hidden = (options: Partial<GraphOptions>): unknown =>
    directlyFollowsGraph(trace, NO_SITES, { ...PLAIN, ...options }).hidden;
  expect(hidden({})).toEqual({ byPath: 0, ofSystem: 0 });
  expect(hidden({ ignored })).toEqual({ byPath: 0, ofSystem: 1 });
  // A path that both leave out would stay hidden without one of them.
  expect(hidden({ ignored, pathFilter: '/p' })).toEqual({ byPath: 2, ofSystem: 0 });
  expect(hidden({ withoutCalls: ['read'] })).toEqual({ byPath: 0, ofSystem: 0 });
});
