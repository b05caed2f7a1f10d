import { NONE } from '../../src/trace/events.ts';
import type { Bins } from '../../src/analysis/timeline/bins.ts';
import { RowTree } from '../../src/analysis/timeline/row-tree.ts';
import { ROLE } from '../../src/analysis/timeline/shown-events.ts';
import { MOMENT } from '../../src/analysis/timeline/span-index.ts';
import { allocateSpans, type SpanBlock, type SpanSource } from '../../src/analysis/timeline/span-source.ts';

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
  return Array.from({ length: bins.count }, (_, bin) => {
    const from = bins.edge(bin);
    const to = bins.edge(bin + 1);
    const time = Array<number>(categories).fill(0);
    let selectedTime = 0;
    const amountOf = ({ from: begins, to: ends }: Stretch): number => {
      if (begins === ends) return begins >= from && begins < to ? MOMENT : 0;
      return Math.max(0, Math.min(to, ends) - Math.max(from, begins));
    };
    for (const leaf of leaves) {
      const row = byRow[leaf]!;
      for (const stretch of owned(row)) time[stretch.category]! += amountOf(stretch);
      for (const stretch of owned(row.filter(({ selected }) => selected))) selectedTime += amountOf(stretch);
    }
    const whole = time.reduce((sum, amount) => sum + amount, 0);
    if (whole === 0) return { categories: [0xffff], busy: 0, selected: 0 };
    const most = Math.max(...time);
    const best = time.flatMap((amount, category) => (Math.abs(amount - most) < 1e-6 * most ? [category] : []));
    const isSelected = selectedTime > 0 ? asByte(selectedTime / whole) : 0;
    return { categories: best, busy: asByte(whole / (leaves.length * (to - from))), selected: isSelected };
  });
}

function asByte(share: number): number {
  return Math.min(255, Math.max(1, Math.round(share * 255)));
}

function inOrder(spans: readonly TestSpan[]): TestSpan[] {
  return spans.toSorted((a, b) => a.start - b.start || b.duration - a.duration);
}

/** Which stretch of its row belongs to each span: what no span before it covers; a moment that none covers is one too. */
function owned(row: readonly TestSpan[]): Stretch[] {
  let reach = -1;
  return row.flatMap(({ start, duration, category }) => {
    const from = Math.max(start, reach);
    const to = start + duration;
    reach = Math.max(reach, to);
    return to > from || start === from ? [{ from, to, category }] : [];
  });
}
