import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { compareOutcomes } from './compare-outcomes.ts';
import type { Content, Outcome } from './outcome.ts';

function content(text: string | Uint8Array, isKept = true): Content {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'file', size: bytes.length, hash, bytes: isKept ? bytes : undefined };
}

function outcome(files: Record<string, Content | string>, output = '', end = 'exit status 0'): Outcome {
  const all = Object.entries(files).map(
    ([name, file]) => [name, typeof file === 'string' ? content(file) : file] as const,
  );
  return { end, output: content(output), errors: content(''), files: new Map(all), grown: 0 };
}

const SAME = { differences: [], varying: [], uncompared: [] };

test('the same is the same', () => {
  const one = outcome({ a: 'x\n' }, 'done\n');
  expect(compareOutcomes([one, one], [one, one])).toEqual(SAME);
});

describe('a difference is told', () => {
  const before = outcome({ a: 'one\n', b: 'two\n' }, 'done\n');
  test.each([
    [
      'how it ends',
      outcome({ a: 'one\n', b: 'two\n' }, 'done\n', 'ended by SIGSEGV'),
      'exit status 0 before, ended by SIGSEGV after',
    ],
    ['output', outcome({ a: 'one\n', b: 'two\n' }, 'gone\n'), 'standard output: other bytes from byte 0 on'],
    ['a file is shorter', outcome({ a: 'one', b: 'two\n' }, 'done\n'), 'a: 4 bytes before, 3 after'],
    ['a byte', outcome({ a: 'onE\n', b: 'two\n' }, 'done\n'), 'a: other bytes from byte 2 on'],
    ['a file is missing', outcome({ a: 'one\n' }, 'done\n'), 'b: written before the change only'],
    ['a file is new', outcome({ a: 'one\n', b: 'two\n', c: '' }, 'done\n'), 'c: written after the change only'],
    ['of a large file', outcome({ a: 'one\n', b: content('twO\n', false) }, 'done\n'), 'b: other bytes'],
  ])('%s, also in the last run only', (_what, after, words) => {
    expect(compareOutcomes([before, before], [before, after])).toEqual({ ...SAME, differences: [words] });
  });
});

describe('what varies by itself', () => {
  test('in a line is left out, and nothing else', () => {
    const runs = ['t=1\na\nb\nc\n', 't=2\na\nb\nc\n'].map((text) => outcome({}, text));
    const fine = compareOutcomes(runs, [outcome({}, 't=3\na\nb\nc\n')]);
    expect(fine.differences).toEqual([]);
    expect(fine.varying).toEqual(['standard output: 1 line of 4 differs between two runs of the original']);
    const wrong = compareOutcomes(runs, [outcome({}, 't=3\na\nB\nc\n')]);
    expect(wrong.differences).toEqual(['standard output: differs beyond what varies by itself']);
    expect(compareOutcomes(runs, [outcome({}, 't=3\na\nb\n')]).differences).toHaveLength(1);
  });

  test('in a binary file is left out with what stands around it', () => {
    const file = (stamp: number, last = 0): Outcome => {
      const bytes = new Uint8Array(1000);
      bytes[100] = stamp;
      bytes[999] = last;
      return outcome({ 'data.h5': content(bytes) });
    };
    const runs = [file(1), file(2)];
    expect(compareOutcomes(runs, [file(3)]).differences).toEqual([]);
    expect(compareOutcomes(runs, [file(3, 1)]).differences).toHaveLength(1);
  });

  test('the order of lines does not count where it never was the same', () => {
    const runs = ['a\nb\nc\n', 'c\nb\na\n'].map((text) => outcome({}, text));
    expect(compareOutcomes(runs, [outcome({}, 'b\na\nc\n')]).differences).toEqual([]);
    expect(compareOutcomes(runs, [outcome({}, 'b\na\nd\n')]).differences).toHaveLength(1);
  });

  test('and cannot be told from the rest is not compared, and that is said', () => {
    const large = [outcome({ a: content('x', false) }), outcome({ a: content('y', false) })];
    expect(compareOutcomes(large, large)).toEqual({
      ...SAME,
      uncompared: ['a differs between two runs of the original'],
    });
  });

  test('in the only line is left out by its words', () => {
    const runs = ['done at 17:03 with sum 42\n', 'done at 18:11 with sum 42\n'].map((text) => outcome({}, text));
    const fine = compareOutcomes(runs, [outcome({}, 'done at 19:59 with sum 42\n')]);
    expect([fine.differences, fine.uncompared]).toEqual([[], []]);
    expect(fine.varying[0]).toContain('words of');
    expect(compareOutcomes(runs, [outcome({}, 'done at 19:59 with sum 43\n')]).differences).toHaveLength(1);
  });
});

describe('names that are others in each run', () => {
  test.each([
    ['numbers', ['log.1', 'log.22'], 'log.77', 'log.#'],
    ['random letters', ['out/run-a3f9.id', 'out/run-b1cc.id'], 'out/run-ffff.id', 'out/run-####.id'],
  ])('by %s: what they hold is compared', (_what, [first, second], third, kind) => {
    const runs = [outcome({ [first!]: 'x', same: 'y' }), outcome({ [second!]: 'x', same: 'y' })];
    expect(compareOutcomes(runs, [outcome({ [third]: 'x', same: 'y' })])).toEqual({
      ...SAME,
      varying: [`${kind} has another name in each run of the original, and the same contents`],
    });
    const differences = [`${kind}: other files, or other contents`];
    expect(compareOutcomes(runs, [outcome({ [third]: 'z', same: 'y' })]).differences).toEqual(differences);
    expect(compareOutcomes(runs, [outcome({ same: 'y' })]).differences).toEqual(differences);
    const others = [outcome({ [first!]: 'x' }), outcome({ [second!]: 'xx' })];
    expect(compareOutcomes(others, [outcome({ [third]: 'z' })])).toEqual({
      ...SAME,
      uncompared: [`${kind} has another name in each run of the original`],
    });
  });

  test('are no excuse for a file that only the change writes', () => {
    const runs = [outcome({ 'run-a3f9.id': 'x' }), outcome({ 'run-b1cc.id': 'x' })];
    const after = outcome({ 'run-ffff.id': 'x', 'lost.id': 'x' });
    expect(compareOutcomes(runs, [after]).differences).toEqual(['lost.id: written after the change only']);
  });
});
