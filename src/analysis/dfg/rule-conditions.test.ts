import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { directlyFollowsGraph } from './directly-follows-graph.ts';
import type { MappedEvent } from './mapped-event.ts';
import { parseMapping } from './mapping.ts';
import { mappingPreview } from './mapping-preview.ts';
import { parseConditions } from './rule-conditions.ts';

const EVENT: MappedEvent = {
  ...{ call: 'write', path: '/d/x', host: '', size: 4096, requested: 8192, offset: null, start: 5e6, duration: 2e6 },
  ...{ pid: 100, thread: 101, rank: 3, layer: 'system call', recording: '/r/a_n1_3.st' },
  site: { file: '/src/save.c', line: 42, function: 'save' },
};
const holds = (text: string): boolean => parseConditions(text).every((condition) => condition(EVENT));

test.each([
  ['', true],
  ['size = 4096', true],
  ['size = 4K', true],
  ['size >= 4 KiB', true],
  ['size>4kb', false],
  ['size < 1 MiB', true],
  ['size = 1K-8K', true],
  ['size != 1K-8K', false],
  ['requested > 4K, size < 8K', true],
  ['requested > 4K, size > 8K', false],
  ['duration >= 2 ms', true],
  ['duration > 0', true],
  ['duration < 2000 µs', false],
  ['start = 1ms-1s', true],
  ['rank = 0-3', true],
  ['rank != 3', false],
  ['pid = 100', true],
  ['thread <= 100', false],
  ['layer = System Call', true],
  ['layer != POSIX', true],
  ['site = save', true],
  ['site = save.c', true],
  ['site = save.c:42', true],
  ['site = save.c:4', false],
  ['recording = a_n1_3.st', true],
])('%s: %s', (text, expected) => expect(holds(text)).toBe(expected));

test.each(['offset >= 0', 'offset < 1', 'offset != 5'])('%s says nothing of what is not known', (text) =>
  expect(holds(text)).toBe(false),
);

test.each([
  ['size', '"size": a condition such as "size >= 1 MiB" on one of size, requested'],
  ['bytes > 5', '"bytes > 5": a condition such as'],
  ['size > 5 ms', '"size > 5 ms": bytes, such as 4096, 64K or 1 MiB, or a range of them: 1K-1M is expected'],
  ['duration > 5', '"duration > 5": a time with its unit (ns, us, ms, s, min), or a range: 1ms-1s is expected'],
  ['rank = a', '"rank = a": a number, or a range: 0-3 is expected'],
  ['rank = 5-2', '"rank = 5-2": a number, or a range'],
  ['size = constructor', '"size = constructor": bytes'],
  ['size = 1 constructor', '"size = 1 constructor": bytes'],
  ['layer > POSIX', '"layer > POSIX": layer = or != a name is expected'],
])('%s is refused in words', (text, message) => expect(() => parseConditions(text)).toThrow(message));

describe('rules with conditions', () => {
  const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };
  const line = (second: number, bytes: number, path = '/d/x'): string =>
    `1 179525218${String(second)}.0 write(3<${path}>, "x", ${String(bytes)}) = ${String(bytes)} <0.000001>\n`;
  const trace = readStrace([
    memoryFile('x.st', [line(0, 10), line(1, 5000), line(2, 20), line(3, 7, '/e/y')].join('')),
  ]);
  const options = (mapping: object) => ({
    ...{ mapping: parseMapping(JSON.stringify(mapping)), siteVariables: [], pathFilter: '', withoutCalls: [] },
    grouping: 'file' as const,
  });

  test('tell calls of one name on one file apart; the first that fits decides, and the base what none names', async () => {
    const mapping = {
      base: 'call',
      rules: [
        { path: '/d/**', when: 'size >= 4K', name: 'large {name}' },
        { path: '/d/**', when: 'size >= 20', name: 'medium' },
        { path: '/e/**', name: 'e' },
        { when: 'size < 5', name: null },
      ],
    };
    const graph = directlyFollowsGraph(await trace, NO_SITES, options(mapping));
    expect(graph.nodes.map(({ activity, events }) => [activity, events]).toSorted()).toEqual([
      ['e', 1],
      ['large x', 1],
      ['medium', 1],
      ['write', 1],
    ]);
    expect(mappingPreview(await trace, NO_SITES, options(mapping), 9).mappedEvents).toBe(4);
  });

  test('null leaves out those for which they hold', async () => {
    const mapping = { base: 'call', rules: [{ when: 'size < 100', name: null }] };
    const graph = directlyFollowsGraph(await trace, NO_SITES, options(mapping));
    expect(graph.nodes.map(({ events }) => events)).toEqual([1]);
  });

  test('a condition that is none names its rule', () => {
    expect(() => parseMapping('{"rules":[{"name":"a","when":"size > x"}]}')).toThrow(
      'mapping: rule 1: when: "size > x": bytes, such as',
    );
  });
});
