import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { directlyFollowsGraph, type GraphOptions } from './directly-follows-graph.ts';
import type { CustomMapping } from './mapping.ts';

const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };

const TEXT = `7 1795252180.000000 write(3</w/a>, ""..., 100) = 100 <0.000010>
7 1795252180.000100 write(3</w/a>, ""..., 9000) = 5000 <0.000020>
8 1795252180.000200 write(3</w/a>, ""..., 100) = 100 <0.000030>
7 1795252180.000300 pread64(3</w/a>, ""..., 10, 4096) = 10 <0.000040>
8 1795252180.000400 getcwd("/w", 4096) = 3 <0.000050>
`;

async function graphOf(map: CustomMapping, more: Partial<GraphOptions> = {}) {
  const trace = await readStrace([memoryFile('a.st', TEXT)]);
  return directlyFollowsGraph(trace, NO_SITES, {
    mapping: { kind: 'custom', map },
    siteVariables: [],
    pathFilter: '',
    withoutCalls: [],
    grouping: 'pid',
    ...more,
  });
}

const counts = async (map: CustomMapping): Promise<Record<string, number>> =>
  Object.fromEntries((await graphOf(map)).nodes.map(({ activity, events }) => [activity, events]));

describe('a mapping of the whole event', () => {
  test('tells events of one call and file apart', async () => {
    expect(await counts(({ call, size }) => `${call} ${size < 4096 ? 'small' : 'large'}`)).toEqual({
      'write small': 2,
      'write large': 1,
      'pread64 small': 1,
      'getcwd small': 1,
    });
    expect(await counts(({ pid }) => `process ${pid}`)).toEqual({ 'process 7': 3, 'process 8': 2 });
    expect(await counts((event) => (event.size > 1000 ? 'large' : null))).toEqual({ large: 1 });
  });

  test('sees every attribute, null where nothing is known', async () => {
    const seen: unknown[] = [];
    await graphOf((event) => {
      seen.push({ ...event });
      return event.call;
    });
    const nobody = { host: '', rank: null, layer: 'system call', site: null, recording: 'a.st' };
    expect(seen).toHaveLength(5);
    expect(seen[1]).toMatchObject({ ...nobody, call: 'write', path: '/w/a', size: 5000, requested: 9000, pid: 7 });
    expect(seen[3]).toMatchObject({ call: 'pread64', offset: 4096, start: 300_000, duration: 40_000, thread: 7 });
    expect(seen[4]).toMatchObject({ call: 'getcwd', size: 0 });
  });

  test('is asked once for what call, path and host decide', async () => {
    let asked = 0;
    await graphOf(({ call, path }) => {
      asked++;
      return `${call}:${path}`;
    });
    expect(asked).toBe(3);
  });

  test('of an attribute that there is not is told, and of what is no name', async () => {
    const typo = (event: object): string | null => ((event as { bytes: number }).bytes > 1 ? 'x' : null);
    await expect(graphOf(typo)).rejects.toThrow('an event has no bytes; it has call, path, host, size,');
    await expect(graphOf(() => undefined as unknown as null)).rejects.toThrow('a name or null is expected');
  });
});

test('parts of a partition that overlap or hold nothing are told', async () => {
  const map: CustomMapping = ({ call }) => call;
  const partition = (green: string, red: string): Partial<GraphOptions> => ({
    partition: { green: (name) => name.endsWith(green), red: (name) => name.endsWith(red) },
  });
  const warnings = async (green: string, red: string): Promise<readonly string[]> =>
    (await graphOf(map, partition(green, red))).warnings;
  expect(await warnings('7', '8')).toEqual([]);
  expect(await warnings('7', '9')).toEqual(['No case is in the red part: the cases are a 7, a 8.']);
  expect(await warnings('', '8')).toEqual(['a 8 would be in both parts, and counts as green.']);
});

test('a partial mapping that takes nothing of a part is told', async () => {
  const partition = { green: (name: string) => name.endsWith('7'), red: (name: string) => name.endsWith('8') };
  const { warnings, caseNames } = await graphOf(({ call, pid }) => (pid === 8 ? call : null), { partition });
  expect(caseNames).toEqual(['a 8']);
  expect(warnings).toEqual(['Mapping and filters leave no event of the green part: a 7.']);
});

test('what cases in neither part do has no colour', async () => {
  const options: Partial<GraphOptions> = { partition: { green: (name) => name.endsWith('7'), red: () => false } };
  const { nodes } = await graphOf(({ call, pid }) => `${call} of ${pid}`, options);
  const colours = new Set(nodes.map(({ activity, partition }) => `${activity.slice(-1)} ${partition ?? 'none'}`));
  expect([...colours].sort()).toEqual(['7 green', '8 none']);
});
