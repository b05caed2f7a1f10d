import { formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../../src/base/quantities.ts';
import { exactLength, exactPoint, type AxisUnit } from '../../src/drawing/timeline/ticks.ts';
import { endsOf } from '../../src/drawing/timeline/timeline-svg.ts';
import { lengthOf } from '../../src/drawing/timeline/visible-span.ts';
import type {
  LayerStep,
  ShareList,
  ViewEvent,
  ViewTotals,
  RangeShare,
  RangeTotals,
} from '../../src/features/timeline/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { button, facts, make, table, visibleText, type Cell } from '../kit/dom.ts';
import { tellingNames } from '../kit/fitted-text.ts';
import { layersOf } from './event-layers.ts';
import { eventFacts, recordedAt, siteText } from './event-text.ts';
import type { TimelineModel } from './model.ts';

interface DetailEvents {
  openSource(number: number): void;
  openRecording(number: number): void;
  zoomToEvent(): void;
  zoomToRange(): void;
  clearRange(): void;
  selectEvent(number: number): void;
  /** The event and all calls that it became. */
  selectBelow(number: number): void;
  layer(step: LayerStep): void;
  share(number: number, list: ShareList, index: number): void;
  row(index: number): void;
}

type Tab = 'event' | 'range' | 'rows';
const TABS: readonly (readonly [Tab, string])[] = [
  ['event', 'Event'],
  ['range', 'Range'],
  ['rows', 'Rows as a table'],
];
/** Rows of the table: who wants more filters or sorts them first. */
const MOST_ROWS = 300;

/** Below the timeline: the event or the range that was chosen, and the rows as a table. */
export class Details {
  private tab: Tab = 'event';
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly panel = make('div', { id: 'detail-panel', role: 'tabpanel', tabindex: '0' });

  constructor(
    parent: HTMLElement,
    private readonly model: TimelineModel,
    private readonly events: DetailEvents,
  ) {
    const list = make('div', { role: 'tablist', 'aria-label': 'Details' });
    for (const [tab, name] of TABS) {
      const made = button(name, { role: 'tab', id: `tab-${tab}`, 'aria-controls': 'detail-panel' }, () =>
        this.open(tab),
      );
      this.tabs.set(tab, made);
      list.append(made);
    }
    list.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (step === 0) return;
      const at = TABS.findIndex(([tab]) => tab === this.tab);
      const [next] = TABS[(at + step + TABS.length) % TABS.length]!;
      this.open(next);
      this.tabs.get(next)!.focus();
      event.stopPropagation();
    });
    parent.append(list, this.panel);
    this.open('event');
  }

  open(tab: Tab): void {
    this.tab = tab;
    for (const [name, made] of this.tabs) {
      made.setAttribute('aria-selected', String(name === tab));
      made.tabIndex = name === tab ? 0 : -1;
    }
    this.panel.setAttribute('aria-labelledby', `tab-${tab}`);
    this.draw();
  }

  draw(): void {
    const { tab, model, panel } = this;
    if (tab === 'event') panel.replaceChildren(...this.event(model.event));
    else if (tab === 'range') panel.replaceChildren(...this.range(model.totals));
    else panel.replaceChildren(...this.rows());
  }

  private event(chosen: ViewEvent | undefined): Node[] {
    if (chosen === undefined) return [hint('Click an event, or move to one with the arrow keys.')];
    const { event, number, hasSource } = chosen;
    const actions = make('div', { class: 'actions' });
    const site = siteText(event);
    if (site !== undefined && hasSource)
      actions.append(actionButton(`Go to ${site}`, { class: 'primary' }, () => this.events.openSource(number)));
    if (event.rawText !== '')
      actions.append(
        actionButton(`Show in the recording (${endsOf(recordedAt(event), 40)})`, {}, () =>
          this.events.openRecording(number),
        ),
      );
    actions.append(actionButton('Zoom to the event', {}, () => this.events.zoomToEvent()));
    if (event.site !== undefined)
      actions.append(actionButton('Select its line', {}, () => this.events.selectEvent(number)));
    const raw =
      event.rawText === ''
        ? make('p', { class: 'soft' }, event.rawTextLack)
        : make('code', { class: 'raw' }, event.rawText);
    const stack = make(
      'ol',
      { class: 'stack' },
      ...event.stack.filter((frame) => frame !== '').map((frame) => make('li', {}, frame)),
    );
    const about = make('div', {}, make('h2', {}, event.call), facts(eventFacts(event, this.model.axis).slice(1)));
    const callers =
      event.stack.length === 0
        ? make('p', { class: 'soft' }, 'The recording has no call stack of it.')
        : make('div', {}, make('h3', {}, 'Called by'), stack);
    const layers = event.layers === undefined ? [] : [layersOf(chosen, event.layers, this.events)];
    return [actions, make('div', { class: 'columns' }, about, ...layers, callers), raw];
  }

  private range(totals: ViewTotals | undefined): Node[] {
    if (this.model.range === undefined)
      return [
        hint('Drag over the axis or a lane (or anywhere, with Shift where dragging moves) to sum up a range of time.'),
      ];
    if (totals === undefined) return [hint('Working …')];
    const { totals: sums, number } = totals;
    const actions = make(
      'div',
      { class: 'actions' },
      actionButton('Zoom to the range', { class: 'primary' }, () => this.events.zoomToRange()),
      actionButton('Clear the range', {}, () => this.events.clearRange()),
    );
    const lists: [ShareList, string, readonly RangeShare[]][] = [
      ['calls', 'Calls', sums.calls],
      ['paths', 'Files', sums.paths],
      ['sites', 'Source lines', sums.sites],
    ];
    return [
      actions,
      facts(rangeFacts(sums, this.model.axis)),
      make(
        'div',
        { class: 'columns' },
        ...lists.map(([list, title, shares]) => this.shares(number, list, title, shares)),
      ),
    ];
  }

  private shares(number: number, list: ShareList, title: string, shares: readonly RangeShare[]): HTMLElement {
    const whole = Math.max(1, ...shares.map(({ timeNs }) => timeNs));
    const names = tellingNames(shares.map(({ label }) => label));
    const rows = shares.map(({ label, events, timeNs, bytes, selects }, index): Cell[] => {
      const short = endsOf(names[index]!, 42);
      const name =
        selects === undefined
          ? make('span', { title: visibleText(label) }, short)
          : button(short, { class: 'link', title: visibleText(`${label}: select`) }, () =>
              this.events.share(number, list, index),
            );
      const bar = make('span', { class: 'bar' }, make('span', {}));
      (bar.firstElementChild as HTMLElement).style.width = `${(timeNs / whole) * 100}%`;
      return [
        make('span', { class: 'labelled' }, name, bar),
        formatCount(events),
        timeNs > 0 ? formatDuration(timeNs) : '–',
        bytes > 0 ? formatBytes(bytes) : '–',
      ];
    });
    if (rows.length === 0) return make('div', {}, make('h3', {}, title), hint('none'));
    const columns = [
      { title },
      ...['Calls', 'Recorded time', 'Bytes'].map((name) => ({ title: name, isNumber: true })),
    ];
    return make('div', {}, table(columns, rows));
  }

  private rows(): Node[] {
    const { model } = this;
    const shown = model.layout.visible.subarray(0, MOST_ROWS);
    const whole = (model.rows?.categories ?? []).reduce((sum, { timeNs }) => sum + timeNs, 0);
    const rows = [...shown].map((index): Cell[] => {
      const { label, description, depth, events, timeNs, bytes, standsFor } = model.row(index);
      const name = button(
        standsFor > 1 ? `${label} (${formatCount(standsFor)})` : label,
        { class: 'link', title: visibleText(description) },
        () => this.events.row(index),
      );
      name.style.marginLeft = `${depth * 14}px`;
      return [
        name,
        formatCount(events),
        timeNs > 0 ? formatDuration(timeNs) : '–',
        timeNs > 0 && whole > 0 ? formatShare(Math.min(1, timeNs / whole)) : '–',
        bytes > 0 ? formatBytes(bytes) : '–',
      ];
    });
    const titles = ['Calls', 'Recorded time', 'Share', 'Bytes'].map((title) => ({ title, isNumber: true }));
    const rest = model.layout.visible.length - shown.length;
    const more = rest > 0 ? [hint(`${formatCount(rest)} more rows: filter them, or fold groups.`)] : [];
    return [table([{ title: 'Row' }, ...titles], rows, 'The rows that show'), ...more];
  }
}

function rangeFacts(sums: RangeTotals, axis: AxisUnit): [string, string][] {
  const seconds = axis === 'time' ? lengthOf(sums) / 1e9 : 0;
  const rate = (bytes: number): string => (bytes > 0 && seconds > 0 ? ` (${formatRate(bytes / seconds)})` : '');
  return [
    [
      'Range',
      `${exactPoint(sums.fromNs, axis)} to ${exactPoint(sums.toNs, axis)}: ${exactLength(lengthOf(sums), axis)}`,
    ],
    ['Calls', formatCount(sums.events)],
    ['Recorded time in calls', sums.timeNs > 0 ? formatDuration(sums.timeNs) : 'unknown'],
    ['Read', `${formatBytes(sums.bytesRead)}${rate(sums.bytesRead)}`],
    ['Written', `${formatBytes(sums.bytesWritten)}${rate(sums.bytesWritten)}`],
    ['Files', formatCount(sums.files)],
    ['Streams', formatCount(sums.streams)],
  ];
}

function hint(text: string): HTMLElement {
  return make('p', { class: 'soft' }, text);
}
