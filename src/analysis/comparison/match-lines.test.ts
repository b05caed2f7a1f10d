import { describe, expect, it } from 'vitest';
import { matchLines } from './match-lines.ts';
import type { LineFacts } from './run-facts.ts';

function line(number: number, more: Partial<LineFacts> = {}): LineFacts {
  return {
    recordedFile: '/src/heat.c',
    file: '/src/heat.c',
    isHere: true,
    line: number,
    function: 'emit',
    module: '/src/heat',
    isCurrent: true,
    text: `statement ${number};`,
    callers: ['main'],
    calls: { write: 1 },
    kind: 'write',
    events: 1,
    bytes: 1,
    timeNs: 1,
    ...more,
  };
}

/** Nothing is known of the text: the sources are not here, or were edited since. */
const unseen = { text: '', isCurrent: false, isHere: false };

function matched(base: LineFacts[], changed: LineFacts[]): string[] {
  return matchLines(base, changed).lines.map(
    (pair) => `${base[pair.base]!.line} → ${changed[pair.new]!.line} ${pair.match}`,
  );
}

describe('by text', () => {
  it('a line that moved is found', () =>
    expect(
      matched([line(10, { text: 'a' }), line(12, { text: 'b' })], [line(30, { text: 'b' }), line(10, { text: 'a' })]),
    ).toEqual(['10 → 10 same line', '12 → 30 moved']));

  it('two lines of one text keep their order', () => {
    const same = { text: 'write(fd, p, n);' };
    expect(matched([line(10, same), line(12, same)], [line(22, same), line(20, same)])).toEqual([
      '10 → 20 moved',
      '12 → 22 moved',
    ]);
  });

  it('of two that one could be, neither is taken', () => {
    const same = { text: 'write(fd, p, n);', isCurrent: false };
    expect(matched([line(10, same)], [line(20, same), line(22, same)])).toEqual([]);
  });

  it('callers tell lines of one text apart', () => {
    const text = 'write(fd, p, n);';
    const base = [line(10, { text, callers: ['a'] }), line(12, { text, callers: ['b'] })];
    const changed = [
      line(20, { text, callers: ['b'] }),
      line(22, { text, callers: ['a'] }),
      line(24, { text, callers: ['c'] }),
    ];
    expect(matched(base, changed)).toEqual(['10 → 22 moved', '12 → 20 moved']);
  });
});

describe('without texts', () => {
  it('calls and callers tell lines apart', () => {
    const base = [line(10, unseen), line(12, { ...unseen, calls: { read: 5 }, kind: 'read' })];
    const changed = [line(10, { ...unseen, calls: { read: 2 }, kind: 'read' }), line(11, unseen)];
    expect(matched(base, changed)).toEqual(['10 → 11 moved', '12 → 10 moved']);
  });

  it('lines that do the same keep their order when there are as many', () => {
    expect(matched([line(10, unseen), line(12, unseen)], [line(13, unseen), line(15, unseen)])).toEqual([
      '10 → 13 moved',
      '12 → 15 moved',
    ]);
    expect(matched([line(10, unseen), line(12, unseen)], [line(10, unseen)])).toEqual([]);
  });
});

it('the only line of a kind in its function is the one whose text was changed', () => {
  const base = [
    line(10, { text: 'write(fd, p, 100)' }),
    line(11, { calls: { openat: 1 }, kind: 'open', text: 'open' }),
  ];
  const changed = [line(14, { text: 'fwrite(p, 1, 100, f)', calls: { write: 3 } })];
  expect(matched(base, changed)).toEqual(['10 → 14 same function']);
  // Texts that differ prove that it is another line: two of them could be meant.
  expect(
    matched([line(10, { text: 'a', isCurrent: false })], [line(10, { text: 'b' }), line(12, { text: 'c' })]),
  ).toEqual([]);
});

it('lines of the file as it stands now are the same where their numbers are', () => {
  // The base was recorded at a known revision: its changed line stands for its successor.
  expect(matched([line(14, { text: '' }), line(20, { text: '' })], [line(20), line(14)])).toEqual([
    '14 → 14 same line',
    '20 → 20 same line',
  ]);
});

describe('functions', () => {
  const functions = (base: LineFacts[], changed: LineFacts[]): string[] =>
    matchLines(base, changed).functions.map(({ match }) => match);

  it('are found in a renamed folder, and in a renamed file', () => {
    const there = { recordedFile: '/other/src/heat.c', file: '/other/src/heat.c' };
    expect(functions([line(1)], [line(1, there)])).toEqual(['same path below the working folder']);
    const renamed = { recordedFile: '/src/heat-fixed.c', file: '/src/heat-fixed.c' };
    const both = [line(1, renamed), line(9, { recordedFile: '/src/other.c', function: 'other' })];
    expect(functions([line(1), line(9, { recordedFile: '/src/other.c', function: 'other' })], both)).toEqual([
      'same path',
      'same name of the function',
    ]);
  });

  it('are found under another name by what their lines say, where only one says it', () => {
    const renamed = { function: 'put' };
    expect(functions([line(1), line(3)], [line(11, { ...renamed, text: 'statement 1;' }), line(3, renamed)])).toEqual(
      [],
    );
    const [first, second] = [
      line(11, { ...renamed, text: 'statement 1;' }),
      line(13, { ...renamed, text: 'statement 3;' }),
    ];
    expect(functions([line(1), line(3)], [first, second])).toEqual(['same lines of the function']);
    expect(matched([line(1), line(3)], [first, second])).toEqual(['1 → 11 moved', '3 → 13 moved']);
    // One more line is another function; a text that is not known proves nothing; two that say it are none.
    expect(functions([line(1)], [first, second])).toEqual([]);
    expect(functions([line(1, unseen)], [line(1, { ...unseen, ...renamed })])).toEqual([]);
    expect(functions([line(1)], [first, { ...first, function: 'get' }])).toEqual([]);
    expect(functions([line(1)], [{ ...first, recordedFile: '/src/other.c' }, line(5, { function: 'main' })])).toEqual(
      [],
    );
  });

  it('are not found by a name that several have', () => {
    const renamed = { recordedFile: '/src/a.c' };
    const twice = [
      line(1, renamed),
      line(1, { recordedFile: '/src/b.c' }),
      line(2, { recordedFile: '/src/c.c', function: 'x' }),
    ];
    const base = [line(1), line(2, { recordedFile: '/src/c.c', function: 'x' })];
    expect(functions(base, twice)).toEqual(['same path']);
  });

  it('are the same whether or not the compiler copied them, and without debug information', () => {
    const bare = { recordedFile: '', file: '', line: 0, ...unseen };
    expect(matched([line(0, bare)], [line(12, { function: 'emit.constprop.0' })])).toEqual(['0 → 12 same function']);
  });
});
