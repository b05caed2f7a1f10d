import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallPlace, CallTree } from '../../analysis/call-tree/call-tree.ts';
import { thinTree } from '../../analysis/call-tree/thin-tree.ts';
import { flameBlocks } from './flame-blocks.ts';
import { lineOf, onlyMatching, withoutLibraryInsides } from './shown-tree.ts';
import { Ways, type Way } from './ways.ts';

const KINDS = ['program', 'library', 'call'] as const;
const place = (name: string, kind: CallPlace['kind']): CallPlace => ({
  ...{ name, kind, operation: '', isHere: false, module: `/${kind}` },
  file: kind === 'program' ? `/src/${name}.c` : '',
});

/** Any tree: few places, so that recursion and equal ways are common. */
const trees = fc
  .array(
    fc.record({ above: fc.nat(), place: fc.nat({ max: 6 }), line: fc.nat({ max: 2 }), calls: fc.nat({ max: 9 }) }),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((nodes): CallTree => {
    const calls = [0, ...nodes.map((node) => node.calls)];
    return {
      places: [place('all', 'rest'), ...'abcdefg'.split('').map((name, at) => place(name, KINDS[at % 3]!))],
      parent: [-1, ...nodes.map(({ above }, at) => above % (at + 1))],
      place: [0, ...nodes.map((node) => node.place + 1)],
      line: [0, ...nodes.map((node) => node.line)],
      ...{ calls, bytes: calls.map((each) => each * 10), timeNs: calls.map((each) => each * 7) },
      ...{ times: 'recorded', hasStacks: true },
    };
  });

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** The stacks of a tree, outermost first, as somebody would write them down one by one. */
function stacksOf(tree: CallTree): { stack: number[]; calls: number }[] {
  return tree.parent.map((_, node) => {
    const stack: number[] = [];
    for (let at = node; at > 0; at = tree.parent[at]!) stack.unshift(tree.place[at]!);
    return { stack, calls: tree.calls[node]! };
  });
}

/** What every way in a tree of ways amounts to, by the places that lead to it. */
function amounts(way: Way, path: readonly number[] = [], found = new Map<string, number>()): Map<string, number> {
  for (const next of way.next) {
    const here = [...path, next.place];
    found.set(here.join(' '), next.total);
    amounts(next, here, found);
  }
  return found;
}

/** The same counted stack by stack. */
function counted(stacks: readonly { stack: readonly number[]; calls: number }[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { stack, calls } of stacks) {
    if (calls === 0) continue;
    for (let end = 1; end <= stack.length; end++) {
      const key = stack.slice(0, end).join(' ');
      found.set(key, (found.get(key) ?? 0) + calls);
    }
  }
  return found;
}

const LOOK = { measure: 'calls', byLine: false } as const;

describe('ways through a call tree', () => {
  test('downwards they amount to what counting stack by stack gives', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const ways = new Ways(tree, LOOK);
        expect(amounts(ways.root)).toEqual(counted(stacksOf(tree)));
        expect(ways.total).toBe(sum(tree.calls));
      }),
    );
  });

  test('inverted they amount to what counting reversed stacks gives', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const reversed = stacksOf(tree).map(({ stack, calls }) => ({ stack: stack.toReversed(), calls }));
        expect(amounts(new Ways(tree, LOOK).inverted)).toEqual(counted(reversed));
      }),
    );
  });

  test('around one place: from its outermost frame inwards and outwards', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (tree, any) => {
        const node = 1 + (any % (tree.parent.length - 1));
        const wanted = tree.place[node]!;
        const through = stacksOf(tree).filter(({ stack }) => stack.includes(wanted));
        const inwards = through.map(({ stack, calls }) => ({ stack: stack.slice(stack.indexOf(wanted) + 1), calls }));
        const outwards = through.map(({ stack, calls }) => ({
          stack: stack.slice(0, stack.indexOf(wanted)).toReversed(),
          calls,
        }));
        const ways = new Ways(tree, LOOK);
        expect(amounts(ways.calleesOf(node))).toEqual(counted(inwards));
        expect(amounts(ways.callersOf(node))).toEqual(counted(outwards));
        expect(ways.calleesOf(node).total).toBe(sum(through.map(({ calls }) => calls)));
      }),
    );
  });

  test('a function counts once in each stack, however often it stands there', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { place: of, total, self } of new Ways(tree, LOOK).functions) {
          const stacks = stacksOf(tree);
          expect(total).toBe(sum(stacks.filter(({ stack }) => stack.includes(of)).map(({ calls }) => calls)));
          expect(self).toBe(sum(stacks.filter(({ stack }) => stack.at(-1) === of).map(({ calls }) => calls)));
        }
      }),
    );
  });

  test('lines of a function apart are together what it is', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const [by, apart] = [new Ways(tree, LOOK), new Ways(tree, { ...LOOK, byLine: true })];
        expect(sum(apart.root.next.map(({ total }) => total))).toBe(sum(by.root.next.map(({ total }) => total)));
        for (const { node, isOneLine } of by.root.next)
          expect(isOneLine).toBe(new Set(tree.line.filter((_, at) => isFirst(tree, at, node))).size === 1);
      }),
    );
  });
});

function isFirst(tree: CallTree, at: number, node: number): boolean {
  return tree.parent[at] === 0 && tree.place[at] === tree.place[node];
}

describe('a tree as it is shown', () => {
  test('libraries without their insides lose no call, and call none of their own', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const shown = withoutLibraryInsides(tree);
        expect(sum(shown.calls)).toBe(sum(tree.calls));
        const kind = (node: number): string => shown.places[shown.place[node]!]!.kind;
        shown.parent.forEach((caller, node) => {
          if (caller >= 0 && ['library', 'call'].includes(kind(caller))) expect(kind(node)).not.toBe('library');
        });
      }),
    );
  });

  test('a search leaves the stacks that hold what is looked for', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const wanted = tree.places.findIndex(({ name }) => name === 'b');
        const holding = stacksOf(tree).filter(({ stack }) => stack.includes(wanted));
        expect(sum(onlyMatching(tree, 'B').calls)).toBe(sum(holding.map(({ calls }) => calls)));
      }),
    );
  });

  test('what is thinned keeps its sums, and its largest branches', () => {
    fc.assert(
      fc.property(trees, fc.integer({ min: 2, max: 20 }), (tree, most) => {
        const thin = thinTree(tree, most);
        for (const measure of ['calls', 'bytes', 'timeNs'] as const)
          expect(sum(thin[measure])).toBe(sum(tree[measure]));
        expect(thin.parent.length).toBeLessThanOrEqual(Math.max(tree.parent.length, 2 * most));
        thin.parent.forEach((caller, node) => expect(caller).toBeLessThan(node));
        const largest = (of: CallTree): number => new Ways(of, LOOK).root.next[0]?.total ?? 0;
        if (most > 8) expect(largest(thin)).toBe(largest(tree));
      }),
    );
  });

  test('blocks of a flame chart lie on what called them, beside each other', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const blocks = flameBlocks(new Ways(tree, LOOK).root, 0);
        for (const [at, { on, from, width, depth }] of blocks.entries()) {
          if (on < 0) continue;
          const below = blocks[on]!;
          expect(depth).toBe(below.depth + 1);
          expect(from).toBeGreaterThanOrEqual(below.from - 1e-9);
          expect(from + width).toBeLessThanOrEqual(below.from + below.width + 1e-9);
          const before = blocks.findLast((block, other) => other < at && block.depth === depth);
          if (before !== undefined) expect(from).toBeGreaterThanOrEqual(before.from + before.width - 1e-9);
        }
      }),
    );
  });

  test('a call leads to the line of the nearest function that has one', () => {
    const tree: CallTree = {
      places: [place('all', 'rest'), place('main', 'program'), place('lib', 'library'), place('write', 'call')],
      ...{ parent: [-1, 0, 1, 2], place: [0, 1, 2, 3], line: [0, 42, 7, 0] },
      ...{ timeNs: [0, 0, 0, 1], bytes: [0, 0, 0, 1], calls: [0, 0, 0, 1], times: 'recorded', hasStacks: true },
    };
    expect(lineOf(tree, 3)).toEqual({ place: tree.places[1], line: 42 });
    expect(lineOf(tree, 0)).toBeUndefined();
  });
});
