import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extentOf, placeAccesses, type PlacedAccesses } from './access-axis.ts';
import type { CellRule } from './access-categories.ts';
import { accessGrid } from './access-grid.ts';
import type { FileAccesses } from './file-accesses.ts';
import { nearestAccess } from './nearest-access.ts';
import { DEFAULT_OFFSET_CHOICES } from '../../features/offsets/protocol.ts';
import { MARK, MOST_CELLS, NOT_TOUCHED, type OffsetArea, type OffsetWindow } from './offsets.ts';
import { orderByStart } from './order-by-start.ts';
import { writtenOver } from './written-over.ts';

interface Access {
  readonly start: number;
  readonly duration: number;
  readonly offset: number;
  readonly bytes: number;
  readonly process: number;
  readonly marks: number;
}

function columnsOf(list: readonly Access[]): FileAccesses {
  const integers = (of: (access: Access, i: number) => number): Int32Array => Int32Array.from(list, of);
  const numbers = (of: (access: Access) => number): Float64Array => Float64Array.from(list, of);
  return {
    length: list.length,
    event: integers((_, i) => i),
    start: numbers(({ start }) => start),
    duration: numbers(({ duration }) => duration),
    offset: numbers(({ offset }) => offset),
    bytes: numbers(({ bytes }) => bytes),
    bytesAgain: numbers(({ bytes, marks }) => ((marks & MARK.again) === 0 ? 0 : bytes)),
    marks: Uint8Array.from(list, ({ marks }) => marks),
    stream: integers(({ process }) => process),
    process: integers(({ process }) => process),
    stack: integers(() => -1),
    call: integers(() => 0),
    unplaced: { accesses: 0, bytes: 0 },
    untimed: 0,
    maps: 0,
    isCompared: true,
  };
}

const access: fc.Arbitrary<Access> = fc.record({
  start: fc.nat(60),
  duration: fc.oneof(fc.nat(25), fc.constant(NaN)),
  offset: fc.nat(60),
  bytes: fc.integer({ min: 1, max: 25 }),
  process: fc.nat(3),
  marks: fc.constantFrom(MARK.read, MARK.write, MARK.read | MARK.again, MARK.write | MARK.over),
});
const accesses = fc.array(access, { maxLength: 25 });
const area: fc.Arbitrary<OffsetArea> = fc
  .tuple(fc.nat(50), fc.integer({ min: 1, max: 40 }), fc.nat(50), fc.integer({ min: 1, max: 40 }))
  .map(([from, wide, fromByte, high]) => ({ from, to: from + wide, fromByte, toByte: fromByte + high }));
const LABELS = ['0', '1', '2', '3'];

/** The whole of what is placed lies in the area that is looked at. */
function gridOf(placed: PlacedAccesses, rule: CellRule, at: OffsetArea, columns: number, rows: number): OffsetWindow {
  return accessGrid(placed, { labels: LABELS, rule }, { area: at, extent: at, columns, rows });
}

function place(list: readonly Access[], choices: Partial<typeof DEFAULT_OFFSET_CHOICES> = {}, only = -1) {
  const columns = columnsOf(list);
  return placeAccesses(columns, { ...DEFAULT_OFFSET_CHOICES, ...choices }, Uint8Array.from(columns.process), only);
}

/** Whether [begin, end) and [from, to) have more than nothing in common; what takes no time is a point. */
function meets(begin: number, end: number, from: number, to: number): boolean {
  return begin === end ? from <= begin && begin < to : begin < to && from < end;
}

describe('cells', () => {
  test('hold what a look at every access and every cell finds', () =>
    fc.assert(
      fc.property(
        accesses,
        area,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (list, at, columns, rows) => {
          const grid = gridOf(place(list), 'most', at, columns, rows);
          // Powers of two and small numbers: no rounding stands between the two ways.
          for (let row = 0; row < rows; row++) {
            for (let column = 0; column < columns; column++) {
              const edge = (from: number, to: number, part: number, parts: number): number =>
                from + ((to - from) * part) / parts;
              const inside = list.filter(({ start, duration, offset, bytes }) => {
                const end = start + (duration > 0 ? duration : 0);
                const near = 1e-9;
                return (
                  meets(start, end, at.from, at.to) &&
                  meets(offset, offset + bytes, at.fromByte, at.toByte) &&
                  (start === end
                    ? meets(
                        start,
                        end,
                        edge(at.from, at.to, column, columns) - near,
                        edge(at.from, at.to, column + 1, columns) - near,
                      )
                    : meets(
                        start,
                        end,
                        edge(at.from, at.to, column, columns) + near,
                        edge(at.from, at.to, column + 1, columns) - near,
                      )) &&
                  meets(
                    offset,
                    offset + bytes,
                    edge(at.fromByte, at.toByte, row, rows) + near,
                    edge(at.fromByte, at.toByte, row + 1, rows) - near,
                  )
                );
              });
              const cell = row * columns + column;
              expect(grid.touches[cell]).toBe(inside.length);
              expect(grid.marks[cell]).toBe(inside.reduce((marks, each) => marks | each.marks, 0));
              const counts = LABELS.map((_, process) => inside.filter((each) => each.process === process).length);
              const most = counts.indexOf(Math.max(...counts));
              expect(grid.category[cell]).toBe(inside.length === 0 ? NOT_TOUCHED : most);
            }
          }
        },
      ),
    ));

  test('the last category wins where it matters, and directions mix', () => {
    const list = [
      { start: 0, duration: 4, offset: 0, bytes: 4, process: 0, marks: MARK.read },
      { start: 0, duration: 4, offset: 0, bytes: 4, process: 0, marks: MARK.read },
      { start: 0, duration: 2, offset: 0, bytes: 4, process: 3, marks: MARK.write },
    ];
    const at = { from: 0, to: 4, fromByte: 0, toByte: 4 };
    expect([...gridOf(place(list), 'last', at, 2, 1).category]).toEqual([3, 0]);
    expect([...gridOf(place(list), 'most', at, 2, 1).category]).toEqual([0, 0]);
    expect([...gridOf(place(list), 'direction', at, 2, 1).category]).toEqual([2, 0]);
  });

  test('margins, categories and regions add up to the bytes of the area', () =>
    fc.assert(
      fc.property(
        accesses,
        area,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (list, at, columns, rows) => {
          const grid = gridOf(place(list), 'most', at, columns, rows);
          const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);
          const inside = (direction: number): number =>
            sum(
              list
                .filter(({ marks }) => (marks & direction) !== 0)
                .map(({ start, duration, offset, bytes }) => {
                  const end = start + (duration > 0 ? duration : 0);
                  if (!meets(start, end, at.from, at.to)) return 0;
                  const high = Math.max(0, Math.min(offset + bytes, at.toByte) - Math.max(offset, at.fromByte));
                  return end > start
                    ? (high * (Math.min(end, at.to) - Math.max(start, at.from))) / (end - start)
                    : high;
                }),
            );
          expect(sum(grid.readOverTime)).toBeCloseTo(inside(MARK.read), 6);
          expect(sum(grid.readOverFile)).toBeCloseTo(inside(MARK.read), 6);
          expect(sum(grid.writtenOverTime)).toBeCloseTo(inside(MARK.write), 6);
          expect(sum(grid.writtenOverFile)).toBeCloseTo(inside(MARK.write), 6);
          expect(sum(grid.categories.map(({ bytes }) => bytes))).toBeCloseTo(inside(MARK.read) + inside(MARK.write), 6);
          expect(sum(grid.categories.map((each) => each.accesses))).toBe(grid.accesses);
          expect(grid.regions.length).toBeLessThanOrEqual(12);
          for (const { fromByte, toByte } of grid.regions) {
            expect(fromByte).toBeGreaterThanOrEqual(at.fromByte);
            expect(toByte).toBeLessThanOrEqual(at.toByte);
          }
        },
      ),
    ));

  test('bytes over the file are those of each byte', () => {
    const list = [{ start: 0, duration: 0, offset: 3, bytes: 10, process: 0, marks: MARK.write }];
    const at = { from: 0, to: 1, fromByte: 0, toByte: 16 };
    const { writtenOverFile } = gridOf(place(list), 'most', at, 1, 4);
    [1, 4, 4, 1].forEach((bytes, row) => expect(writtenOverFile[row]).toBeCloseTo(bytes, 9));
  });

  test('directions, one category, and the order as an axis', () => {
    const list = [
      { start: 50, duration: 1, offset: 0, bytes: 1, process: 0, marks: MARK.read },
      { start: 60, duration: 1, offset: 8, bytes: 1, process: 1, marks: MARK.write },
      { start: NaN, duration: NaN, offset: 15, bytes: 1, process: 1, marks: MARK.write },
    ];
    expect(extentOf(place(list))).toEqual({ from: 50, to: 61, fromByte: 0, toByte: 9 });
    expect(extentOf(place(list, { directions: 'write' }))).toEqual({ from: 60, to: 61, fromByte: 8, toByte: 9 });
    expect(extentOf(place(list, {}, 0))).toEqual({ from: 50, to: 51, fromByte: 0, toByte: 1 });
    expect(extentOf(place(list, { axis: 'order' }))).toEqual({ from: 0, to: 3, fromByte: 0, toByte: 16 });
    expect(extentOf(place([]))).toEqual({ from: 0, to: 1, fromByte: 0, toByte: 1 });
  });

  test('no more cells than anybody can look at', () => {
    const at = { from: 0, to: 1, fromByte: 0, toByte: 1 };
    for (const [columns, rows] of [
      [0, 1],
      [1.5, 1],
      [MOST_CELLS, 1],
      [2048, 2048],
    ] as const)
      expect(() => gridOf(place([]), 'most', at, columns, rows)).toThrow(RangeError);
  });
});

test('the access at a point is the one on top, else the nearest within reach', () => {
  const reach = { position: 3, bytes: 3 };
  fc.assert(
    fc.property(accesses, fc.nat(90), fc.nat(90), (list, position, byte) => {
      const far = list.map(({ start, duration, offset, bytes }) => {
        const end = start + (duration > 0 ? duration : 0);
        const along = Math.max(start - position, position - end, 0);
        const across = Math.max(offset - byte, byte - (offset + bytes - 1), 0);
        return Math.max(along, across);
      });
      const least = Math.min(...far);
      const found = nearestAccess(place(list), position, byte, reach);
      if (least > 3) expect(found).toBeUndefined();
      else {
        expect(found?.access).toBe(far.lastIndexOf(least));
        expect(found?.others).toBe(far.filter((each) => each === least).length - 1);
      }
    }),
  );
});

test('writes over what another process wrote last, as by marking every byte', () => {
  const write = fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 20 }), fc.nat(2));
  fc.assert(
    fc.property(fc.array(write, { maxLength: 40 }), (writes) => {
      const owner = new Map<number, number>();
      const expected = writes.map(([offset, bytes, process]) => {
        let isOver = 0;
        for (let byte = offset; byte < offset + bytes; byte++) {
          if ((owner.get(byte) ?? process) !== process) isOver = 1;
          owner.set(byte, process);
        }
        return isOver;
      });
      const found = writtenOver({
        length: writes.length,
        offset: writes.map(([offset]) => offset),
        bytes: writes.map(([, bytes]) => bytes),
        process: writes.map(([, , process]) => process),
      });
      expect([...found]).toEqual(expected);
    }),
  );
});

test('places by start: equal ones as they stand, unknown ones behind the one before', () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(20), fc.constant(NaN)), { maxLength: 60 }), (starts) => {
      let last = -Infinity;
      const keys = starts.map((start) => (last = Number.isNaN(start) ? last : start));
      const expected = starts.map((_, i) => i).sort((a, b) => (keys[a] === keys[b] ? a - b : keys[a]! - keys[b]!));
      expect([...orderByStart(Float64Array.from(starts))]).toEqual(expected);
    }),
  ));
