import { describe, expect, test } from 'vitest';
import { eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { inheritStacks } from './inherit-stacks.ts';
import { LayerTree } from './layer-tree.ts';

const [READ, WRITE, OPEN] = [0, 1, 2];
const KiB = 1024;
const row = (layer: MadeEvent['layer'], parent: number, more: Partial<MadeEvent> = {}): MadeEvent => ({
  ...{ stream: 0, start: 0, duration: 10, call: WRITE, file: 0, bytes: KiB, parent, stack: NONE, flags: 0 },
  ...(layer && { layer }),
  link: parent === NONE ? 'none' : 'nesting',
  ...more,
});

function traceOf(rows: readonly MadeEvent[]): Trace {
  return eventTrace([{}], ['/a'], rows.length, (event, at) => {
    Object.assign(event, rows[at]);
  });
}

/** H5Dwrite → MPI_File_write_at_all → (pread, two pwrites → a system call each); a write of POSIX beside it. */
const ROWS: readonly MadeEvent[] = [
  row('HDF5', NONE, { stack: 7 }),
  row('MPI-IO', 0, { duration: 8 }),
  row('POSIX', 1, { call: READ, bytes: 3 * KiB }),
  row('POSIX', 1, { duration: NaN }),
  row('POSIX', NONE),
  row('POSIX', 1, { stack: 4 }),
  row('system call', 3),
  row('system call', 5, { bytes: KiB }),
  row('system call', 0, { call: OPEN, bytes: 99 }),
  row('system call', 7, { flags: EVENT_FLAGS.part, link: 'part' }),
];

describe('the tree of layers', () => {
  const tree = LayerTree.of(traceOf(ROWS));

  test('leads down to the calls that a call made', () => {
    expect([...tree.childrenOf(0)]).toEqual([1, 8]);
    expect([...tree.childrenOf(1)]).toEqual([2, 3, 5]);
    expect([...tree.childrenOf(7)]).toEqual([]);
    const below: number[] = [];
    tree.forEachBelow(0, (each) => below.push(each));
    expect(below).toEqual([1, 2, 3, 6, 5, 7, 8]);
  });

  test('and up to the program’s own', () => {
    expect(tree.ancestorsOf(7)).toEqual([5, 1, 0]);
    expect(tree.outermostOf(7)).toBe(0);
    expect(tree.outermostOf(4)).toBe(4);
    expect(tree.linkOf(7)).toBe('nesting');
    expect(tree.parentOf(9)).toBe(NONE);
  });

  test('says what a call became, layer by layer', () => {
    const named = tree.amountsBelow(0).map(({ layer, ...amount }) => ({ layer: LAYERS[layer], ...amount }));
    expect(named).toEqual([
      { layer: 'MPI-IO', calls: 1, own: 0, bytes: KiB, timeNs: 8 },
      { layer: 'POSIX', calls: 3, own: 0, bytes: 5 * KiB, timeNs: 20 },
      // What an open returns are no bytes that were moved.
      { layer: 'system call', calls: 3, own: 0, bytes: 2 * KiB, timeNs: 30 },
    ]);
    expect(tree.amountsBelow(4)).toEqual([]);
  });

  test('of recordings of one layer is empty', () => {
    const flat = LayerTree.of(traceOf([row('POSIX', NONE), row('POSIX', NONE)]));
    expect(flat.hasLinks).toBe(false);
    expect([...flat.childrenOf(1)]).toEqual([]);
    expect(flat.parentOf(1)).toBe(NONE);
  });

  test('ends where damaged links lead round in a circle, or out of the table', () => {
    const circle = LayerTree.of(traceOf([row('MPI-IO', 1), row('POSIX', 0), row('POSIX', 77)]));
    expect(circle.ancestorsOf(0).length).toBe(64);
    const below: number[] = [];
    circle.forEachBelow(0, (each) => below.push(each));
    expect(below).toEqual([1, 0]);
    expect(circle.parentOf(2)).toBe(NONE);
  });
});

describe('calls without a stack', () => {
  test('have that of the nearest call above them that has one', () => {
    const trace = traceOf(ROWS);
    const withStacks = { ...trace, capabilities: { ...trace.capabilities, stacks: true } };
    expect(inheritStacks(withStacks)).toBe(6);
    const stacks = ROWS.map((_, at) => trace.events.value('stack', at));
    expect(stacks).toEqual([7, 7, 7, 7, NONE, 4, 7, 4, 7, NONE]);
  });

  test('stay without where links lead round in a circle', () => {
    const trace = traceOf([row('MPI-IO', 1), row('POSIX', 0)]);
    expect(inheritStacks({ ...trace, capabilities: { ...trace.capabilities, stacks: true } })).toBe(0);
  });
});
