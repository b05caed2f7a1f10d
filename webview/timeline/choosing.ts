import { around, lengthOf, moved, type Span } from '../../src/drawing/timeline/visible-span.ts';
import { exactLength } from '../../src/drawing/timeline/ticks.ts';
import type { Chosen, LayerStep, ViewEvent } from '../../src/features/timeline/protocol.ts';
import { messageOf } from '../../src/base/error-message.ts';
import type { Details } from './details.ts';
import { eventSentence } from './event-text.ts';
import { neighbour } from './event-walk.ts';
import type { TimelineModel } from './model.ts';
import { isStale, Latest, type Questions } from './questions.ts';
import { labelText } from './row-labels.ts';
import type { Tooltip } from './tooltip.ts';

interface ChoosingEvents {
  show(visible: Span): void;
  draw(): void;
  select(chosen: Chosen, narrow: boolean): void;
  clearSpan(): void;
  reveal(row: number): void;
  announce(text: string): void;
  found(text: string): void;
  failed(message: string): void;
}

/** What is said where a step leads nowhere. */
const NO_STEP: Readonly<Record<LayerStep, string>> = {
  up: 'No call of an upper layer is known to have made this one.',
  down: 'This call is not known to have become any of a lower layer.',
  next: 'The call above made none after this one.',
  previous: 'The call above made none before this one.',
};

/** Pixels around the pointer in which an event is looked for: most are narrower than a pixel. */
const NEAR = 6;

/** Hovering, clicking, walking, searching, measuring: what becomes chosen, and what the page then says of it. */
export class Choosing {
  private readonly hovering: Latest;
  private readonly totals: Latest;
  private readonly walking: Latest;
  private selectedSpan: Span | undefined;
  private pointer = { row: -1, timeNs: 0, x: 0, y: 0 };

  constructor(
    private readonly model: TimelineModel,
    private readonly questions: Questions,
    private readonly tooltip: Tooltip,
    private readonly details: Details,
    private readonly events: ChoosingEvents,
  ) {
    const failed = (error: unknown): void => {
      // Stale rows are on their way already.
      if (!isStale(error)) events.failed(messageOf(error));
    };
    this.hovering = new Latest(failed);
    this.totals = new Latest(failed);
    this.walking = new Latest(failed);
  }

  hover(row: number, timeNs: number, x: number, y: number): void {
    const { model } = this;
    this.pointer = { row, timeNs, x, y };
    model.pointerNs = timeNs >= model.visible.fromNs ? timeNs : undefined;
    this.hoverRow(row);
    const { hovered } = model;
    if (row < 0) {
      model.hovered = undefined;
      this.tooltip.hide();
    } else if (hovered !== undefined && this.isAt(hovered, row, timeNs))
      this.tooltip.showEvent(hovered.event, model.row(row), model.axis, x, y);
    else
      this.hovering.do(async () => {
        const now = this.pointer;
        if (now.row < 0) return;
        const found = await this.eventAt(now.row, now.timeNs);
        // The pointer has gone on: the question after this one is about where it is.
        if (this.pointer.row !== now.row) return;
        model.hovered = found;
        if (found === undefined) this.tooltip.hide();
        else this.tooltip.showEvent(found.event, model.row(now.row), model.axis, this.pointer.x, this.pointer.y);
        this.events.draw();
      });
  }

  hoverRow(row: number): void {
    const { model } = this;
    model.hoveredRow = row < 0 || row >= model.layout.rows.length ? '' : model.row(row).key;
    this.events.draw();
  }

  leave(): void {
    this.pointer = { ...this.pointer, row: -1 };
    this.model.pointerNs = undefined;
    this.model.hovered = undefined;
    this.model.hoveredRow = '';
    this.tooltip.hide();
    this.events.draw();
  }

  /** What is under the pointer is another: what was said of it goes, until the pointer moves. */
  forgetHover(): void {
    this.pointer = { ...this.pointer, row: -1 };
    this.model.hovered = undefined;
    this.tooltip.hide();
  }

  private isAt({ event }: ViewEvent, row: number, timeNs: number): boolean {
    const near = this.tolerance / 2;
    const end = event.startNs + (event.durationNs ?? 0);
    return event.row === row && timeNs >= event.startNs - near && timeNs <= end + near;
  }

  private get tolerance(): number {
    return (lengthOf(this.model.visible) / Math.max(1, this.model.plotWidth)) * NEAR;
  }

  private async eventAt(row: number, timeNs: number, toleranceNs = this.tolerance): Promise<ViewEvent | undefined> {
    const token = this.model.rows?.token;
    if (token === undefined) return undefined;
    const found = await this.questions.ask('event', { token, row, timeNs, toleranceNs });
    return found ?? undefined;
  }

  /** A click on the cells of a row. */
  click(row: number, timeNs: number, isDouble: boolean, narrow: boolean): void {
    if (row < 0) return;
    this.model.focusedRow = this.model.row(row).key;
    this.walking.do(async () => {
      const found = await this.eventAt(row, timeNs);
      if (isDouble) {
        if (found !== undefined) this.zoomToEvent();
        return;
      }
      this.take(found);
      if (found?.event.site !== undefined)
        this.events.select({ what: 'event', number: found.number }, narrow || this.model.range !== undefined);
    });
    this.events.draw();
  }

  /** An event becomes the chosen one: its details show, and it is outlined. */
  private take(found: ViewEvent | undefined): void {
    const { model } = this;
    model.event = found;
    if (found !== undefined) {
      const row = model.layout.rows[found.event.row];
      if (row !== undefined) model.focusedRow = row.key;
      this.events.announce(eventSentence(found.event, row?.label ?? '', model.axis));
      this.details.open('event');
    } else this.details.draw();
    this.events.draw();
  }

  row(index: number, select: boolean, narrow: boolean): void {
    const { model } = this;
    const row = model.row(index);
    model.focusedRow = row.key;
    this.events.reveal(index);
    this.events.announce(labelText(row));
    if (select && row.selects !== undefined && model.rows !== undefined)
      this.events.select({ what: 'row', token: model.rows.token, row: index }, narrow);
    this.events.draw();
  }

  stepRow(direction: 1 | -1): void {
    const { model } = this;
    const { layout } = model;
    const index = model.indexOf(model.focusedRow);
    const place = index < 0 ? -1 : layout.place[index]!;
    const next = layout.visible[Math.max(0, place + direction)];
    if (next !== undefined) this.row(next, false, false);
  }

  /** To the next event of the row, or the one before; from the middle of the screen where none is chosen. */
  step(direction: 1 | -1): void {
    this.walking.do(async () => {
      const { model } = this;
      const index = model.indexOf(model.focusedRow);
      const held = index < 0 ? undefined : model.cells.get(model.focusedRow);
      if (held === undefined || held.token !== model.rows?.token) return;
      const from = model.event?.event.row === index ? model.event : undefined;
      const start = direction > 0 ? model.visible.fromNs : model.visible.toNs;
      const ask = async (timeNs: number, toleranceNs: number): Promise<ViewEvent | null> =>
        (await this.eventAt(index, timeNs, toleranceNs)) ?? null;
      const found = await neighbour(held.cells, from, start, direction, ask);
      if (found === undefined) this.events.announce(`No event ${direction > 0 ? 'after' : 'before'} this one is near.`);
      else {
        this.take(found);
        this.bringIntoSight(found);
      }
    });
  }

  private bringIntoSight({ event }: ViewEvent): void {
    const { visible, durationNs } = this.model;
    const end = event.startNs + Math.min(event.durationNs ?? 0, lengthOf(visible) / 2);
    if (event.startNs >= visible.fromNs && end <= visible.toNs) return;
    this.events.show(moved(visible, event.startNs - (visible.fromNs + visible.toNs) / 2, durationNs));
  }

  search(text: string, direction: 1 | -1): void {
    this.walking.do(async () => {
      const { model } = this;
      if (model.rows === undefined) return;
      this.events.found('…');
      const from = model.event?.event.startNs ?? (direction > 0 ? model.visible.fromNs : model.visible.toNs);
      const { token } = model.rows;
      const question = { token, text, direction };
      let found = await this.questions.ask('search', { ...question, fromNs: from });
      const isAround = found === null;
      // From the other end of the run.
      if (isAround)
        found = await this.questions.ask('search', { ...question, fromNs: direction > 0 ? -1 : model.durationNs + 1 });
      this.events.found(found === null ? 'not found' : isAround ? 'found, from the other end' : 'found');
      if (found === null) return;
      this.events.reveal(found.event.row);
      this.take(found);
      this.bringIntoSight(found);
    });
  }

  /** To the call of another layer that the chosen one is linked with. */
  layer(step: LayerStep): void {
    this.walking.do(async () => {
      const { event: chosen, rows } = this.model;
      if (chosen === undefined || rows === undefined) return;
      const { recording, event } = chosen.event;
      const found = await this.questions.ask('linked', { token: rows.token, recording, event, step });
      if (found === null) {
        this.events.announce(NO_STEP[step]);
        return;
      }
      if (found.event.row >= 0) this.events.reveal(found.event.row);
      this.take(found);
      this.bringIntoSight(found);
    });
  }

  zoomToEvent(): void {
    const { event, durationNs } = this.model;
    if (event === undefined) return;
    const { startNs, durationNs: length } = event.event;
    if (event.event.row >= 0) this.events.reveal(event.event.row);
    this.events.show(around({ fromNs: startNs, toNs: startNs + (length ?? 0) }, durationNs, 0.8));
  }

  zoomToRange(): void {
    const { range, durationNs } = this.model;
    if (range !== undefined) this.events.show(around(range, durationNs, 0.02));
  }

  range(range: Span | undefined, isDone: boolean): void {
    this.model.range = range;
    this.events.draw();
    if (!isDone) return;
    this.sumUp();
    if (range === undefined) this.events.clearSpan();
    else this.events.select({ what: 'span', fromNs: range.fromNs, toNs: range.toNs }, true);
  }

  /** A part of the time that was selected, here or elsewhere; with none, none is selected. */
  takeSpan(span: Span | undefined): void {
    const { model } = this;
    const had = this.selectedSpan;
    this.selectedSpan = span;
    if (span === undefined && had === undefined) return;
    if (span?.fromNs === model.range?.fromNs && span?.toNs === model.range?.toNs) return;
    model.range = span;
    this.sumUp();
  }

  private sumUp(): void {
    const { model } = this;
    const { range } = model;
    model.totals = undefined;
    this.details.open(range === undefined ? 'event' : 'range');
    if (range === undefined) return;
    this.totals.do(async () => {
      if (model.rows === undefined || model.range === undefined) return;
      const { fromNs, toNs } = model.range;
      model.totals = await this.questions.ask('totals', { token: model.rows.token, fromNs, toNs });
      this.details.draw();
      const { events } = model.totals.totals;
      this.events.announce(`Range of ${exactLength(toNs - fromNs, model.axis)}: ${events} calls`);
    });
  }

  /** Rows came anew: what was asked of the old ones is asked again. */
  rowsChanged(): void {
    const { model } = this;
    if (model.range !== undefined) this.sumUp();
    this.forgetHover();
    const { event } = model;
    if (event === undefined) return;
    // Its row has another index now, if it is there at all.
    this.walking.do(async () => {
      const index = model.indexOf(model.focusedRow);
      const found = index < 0 ? undefined : await this.eventAt(index, event.event.startNs, 1);
      const isSame = found?.event.event === event.event.event && found.event.recording === event.event.recording;
      model.event = isSame ? found : undefined;
      this.details.draw();
      this.events.draw();
    });
  }

  mark(): void {
    const { model } = this;
    const at = model.pointerNs ?? model.event?.event.startNs;
    if (at === undefined) return;
    model.marks = model.marks.length >= 2 ? [at] : [...model.marks, at];
    const [first, second] = model.marks;
    if (first !== undefined && second !== undefined)
      this.events.announce(`Between the marks: ${exactLength(Math.abs(second - first), model.axis)}`);
    this.events.draw();
  }

  escape(): boolean {
    const { model } = this;
    if (model.marks.length > 0) model.marks = [];
    else if (model.range !== undefined) this.range(undefined, true);
    else if (model.event !== undefined) this.take(undefined);
    else {
      (document.activeElement as HTMLElement | null)?.blur();
      return false;
    }
    this.events.draw();
    return true;
  }
}
