import type { TimelineEvent, TimelineRow } from '../../src/features/timeline/protocol.ts';
import type { AxisUnit } from '../../src/drawing/timeline/ticks.ts';
import { facts, make } from '../kit/dom.ts';
import { eventFacts } from './event-text.ts';

/** Pixels between the pointer and the box. */
const AWAY = 14;

/** A box beside the pointer that says what is under it. It only moves while that stays the same: nothing flickers. */
export class Tooltip {
  private shown: string | undefined;

  constructor(private readonly box: HTMLElement) {}

  showEvent(event: TimelineEvent, row: TimelineRow, axis: AxisUnit, x: number, y: number): void {
    this.show(`${event.recording} ${event.event}`, x, y, () => [
      make('div', { class: 'title' }, event.call, make('span', {}, row.label)),
      facts(eventFacts(event, axis).slice(1)),
      event.rawText === '' ? null : make('code', {}, event.rawText),
    ]);
  }

  private show(what: string, x: number, y: number, content: () => readonly (Node | null)[]): void {
    const { box } = this;
    if (what !== this.shown) box.replaceChildren(...content().filter((node): node is Node => node !== null));
    this.shown = what;
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    const left = x + AWAY + width > window.innerWidth ? x - AWAY - width : x + AWAY;
    const top = y + AWAY + height > window.innerHeight ? y - AWAY - height : y + AWAY;
    box.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }

  hide(): void {
    this.box.hidden = true;
    this.shown = undefined;
  }
}
