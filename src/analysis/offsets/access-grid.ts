import type { AccessCategories, CellRule } from './access-categories.ts';
import { touches, type PlacedAccesses } from './access-axis.ts';
import { regionsOf } from './regions.ts';
import {
  MARK,
  MOST_CELLS,
  MOST_IN_A_LINE,
  NOT_TOUCHED,
  type OffsetArea,
  type OffsetCategory,
  type OffsetWindow,
} from './offsets.ts';

/** Regions of the table. */
const REGIONS = 12;
/** Files are divided at multiples of this, bytes, where the area is large enough for it. */
const REGION_GRAIN = 4096;

/**
 * Paints the accesses of an area into cells. Every access is the rectangle of its time and its bytes: when within the
 * call a byte was moved is not recorded. The work is one step for each access, however large it is, and one for each cell.
 *
 * @throws RangeError for more cells than anybody can look at.
 */
export function accessGrid(
  placed: PlacedAccesses,
  { labels, rule }: Pick<AccessCategories, 'labels' | 'rule'>,
  { area, extent, columns, rows }: Pick<OffsetWindow, 'area' | 'extent' | 'columns' | 'rows'>,
): OffsetWindow {
  checkSize(columns, rows);
  const painter = new Painter(placed, labels.length, area, columns, rows);
  const categories = labels.map((label) => ({ label, accesses: 0, bytes: 0 }));
  const painted = painter.paintAll(categories);
  return {
    area,
    extent,
    columns,
    rows,
    ...painter.cells(rule),
    ...painter.margins(),
    categories,
    ...painted,
    regions: regionsOf(placed, area, REGIONS, REGION_GRAIN),
  };
}

function checkSize(columns: number, rows: number): void {
  const isLength = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= MOST_IN_A_LINE;
  if (!isLength(columns) || !isLength(rows) || columns * rows > MOST_CELLS)
    throw new RangeError(`${columns} times ${rows} cells: at most ${MOST_CELLS} are drawn`);
}

type Counted = { -readonly [Name in keyof OffsetCategory]: OffsetCategory[Name] };

class Painter {
  /** Differences of counts, one grid for each category and each kind of mark; their sums are the counts. */
  private readonly byCategory: Int32Array[];
  private readonly marked: Record<keyof typeof MARK, Int32Array>;
  private readonly overTime: { readonly read: Margin; readonly write: Margin };
  private readonly overFile: { readonly read: Margin; readonly write: Margin };
  private readonly stride: number;

  constructor(
    private readonly placed: PlacedAccesses,
    categories: number,
    private readonly area: OffsetArea,
    private readonly columns: number,
    private readonly rows: number,
  ) {
    this.stride = columns + 1;
    const grid = (): Int32Array => new Int32Array((columns + 1) * (rows + 1));
    this.byCategory = Array.from({ length: categories }, grid);
    this.marked = { read: grid(), write: grid(), again: grid(), over: grid(), selected: grid() };
    const time = (): Margin => new Margin(area.from, area.to, columns);
    const file = (): Margin => new Margin(area.fromByte, area.toByte, rows);
    this.overTime = { read: time(), write: time() };
    this.overFile = { read: file(), write: file() };
  }

  /** @returns how many accesses touch the area, and are selected. */
  paintAll(categories: readonly Counted[]): Pick<OffsetWindow, 'accesses' | 'selected'> {
    const { placed, area } = this;
    const { accesses, category, isShown, isSelected } = placed;
    let [painted, selected] = [0, 0];
    for (let i = 0; i < accesses.length; i++) {
      if (!isShown(i) || !touches(placed, i, area)) continue;
      painted++;
      const isChosen = isSelected?.(i) === true;
      if (isChosen) selected++;
      const bytes = this.paint(i, isChosen ? MARK.selected : 0);
      const counted = categories[category[i]!]!;
      counted.accesses++;
      counted.bytes += bytes;
    }
    return { accesses: painted, selected: isSelected === undefined ? null : selected };
  }

  /** @returns bytes of the access that lie in the area, in both directions. The hot path: no list, no closure. */
  private paint(i: number, further: number): number {
    const { placed, area, columns, rows, stride, marked } = this;
    const { accesses, category } = placed;
    const begin = placed.from(i);
    const end = placed.to(i);
    const offset = accesses.offset[i]!;
    const behind = offset + accesses.bytes[i]!;
    const left = placeOf(begin, area.from, area.to, columns);
    const right = Math.max(left, lastPlaceOf(end, area.from, area.to, columns));
    const low = placeOf(offset, area.fromByte, area.toByte, rows);
    const high = Math.max(low, lastPlaceOf(behind, area.fromByte, area.toByte, rows));
    const lowLeft = low * stride + left;
    const highLeft = (high + 1) * stride + left;
    const wide = right + 1 - left;
    const marks = accesses.marks[i]! | further;
    const reads = (marks & MARK.read) !== 0;
    addBox(this.byCategory[category[i]!]!, lowLeft, highLeft, wide);
    addBox(reads ? marked.read : marked.write, lowLeft, highLeft, wide);
    if ((marks & MARK.again) !== 0) addBox(marked.again, lowLeft, highLeft, wide);
    if ((marks & MARK.over) !== 0) addBox(marked.over, lowLeft, highLeft, wide);
    if ((marks & MARK.selected) !== 0) addBox(marked.selected, lowLeft, highLeft, wide);
    const shareOfTime = end > begin ? (Math.min(end, area.to) - Math.max(begin, area.from)) / (end - begin) : 1;
    const inside = (Math.min(behind, area.toByte) - Math.max(offset, area.fromByte)) * shareOfTime;
    (reads ? this.overTime.read : this.overTime.write).add(begin, end, inside);
    (reads ? this.overFile.read : this.overFile.write).add(offset, behind, inside);
    return inside;
  }

  cells(rule: CellRule): Pick<OffsetWindow, 'category' | 'marks' | 'touches'> {
    const { columns, rows, stride, byCategory, marked } = this;
    for (const grid of [...byCategory, ...Object.values(marked)]) sumUp(grid, columns, rows);
    const category = new Uint8Array(columns * rows).fill(NOT_TOUCHED);
    const marks = new Uint8Array(columns * rows);
    const touched = new Uint16Array(columns * rows);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const from = row * stride + column;
        const cell = row * columns + column;
        const count = marked.read[from]! + marked.write[from]!;
        if (count === 0) continue;
        touched[cell] = Math.min(count, 0xffff);
        for (const [name, bit] of MARKS) if (marked[name][from]! > 0) marks[cell]! |= bit;
        category[cell] = rule === 'direction' ? directionOf(marks[cell]!) : choose(byCategory, from, rule);
      }
    }
    return { category, marks, touches: touched };
  }

  margins(): Pick<OffsetWindow, 'readOverTime' | 'writtenOverTime' | 'readOverFile' | 'writtenOverFile'> {
    const { overTime, overFile } = this;
    return {
      readOverTime: overTime.read.finish(),
      writtenOverTime: overTime.write.finish(),
      readOverFile: overFile.read.finish(),
      writtenOverFile: overFile.write.finish(),
    };
  }
}

/** Adds one to a box of counts, whose differences are kept: at its four corners only. */
function addBox(grid: Int32Array, lowLeft: number, highLeft: number, wide: number): void {
  grid[lowLeft]!++;
  grid[lowLeft + wide]!--;
  grid[highLeft]!--;
  grid[highLeft + wide]!++;
}

const MARKS = Object.entries(MARK) as [keyof typeof MARK, number][];

/** Categories of the rule `direction`: 0 reads, 1 writes, 2 both. */
function directionOf(marks: number): number {
  if ((marks & MARK.read) === 0) return 1;
  return (marks & MARK.write) === 0 ? 0 : 2;
}

function choose(byCategory: readonly Int32Array[], at: number, rule: 'most' | 'last'): number {
  let best = 0;
  for (let each = 1; each < byCategory.length; each++) {
    const count = byCategory[each]![at]!;
    if (rule === 'last' ? count > 0 : count > byCategory[best]![at]!) best = each;
  }
  return best;
}

/** Makes counts of differences: each number becomes the sum of all that stand before it in both directions. */
function sumUp(grid: Int32Array, columns: number, rows: number): void {
  const stride = columns + 1;
  for (let row = 0; row <= rows; row++) {
    let sum = 0;
    for (let column = 0; column <= columns; column++) {
      const at = row * stride + column;
      sum += grid[at]!;
      grid[at] = sum + (row > 0 ? grid[at - stride]! : 0);
    }
  }
}

/** The part of an axis that a position falls into; the first or last one for what lies outside. */
function placeOf(position: number, from: number, to: number, parts: number): number {
  const part = Math.floor(((position - from) / (to - from)) * parts);
  return Math.max(0, Math.min(parts - 1, part));
}

/** The part that holds what lies directly in front of an end. */
function lastPlaceOf(end: number, from: number, to: number, parts: number): number {
  const part = Math.ceil(((end - from) / (to - from)) * parts) - 1;
  return Math.max(0, Math.min(parts - 1, part));
}

/** Sums of amounts that are spread evenly over stretches of an axis. */
class Margin {
  /** What falls into single parts, and differences of what falls into each of many. */
  private readonly single: Float64Array;
  private readonly difference: Float64Array;

  constructor(
    private readonly from: number,
    private readonly to: number,
    private readonly parts: number,
  ) {
    this.single = new Float64Array(parts);
    this.difference = new Float64Array(parts + 1);
  }

  /** @param amount of what lies within the axis. */
  add(begin: number, end: number, amount: number): void {
    const { from, to, parts } = this;
    const first = Math.max(begin, from);
    const last = Math.min(end, to);
    const low = placeOf(first, from, to, parts);
    if (!(last > first)) {
      this.single[low]! += amount;
      return;
    }
    const high = Math.max(low, lastPlaceOf(last, from, to, parts));
    if (high === low) {
      this.single[low]! += amount;
      return;
    }
    const part = (to - from) / parts;
    const rate = amount / (last - first);
    const atFront = (from + part * (low + 1) - first) * rate;
    const atEnd = (last - (from + part * high)) * rate;
    this.single[low]! += atFront;
    this.single[high]! += atEnd;
    if (high === low + 1) return;
    const each = (amount - atFront - atEnd) / (high - low - 1);
    this.difference[low + 1]! += each;
    this.difference[high]! -= each;
  }

  finish(): Float64Array {
    let sum = 0;
    return this.single.map((amount, part) => {
      sum += this.difference[part]!;
      // Differences of fractions leave a rest in the last digits.
      return Math.max(0, amount + sum);
    });
  }
}
