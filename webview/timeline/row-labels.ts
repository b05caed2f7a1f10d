import type { TimelineRow } from '../../src/features/timeline/protocol.ts';
import { formatBytes, formatCount, formatDuration } from '../../src/base/quantities.ts';
import { make, visibleText } from '../kit/dom.ts';
import { TextRuler } from '../kit/fitted-text.ts';
import type { TimelineModel } from './model.ts';

export interface LabelEvents {
  fold(row: number, isFolded: boolean): void;
  /** The row becomes the one that keys act on; `select`: it was clicked, and everything else follows. */
  choose(row: number, select: boolean, narrow: boolean): void;
  hover(row: number): void;
}

/** Pixels beside the name: paddings, the sign of a group, gaps. As timeline.css has them. */
const BESIDE_NAME = 6 + 12 + 3 * 5 + 8;
const INDENT = 12;

/** The names of the rows as a tree: only those that show are in the page. */
export class RowLabels {
  private readonly shown = new Map<string, HTMLElement>();
  private fittedWidth = 0;
  private fonts: Record<'name' | 'group' | 'small', TextRuler> | undefined;

  constructor(
    private readonly tree: HTMLElement,
    private readonly model: TimelineModel,
    private readonly events: LabelEvents,
  ) {
    tree.addEventListener('click', (event) => {
      const target = event.target as Element;
      const row = rowOf(target);
      if (row < 0) return;
      if (target.closest('.twisty') !== null) this.toggle(row);
      else events.choose(row, true, event.ctrlKey || event.metaKey);
    });
    tree.addEventListener('dblclick', (event) => {
      const row = rowOf(event.target as Element);
      if (row >= 0 && (event.target as Element).closest('.twisty') === null) this.toggle(row);
    });
    tree.addEventListener('pointermove', (event) => events.hover(rowOf(event.target as Element)));
    tree.addEventListener('pointerleave', () => events.hover(-1));
    tree.addEventListener('keydown', (event) => {
      if (this.onKey(event.key)) event.preventDefault();
    });
  }

  draw(): void {
    const { model, tree } = this;
    // What fits is another text in a wider or narrower column.
    if (this.fittedWidth !== model.labelWidth) this.renew();
    this.fittedWidth = model.labelWidth;
    const { layout, scrollTop, plotHeight, rowHeight } = model;
    const headers = layout.headers(scrollTop, rowHeight);
    const used = new Set<string>();
    const place = (index: number, y: number, isHeader: boolean): void => {
      const row = model.row(index);
      used.add(row.key);
      const item = this.item(row, index);
      item.style.transform = `translateY(${y}px)`;
      item.style.height = `${rowHeight}px`;
      item.classList.toggle('header', isHeader);
      item.classList.toggle('focused', row.key === model.focusedRow);
      item.classList.toggle('hovered', row.key === model.hoveredRow);
      item.setAttribute('aria-selected', String(row.key === model.focusedRow));
      if (row.isGroup) item.setAttribute('aria-expanded', String(!model.folded.has(row.key)));
    };
    for (const index of layout.within(scrollTop, plotHeight, rowHeight))
      if (!headers.includes(index)) place(index, layout.place[index]! * rowHeight - scrollTop, false);
    headers.forEach((index, depth) => place(index, depth * rowHeight, true));
    for (const [key, item] of this.shown) {
      if (used.has(key)) continue;
      item.remove();
      this.shown.delete(key);
    }
    const focused = this.shown.get(model.focusedRow);
    if (focused === undefined) tree.removeAttribute('aria-activedescendant');
    else tree.setAttribute('aria-activedescendant', focused.id);
  }

  /** Rows are others: their labels and numbers, too. */
  renew(): void {
    for (const item of this.shown.values()) item.remove();
    this.shown.clear();
    this.fonts = undefined;
  }

  private item(row: TimelineRow, index: number): HTMLElement {
    const known = this.shown.get(row.key);
    if (known !== undefined) return known;
    const times = row.standsFor > 1 ? `${formatCount(row.standsFor)}×` : '';
    const count = row.events === 0 ? '' : formatCount(row.events);
    const { name, isCounted } = this.fitted(row, times, count);
    const item = make(
      'div',
      {
        role: 'treeitem',
        id: `row-${index}`,
        'data-row': String(index),
        class: row.isGroup ? 'row group' : 'row',
        'aria-level': String(row.depth + 1),
        title: visibleText(titleText(row)),
      },
      make('span', { class: 'twisty', 'aria-hidden': 'true' }),
      make('span', { class: 'name' }, name),
      make('span', { class: 'times' }, times, hidden(times === '' ? '' : ' that are alike')),
      make('span', { class: 'count' }, isCounted ? count : hidden(count), hidden(amountsText(row))),
    );
    item.style.setProperty('--depth', String(row.depth));
    this.shown.set(row.key, item);
    this.tree.append(item);
    return item;
  }

  /**
   * The name in what its row has left beside numbers. Where it would be cut the number of calls goes, then the name's
   * middle, for the line's number stands at its end.
   */
  private fitted(row: TimelineRow, times: string, count: string): { name: string; isCounted: boolean } {
    const { font } = this.model.appearance;
    const { name, group, small } = (this.fonts ??= {
      name: new TextRuler(`12px ${font}`),
      group: new TextRuler(`600 12px ${font}`),
      small: new TextRuler(`11px ${font}`),
    });
    const room = this.model.labelWidth - BESIDE_NAME - row.depth * INDENT - small.widthOf(times);
    const ruler = row.isGroup ? group : name;
    const label = visibleText(row.label);
    const isCounted = ruler.widthOf(label) <= room - small.widthOf(count);
    return { name: isCounted ? label : ruler.fitted(label, room), isCounted };
  }

  private toggle(row: number): void {
    const { key, isGroup } = this.model.row(row);
    if (isGroup) this.events.fold(row, !this.model.folded.has(key));
  }

  private onKey(key: string): boolean {
    const { model } = this;
    const { layout } = model;
    const index = model.indexOf(model.focusedRow);
    const place = index < 0 ? -1 : layout.place[index]!;
    const go = (to: number | undefined): boolean => {
      if (to !== undefined && to >= 0) this.events.choose(to, false, false);
      return true;
    };
    switch (key) {
      case 'ArrowDown':
        return go(layout.visible[place + 1]);
      case 'ArrowUp':
        return go(layout.visible[Math.max(0, place - 1)]);
      case 'Home':
        return go(layout.visible[0]);
      case 'End':
        return go(layout.visible.at(-1));
      case 'ArrowRight': {
        if (index < 0 || !model.row(index).isGroup) return true;
        if (!model.folded.has(model.focusedRow)) return go(layout.visible[place + 1]);
        this.events.fold(index, false);
        return true;
      }
      case 'ArrowLeft': {
        if (index < 0) return true;
        if (!model.row(index).isGroup || model.folded.has(model.focusedRow)) return go(model.row(index).parent);
        this.events.fold(index, true);
        return true;
      }
      case 'Enter':
      case ' ':
        if (index >= 0) this.events.choose(index, true, false);
        return true;
      default:
        return false;
    }
  }
}

function rowOf(target: Element): number {
  const row = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return row === undefined ? -1 : Number(row);
}

/** `rank 3, 4,096 calls, 71 ms, 400 KiB` */
export function labelText(row: TimelineRow): string {
  const alike = row.standsFor > 1 ? `, stands for ${formatCount(row.standsFor)} that are alike` : '';
  return `${row.label}${alike}, ${formatCount(row.events)}${amountsText(row)}`;
}

/** What stands behind the number of calls. */
function amountsText(row: TimelineRow): string {
  const parts = [row.events === 1 ? ' call' : ' calls'];
  if (row.timeNs > 0) parts.push(formatDuration(row.timeNs));
  if (row.bytes > 0) parts.push(formatBytes(row.bytes));
  return parts.join(', ');
}

/** For screen readers: those who see have the number alone, and the rest on hover. */
function hidden(text: string): HTMLElement {
  return make('span', { class: 'unseen' }, text);
}

function titleText(row: TimelineRow): string {
  return row.description === '' ? labelText(row) : `${row.description}\n${labelText(row)}`;
}
