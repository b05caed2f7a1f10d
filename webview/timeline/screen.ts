import { exactLength } from '../../src/drawing/timeline/ticks.ts';
import { lengthOf, moved, zoomed, type Span } from '../../src/drawing/timeline/visible-span.ts';
import { keepHabit } from '../kit/habits.ts';
import { onThemeChange } from '../kit/theme.ts';
import { HeadCanvas } from './head-canvas.ts';
import type { LabelEvents } from './row-labels.ts';
import { RowLabels } from './row-labels.ts';
import { LABEL_WIDTH, type TimelineModel } from './model.ts';
import { Overlay } from './overlay.ts';
import { Overview } from './overview.ts';
import { onSplit, type PageParts } from './page.ts';
import { RowCanvas } from './row-canvas.ts';

interface ScreenEvents {
  /** A frame was drawn: what it lacked can be asked for. */
  framed(): void;
  recoloured(): void;
  /** What lies under the pointer is something else. */
  moved(): void;
  /** Where the plot had no size, it has one now. */
  appeared(): void;
}

/** Draws the model, once a frame at most, and keeps its sizes and its scrolling. */
export class Screen {
  private readonly labels: RowLabels;
  private readonly overview: Overview;
  private readonly overlay: Overlay;
  private readonly rows: RowCanvas;
  private readonly head: HeadCanvas;
  private isFrameAsked = false;

  constructor(
    readonly parts: PageParts,
    private readonly model: TimelineModel,
    labelEvents: LabelEvents,
    private readonly events: ScreenEvents,
  ) {
    this.rows = new RowCanvas(parts.rows);
    this.head = new HeadCanvas(parts.head);
    this.overlay = new Overlay(parts.overlay, model);
    this.labels = new RowLabels(parts.labels, model, labelEvents);
    this.overview = new Overview(parts.overview, parts.overviewBox, model, (visible) => this.show(visible));
    this.listen();
    this.measure();
  }

  private listen(): void {
    const { parts, model } = this;
    parts.scroller.addEventListener('scroll', () => {
      model.scrollTop = parts.scroller.scrollTop;
      this.events.moved();
      this.draw();
    });
    const width = (to: number): void => {
      model.chosenLabelWidth = Math.max(80, Math.min(to, window.innerWidth * 0.6));
      keepHabit(LABEL_WIDTH, model.chosenLabelWidth);
      this.labels.renew();
      this.measure();
    };
    const height = (to: number): void => {
      model.detailsHeight = Math.max(0, Math.min(to, window.innerHeight * 0.7));
      this.measure();
    };
    onSplit(parts.labelSplitter, true, () => model.labelWidth, width);
    onSplit(parts.detailSplitter, false, () => model.detailsHeight, height);
    new ResizeObserver(() => this.measure()).observe(parts.scroller);
    onThemeChange(() => {
      model.recolour();
      this.events.recoloured();
      this.draw();
    });
  }

  show(visible: Span): void {
    this.model.show(visible);
    this.events.moved();
    this.draw();
  }

  /** At the pointer, else at the event that was chosen, else in the middle. */
  zoom(factor: number): void {
    const { visible, pointerNs, event, durationNs } = this.model;
    const isSeen = (ns: number | undefined): ns is number =>
      ns !== undefined && ns >= visible.fromNs && ns <= visible.toNs;
    const middle = (visible.fromNs + visible.toNs) / 2;
    const at = isSeen(pointerNs) ? pointerNs : isSeen(event?.event.startNs) ? event.event.startNs : middle;
    this.show(zoomed(visible, factor, at, durationNs));
  }

  /** @param share of what shows; to the right when positive. */
  move(share: number): void {
    const { visible, durationNs } = this.model;
    this.show(moved(visible, share * lengthOf(visible), durationNs));
  }

  fold(row: number, isFolded: boolean): void {
    const { model } = this;
    const { key } = model.row(row);
    if (isFolded) model.folded.add(key);
    else model.folded.delete(key);
    model.focusedRow = key;
    model.refold();
    this.place();
    this.draw();
  }

  /** Unfolds what a row is in, and brings it into sight. */
  reveal(row: number): void {
    const { model } = this;
    if (row < 0 || row >= model.layout.rows.length) return;
    const folded = model.layout.above(row).filter((group) => model.folded.has(model.row(group).key));
    for (const group of folded) model.folded.delete(model.row(group).key);
    if (folded.length > 0) {
      model.refold();
      this.place();
    }
    const { rowHeight, plotHeight } = model;
    const y = model.layout.place[row]! * rowHeight;
    const covered = model.layout.above(row).length * rowHeight;
    const { scroller } = this.parts;
    if (y - covered < scroller.scrollTop) scroller.scrollTop = y - covered;
    else if (y + rowHeight > scroller.scrollTop + plotHeight) scroller.scrollTop = y + rowHeight - plotHeight;
    this.draw();
  }

  /** Rows came anew. */
  renew(): void {
    this.parts.overviewLabel.textContent = `Run: ${exactLength(this.model.durationNs, this.model.axis)}`;
    this.labels.renew();
    this.measure();
  }

  /** Sizes of the page's parts: read once, when something may have changed them. */
  measure(): void {
    const { model, parts } = this;
    document.body.style.setProperty('--label-width', `${model.labelWidth}px`);
    document.body.style.setProperty('--details-height', `${model.detailsHeight}px`);
    parts.labelSplitter.setAttribute('aria-valuenow', String(Math.round(model.labelWidth)));
    parts.detailSplitter.setAttribute('aria-valuenow', String(Math.round(model.detailsHeight)));
    const wasHidden = model.plotWidth === 0;
    model.plotWidth = Math.max(0, parts.scroller.clientWidth - model.labelWidth);
    model.plotHeight = parts.scroller.clientHeight;
    this.place();
    if (wasHidden && model.plotWidth > 0) this.events.appeared();
    this.draw();
  }

  /** The height that the scrollbar stands for. */
  private place(): void {
    const { model, parts } = this;
    parts.extent.style.height = `${Math.max(model.plotHeight, model.contentHeight)}px`;
    const wanted = model.indexOf(model.wantedTop);
    if (wanted >= 0 && model.layout.place[wanted]! >= 0) {
      parts.scroller.scrollTop = model.layout.place[wanted]! * model.rowHeight;
      model.wantedTop = '';
    }
    model.scrollTop = parts.scroller.scrollTop;
  }

  /** Once in the next frame, however often it is asked for. */
  draw(): void {
    if (this.isFrameAsked) return;
    this.isFrameAsked = true;
    requestAnimationFrame(() => {
      this.isFrameAsked = false;
      this.overview.draw();
      this.parts.head.setAttribute('aria-label', `Axis of time and lanes. ${this.head.draw(this.model)}`);
      this.rows.draw(this.model);
      this.labels.draw();
      this.overlay.draw();
      this.events.framed();
    });
  }
}
