import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ActivityNaming, SelectionPart } from '../../analysis/selection/selection.ts';
import { linkQuery, parseLinkQuery, type LinkTarget } from './selection-link.ts';
import { rounds } from '../../../test/support/rounds.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const name = text.filter((value) => value !== '');
const filePath = fc
  .array(fc.string({ unit: fc.constantFrom(...Array.from('abz09 .;:%&=+#?ä-_')), minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 4,
  })
  .filter((parts) => parts.every((part) => part !== '.' && part !== '..'))
  .map((parts) => `/${parts.join('/')}`);
const number = fc.nat(1e9);
const time = fc.double({ min: 0, max: 1e15, noNaN: true }).map((value) => value + 0);
const naming: fc.Arbitrary<ActivityNaming> = fc.record(
  {
    mapping: name,
    pathFilter: text,
    ownFilesOnly: fc.boolean(),
    grouping: fc.constantFrom('file', 'pid', 'rank'),
    siteVariables: fc.array(fc.record({ name, prefix: name }), { minLength: 1, maxLength: 3 }),
    layer: name,
  },
  { requiredKeys: ['mapping', 'pathFilter', 'ownFilesOnly', 'grouping'] },
);

const part: fc.Arbitrary<SelectionPart> = fc.oneof(
  fc.record({ kind: fc.constant('line'), file: name, line: number }),
  fc.record({ kind: fc.constant('function'), file: text, name }),
  fc.tuple(name, naming).map(([activity, of]) => ({ kind: 'activity', activity, ...of }) as const),
  fc.tuple(name, name, naming).map(([from, to, of]) => ({ kind: 'edge', from, to, ...of }) as const),
  fc.record({ kind: fc.constant('file'), path: name }),
  fc.record({
    ...{ kind: fc.constant('below'), call: name, host: text, file: text },
    ...{ process: number, thread: number, line: number },
  }),
  fc.record({ kind: fc.constant('rank'), rank: number }),
  fc.record(
    { kind: fc.constant('process'), host: text, process: number, thread: number },
    { requiredKeys: ['kind', 'host', 'process'] },
  ),
  fc.record({ kind: fc.constant('host'), host: text }),
  fc.record({ kind: fc.constant('layer'), layer: name }),
  fc.record({ kind: fc.constant('call'), call: name }),
  fc.record({ kind: fc.constant('operation'), operation: name }),
  fc.tuple(time, time).map(([a, b]) => ({ kind: 'span', fromNs: Math.min(a, b), toNs: Math.max(a, b) }) as const),
  fc.record({ kind: fc.constant('insight'), code: name }),
  fc.record({ kind: fc.constant('insight'), code: name, file: name, line: number }),
);

const target: fc.Arbitrary<LinkTarget> = fc.record(
  {
    recording: fc.array(filePath, { maxLength: 3 }),
    selection: fc.array(part, { maxLength: 5 }),
    view: fc.constantFrom('graph', 'timeline', 'report'),
  },
  { requiredKeys: ['recording', 'selection'] },
);

describe('a link', () => {
  test('leads back to what it was made of, through the editor’s reading of addresses', () =>
    fc.assert(
      fc.property(target, (made) => {
        const query = linkQuery(made);
        const nothing = made.recording.length + made.selection.length === 0 && made.view === undefined;
        expect(parseLinkQuery(query)).toEqual(nothing ? undefined : made);
        // The editor hands a query over with its escapes undone once.
        const address = new URL(`vscode://iolens.iolens/select?${encodeURI(query).replaceAll('#', '%23')}`);
        expect(decodeURIComponent(address.search.slice(1))).toBe(query);
      }),
      { numRuns: rounds(500) },
    ));

  test('can be read and written by people', () => {
    const selection: SelectionPart[] = [
      { kind: 'line', file: '/w/heat.c', line: 22 },
      { kind: 'rank', rank: 3 },
      { kind: 'insight', code: 'P06' },
      { kind: 'span', fromNs: 1000, toNs: 2500 },
    ];
    const query = 'recording=/w/a.strace&view=graph&line=/w/heat.c:22&rank=3&code=P06&span=1000-2500';
    expect(linkQuery({ recording: ['/w/a.strace'], view: 'graph', selection })).toBe(query);
    expect(parseLinkQuery(query)).toEqual({ recording: ['/w/a.strace'], view: 'graph', selection });
    const activity = 'activity=write:/scratch;call+path:2;file;own;';
    expect(linkQuery(parseLinkQuery(activity)!)).toBe(activity);
  });

  test.each([
    '',
    'line',
    'line=/w/a.c',
    'line=/w/a.c:-1',
    'line=/w/a.c:1e3',
    'line=:3',
    'rank=three',
    'rank=1&unknown=2',
    'rank=99999999999999999999',
    'view=settings',
    'view=command:workbench.action.quit',
    'recording=heat.strace',
    'recording=../heat.strace',
    'recording=/w/../etc/passwd',
    'recording=/w/%2E%2E/etc/passwd',
    'recording=//server/share/a.strace',
    'recording=\\\\server\\share\\a.strace',
    'recording=https://example.org/a.strace',
    'recording=file:///etc/passwd',
    'recording=vscode-remote://ssh/w/a',
    'recording=/w/a%00.strace',
    'recording=/w/a%0A.strace',
    'activity=write;call;file;own',
    'activity=write;call;host;own;',
    'activity=write;call;file;none;',
    'activity=write;call;file;own;;$X',
    'edge=a;b',
    'span=5-3',
    'span=NaN-Infinity',
    'span=0x1-0x2',
    'process=n1',
    'process=n1;x',
    `call=${'a'.repeat(5_000)}`,
    `call=${'a'.repeat(20_000)}`,
    Array.from({ length: 20 }, () => 'rank=1').join('&'),
    Array.from({ length: 70 }, (_, i) => `recording=/w/${i}`).join('&'),
  ])('that makes no sense is none: %s', (query) => expect(parseLinkQuery(query)).toBeUndefined());

  test('of any text does no harm', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('linerakcodspg=&;:/.%-0123456789\0\\')), maxLength: 80 }),
        (query) => {
          const found = parseLinkQuery(query);
          for (const file of found?.recording ?? []) expect(file).toMatch(/^\/(?!\/)/);
          if (found !== undefined) expect(parseLinkQuery(linkQuery(found))).toEqual(found);
        },
      ),
      { numRuns: rounds(2_000) },
    ));
});
