import { Ajv } from 'ajv';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { recordingFilesAt } from '../../session/reading/recording-files.ts';
import { NOT_COUNTED } from '../../trace/events.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { directlyFollowsGraph, type GraphOptions } from './directly-follows-graph.ts';
import { collapsedFolderOf, folderOf, foldersAbove } from './folders.ts';
import { parseMapping } from './mapping.ts';
import { matchesPath } from './path-glob.ts';
import { rounds } from '../../../test/support/rounds.ts';

const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };
const optionsFor = (mapping: object): GraphOptions => ({
  mapping: parseMapping(JSON.stringify(mapping)),
  siteVariables: [],
  pathFilter: '',
  withoutCalls: [],
  grouping: 'file',
});

const line = (second: number, call: string, path: string, duration = '0.000001'): string =>
  `1 179525218${second}.0 ${call}(3<${path}>, "x", 1) = 1 <${duration}>\n`;
const RECORDED = [
  line(0, 'read', '/p/scratch/in/a.h5'),
  line(1, 'pread64', '/p/scratch/in/b.h5'),
  line(2, 'lseek', '/p/scratch/in/b.h5'),
  line(3, 'write', '/p/scratch/out/log.txt'),
  line(4, 'pwrite64', '/home/me/notes'),
];
const trace = readStrace([memoryFile('x_host1_0.st', RECORDED.join(''))]);
const activities = async (mapping: object): Promise<[string, number][]> =>
  directlyFollowsGraph(await trace, NO_SITES, optionsFor(mapping)).nodes.map(({ activity, events }) => [
    activity,
    events,
  ]);

describe('globs of paths', () => {
  test.each([
    ['/a/b/c.h5', '*.h5', true],
    ['/a/b/c.h5', '/a/**', true],
    ['/a/b/c.h5', '/a/*/c.h5', true],
    ['/a/b/c.h5', '/a/*', false],
    ['/a/b/c.h5', '/a/**/c.?5', true],
    ['/a/c.h5', '/a/**/c.h5', true],
    ['/a/b/x/c.h5', '/**/b/**/c*', true],
    ['/ab/c', '/a/**', false],
    ['$SCRATCH/run/x', '$SCRATCH/**', true],
    ['pipe:[1]', 'pipe:*', true],
  ])('%s and %s: %s', (path, pattern, expected) => expect(matchesPath(path, pattern)).toBe(expected));

  test('say what their definition says', () => {
    /** Tries everything that a star can stand for. */
    const defined = <Item>(items: Item[], wanted: Item[], any: Item, same: (a: Item, b: Item) => boolean): boolean => {
      const [first, ...rest] = wanted;
      if (first === undefined) return items.length === 0;
      if (first === any)
        return items.some((_, i) => defined(items.slice(i), rest, any, same)) || defined([], rest, any, same);
      return items.length > 0 && same(items[0]!, first) && defined(items.slice(1), rest, any, same);
    };
    const letters = (a: string, b: string): boolean => b === '?' || a === b;
    const parts = (a: string, b: string): boolean => defined(a.split(''), b.split(''), '*', letters);
    const pattern = fc.array(fc.oneof(fc.constant('**'), fc.stringMatching(/^[ab*?]{1,3}$/)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 4 }),
        pattern,
        (path, wanted) => {
          const expected = defined(['', ...path], ['', ...wanted], '**', parts);
          expect(matchesPath(`/${path.join('/')}`, `/${wanted.join('/')}`)).toBe(expected);
        },
      ),
      { numRuns: rounds(2000) },
    );
  });

  test('a pattern made to be slow is not', () => {
    const pattern = `/${Array.from({ length: 80 }, () => '**/a*a*a*a').join('/')}`;
    const path = `/${Array.from({ length: 200 }, () => 'a'.repeat(200)).join('/')}b/x`;
    // A regular expression would not come back from this.
    expect(matchesPath(path, pattern)).toBe(false);
  });
});

describe('rules', () => {
  test('the first that fits names, groups join calls, the base names the rest', async () => {
    const mapping = {
      base: 'call+path:1',
      siteVariables: { $SCRATCH: '/p/scratch' },
      callGroups: { 'read*': 'read|pread64', 'write*': 'write | pwrite64' },
      withoutCalls: ['lseek'],
      rules: [
        { path: '*.h5', calls: 'read*', name: 'input {call} {path:1}' },
        { path: '/p/**', name: 'output {name}' },
      ],
    };
    expect(await activities(mapping)).toEqual([
      ['input read* $SCRATCH', 2],
      ['output log.txt', 1],
      ['write*:/home', 1],
    ]);
  });

  test('null leaves out, and so does a base of null', async () => {
    const rules = [
      { path: '$S/out/**', name: null },
      { calls: 'write|pwrite64', name: 'written' },
    ];
    const siteVariables = { S: '/p/scratch' };
    expect(await activities({ base: null, siteVariables, rules })).toEqual([['written', 1]]);
  });

  test('a call without a path can be named by its call only', async () => {
    const recorded = await readStrace([memoryFile('t', '1 1795252180.1 sync() = 0 <0.1>\n')]);
    const named = (mapping: object): string[] =>
      directlyFollowsGraph(recorded, NO_SITES, optionsFor(mapping)).nodes.map(({ activity }) => activity);
    expect(named({ rules: [{ path: '**', name: 'x' }] })).toEqual([]);
    expect(named({ rules: [{ calls: 'sync', name: 'flush{path}' }] })).toEqual(['flush']);
  });

  test.each([
    ['{"collapsed": 1}', 'collapsed must be a list'],
    ['{"base": 1}', 'base must be call+path:N'],
    ['{"base": "files"}', '"files" is no mapping'],
    ['{"rule": []}', 'unknown property "rule"'],
    ['{"rules": [{"name": ""}]}', 'rule 1: name must be a text that is not empty'],
    ['{"rules": [{"name": "x"}, {"name": "y", "paths": "z"}]}', 'rule 2: unknown property "paths"'],
    ['{"siteVariables": {"S": "scratch"}}', 'siteVariables must be absolute paths, not "scratch"'],
    ['{"callGroups": {"": "x"}}', 'callGroups must be an object'],
    ['{"withoutCalls": "lseek"}', 'withoutCalls must be a list'],
    ['{"base": ', 'this is no JSON'],
  ])('refused is %s', (text, message) => expect(() => parseMapping(text)).toThrow(message));

  test('more or longer ones than anybody writes are refused', () => {
    const many = Array.from({ length: 201 }, () => ({ name: 'x' }));
    expect(() => parseMapping(JSON.stringify({ rules: many }))).toThrow('a list of at most 200');
    expect(() => parseMapping(JSON.stringify({ rules: [{ name: 'x'.repeat(501) }] }))).toThrow('rule 1: name');
  });
});

test('the documented example is a mapping, and what its schema says', () => {
  const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const example = /```json\n([^`]*)```/.exec(read('docs/graph.md'))![1]!;
  expect(parseMapping(example).kind).toBe('rules');
  const fits = new Ajv().compile(JSON.parse(read('schemas/mapping.schema.json')) as object);
  expect(fits(JSON.parse(example)), JSON.stringify(fits.errors)).toBe(true);
  expect(fits({ rules: [{ name: '' }] })).toBe(false);
});

test('folders are read off the names of activities', () => {
  expect(folderOf('read:/usr/lib')).toBe('/usr/lib');
  expect(folderOf('read*:$SCRATCH/x')).toBe('$SCRATCH/x');
  expect(folderOf('/usr/lib')).toBe('/usr/lib');
  expect(folderOf('emit(int) (heat.c:12)')).toBe('heat.c');
  expect(folderOf('/usr/lib/**')).toBe('/usr');
  expect(folderOf('$SCRATCH/**')).toBeNull();
  expect(folderOf('read')).toBeNull();
  expect(folderOf('read:pipe:[12]')).toBeNull();
  expect(foldersAbove('/a/b')).toEqual(['/a', '/a/b']);
  expect(foldersAbove('$S/b')).toEqual(['$S', '$S/b']);
  expect(collapsedFolderOf('read:/usr/lib/x', ['/usr/lib', '/usr', '/us'])).toBe('/usr');
});

describe('a collapsed folder', () => {
  test('is one activity, with edges to itself', async () => {
    const graph = directlyFollowsGraph(
      await trace,
      NO_SITES,
      optionsFor({ base: 'call+path:3', collapsed: ['/p/scratch'] }),
    );
    expect(graph.nodes.map(({ activity, events }) => [activity, events])).toEqual([
      ['/p/scratch/**', 4],
      ['pwrite64:/home/me/notes', 1],
    ]);
    expect(graph.nodes[0]).toMatchObject({ folder: '/p', collapsed: { folder: '/p/scratch', activities: 4 } });
    expect(graph.edges.map(({ from, to, count }) => `${from} ${to} ${count}`)).toEqual([
      '● /p/scratch/** 1',
      '/p/scratch/** /p/scratch/** 3',
      '/p/scratch/** pwrite64:/home/me/notes 1',
      'pwrite64:/home/me/notes ■ 1',
    ]);
  });

  const ior = corpus('strace/ior');
  test.skipIf(ior === undefined)(
    `has the numbers of its events, not sums of numbers (${absent('ior')} otherwise)`,
    async () => {
      const files = (await recordingFilesAt(`${ior!}/ssf`)).filter(({ name }) => name.endsWith('.st'));
      const recorded = await readStrace(files);
      const parts = directlyFollowsGraph(recorded, NO_SITES, optionsFor({ base: 'call+path:2' }));
      const folder = '/usr';
      const graph = directlyFollowsGraph(recorded, NO_SITES, optionsFor({ base: 'call+path:2', collapsed: [folder] }));
      const node = graph.nodes.find(({ collapsed }) => collapsed?.folder === folder)!;
      // What the events themselves say, without the code under test.
      const spans: [number, number][] = [];
      const rates: number[] = [];
      let bytes = 0;
      recorded.events.chunks.forEach((chunk, number) => {
        for (let i = 0; i < recorded.events.rowsIn(number); i++) {
          const file = chunk.file[i]!;
          const name = recorded.calls.names[chunk.call[i]!]!;
          if (file < 0 || !recorded.files.at(file).path.startsWith('/usr/') || chunk.flags[i]! & NOT_COUNTED) continue;
          const duration = chunk.duration[i]!;
          spans.push([chunk.start[i]!, chunk.start[i]! + duration]);
          if (!/^p?(read|write)v?(64)?$/.test(name)) continue;
          bytes += chunk.bytes[i]!;
          if (duration > 0) rates.push((chunk.bytes[i]! / duration) * 1e9);
        }
      });
      const most = Math.max(...spans.map(([at]) => spans.filter(([from, to]) => from <= at && to > at).length));
      expect(node.events).toBe(spans.length);
      expect(node.maxConcurrency).toBe(most);
      expect(node.bytes).toBe(bytes);
      expect(node.processDataRate! / (rates.reduce((sum, rate) => sum + rate, 0) / rates.length)).toBeCloseTo(1, 9);
      const inside = parts.nodes.filter((part) => part.folder?.startsWith('/usr') === true);
      expect(node.collapsed!.activities).toBe(inside.length);
      // Neither the largest nor the sum of the parts' concurrencies is that of the whole.
      expect(inside.reduce((sum, part) => sum + part.maxConcurrency, 0)).not.toBe(node.maxConcurrency);
      expect(graph.events).toBe(parts.events);
    },
  );
});
