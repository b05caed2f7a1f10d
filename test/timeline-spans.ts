import { NONE } from '../src/trace/events.ts';
import type { Bins } from '../src/analysis/timeline/bins.ts';
import { RowTree } from '../src/analysis/timeline/row-tree.ts';
import { ROLE } from '../src/analysis/timeline/shown-events.ts';
import { allocateSpans, type SpanBlock, type SpanSource } from '../src/analysis/timeline/span-source.ts';

/** A span of a test; its event is its index. */
export interface TestSpan {
  readonly row: number;
  readonly start: number;
  readonly duration: number;
  readonly category: number;
  readonly selected: boolean;
}

/** Spans as they come, in rows at the top. */
export function sourceOf(
  spans: readonly TestSpan[],
  rows: number,
  role: number = ROLE.shown | ROLE.call | ROLE.takesTime | ROLE.isRequest,
): SpanSource {
  const tree = new RowTree();
  for (let row = 0; row < rows; row++) {
    tree.leaf(tree.node(NONE, { key: `row ${row}`, label: `row ${row}`, description: '' }));
  }
  const block: SpanBlock = allocateSpans();
  return {
    tree,
    notes: [],
    forEachBlock: (visit) => {
      spans.forEach(({ row, start, duration }, i) => {
        block.row[i] = row;
        block.start[i] = start;
        block.duration[i] = duration;
        block.event[i] = i;
        block.role[i] = role;
        block.time[i] = duration;
        block.bytes[i] = i;
        block.kind[i] = 0;
      });
      block.length = spans.length;
      visit(block);
    },
  };
}

/** What a cell must show: any of these categories (those that take equally much), and these shares as bytes. */
interface ExpectedCell {
  readonly categories: readonly number[];
  readonly busy: number;
  readonly selected: number;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly category: number;
}

/** Cells of a row, worked out from all spans of all its leaves one by one. */
export function paintByHand(
  spans: readonly TestSpan[],
  bins: Bins,
  leaves: readonly number[],
  categories: number,
  rows: number,
): ExpectedCell[] {
  const byRow = Array.from({ length: rows }, (_, row) => inOrder(spans.filter((span) => span.row === row)));
  const anyTime = spans.some(({ duration }) => duration > 0);
  return Array.from({ length: bins.count }, (_, bin) => {
    const from = bins.edge(bin);
    const to = bins.edge(bin + 1);
    const time = Array<number>(categories).fill(0);
    let selectedTime = 0;
    let isPresent = false;
    let selectedMoments = false;
    const moments = new Set<number>();
    for (const leaf of leaves) {
      const row = byRow[leaf]!;
      for (const { from: begins, to: ends, category } of owned(row)) {
        const amount = Math.min(to, ends) - Math.max(from, begins);
        if (amount > 0) time[category]! += amount;
      }
      for (const { from: begins, to: ends } of owned(row.filter(({ selected }) => selected))) {
        selectedTime += Math.max(0, Math.min(to, ends) - Math.max(from, begins));
      }
      for (const { start, category, selected } of row) {
        if (start < from || start >= to) continue;
        isPresent = true;
        if (selected) selectedMoments = true;
        moments.add(category);
        if (!anyTime) time[category]!++;
        if (!anyTime && selected) selectedTime++;
      }
    }
    const whole = time.reduce((sum, amount) => sum + amount, 0);
    if (whole === 0 && !isPresent) return { categories: [0xffff], busy: 0, selected: 0 };
    const most = Math.max(...time);
    const best = time.flatMap((amount, category) => (Math.abs(amount - most) < 1e-6 * most ? [category] : []));
    return {
      categories: most > 0 ? best : [...moments],
      busy: anyTime ? asByte(whole / (leaves.length * (to - from))) : 1,
      selected: selectedTime > 0 ? asByte(selectedTime / whole) : !selectedMoments ? 0 : whole > 0 ? 1 : 255,
    };
  });
}

function asByte(share: number): number {
  return Math.min(255, Math.max(1, Math.round(share * 255)));
}

function inOrder(spans: readonly TestSpan[]): TestSpan[] {
  return spans.toSorted((a, b) => a.start - b.start || b.duration - a.duration);
}

/** Which stretch of its row belongs to each span: what no span before it covers. */
function owned(row: readonly TestSpan[]): Stretch[] {
  let reach = -1;
  return row.flatMap(({ start, duration, category }) => {
    const from = Math.max(start, reach);
    const to = start + duration;
    reach = Math.max(reach, to);
    return to > from ? [{ from, to, category }] : [];
  });
}
