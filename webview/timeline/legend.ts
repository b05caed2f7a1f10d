import { formatCount, formatDuration, formatShare } from '../../src/base/quantities.ts';
import { cssColour } from '../../src/drawing/timeline/category-colours.ts';
import { endsOf } from '../../src/drawing/timeline/timeline-svg.ts';
import { button, make, visibleText } from '../kit/dom.ts';
import type { TimelineModel } from './model.ts';

/** Categories that are listed at once; a button shows the rest. */
const MOST_SHOWN = 14;

/** Shares of the categories, of the time or, where no durations were recorded, of the calls. */
export function categoryShares(model: TimelineModel): number[] {
  const categories = model.rows?.categories ?? [];
  const total = (of: 'timeNs' | 'events'): number => categories.reduce((sum, category) => sum + category[of], 0);
  const by = total('timeNs') > 0 ? 'timeNs' : 'events';
  const whole = Math.max(1, total(by));
  return categories.map((category) => category[by] / whole);
}

/** What the colours mean, and how much of the time each has. A click selects. */
export class Legend {
  private isLong = false;

  constructor(
    private readonly parent: HTMLElement,
    private readonly model: TimelineModel,
    private readonly choose: (category: number, narrow: boolean) => void,
  ) {}

  draw(): void {
    const { model, parent } = this;
    const categories = model.rows?.categories ?? [];
    const shares = categoryShares(model);
    const shown = this.isLong ? categories : categories.slice(0, MOST_SHOWN);
    const chips = shown.map((category, index) => {
      const { label, events, timeNs } = category;
      const time = timeNs > 0 ? `, ${formatDuration(timeNs)}` : '';
      const title = `${label}: ${formatCount(events)} calls${time}`;
      const swatch = make('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = cssColour(model.colours[index]!);
      const content = [
        swatch,
        make('span', { class: 'name' }, endsOf(model.categoryNames[index] ?? label, 36)),
        make('span', { class: 'share' }, formatShare(shares[index]!)),
      ];
      if (category.selects === undefined) return make('span', { class: 'chip', title: visibleText(title) }, ...content);
      const chip = button('', { class: 'chip', title: visibleText(`${title}. Click to select`) }, () => undefined);
      chip.addEventListener('click', (event) => this.choose(index, event.ctrlKey || event.metaKey));
      chip.append(...content);
      return chip;
    });
    const rest = categories.length - MOST_SHOWN;
    const more =
      rest > 0
        ? [
            button(
              this.isLong ? 'fewer' : `${rest} more`,
              { class: 'more', 'aria-expanded': String(this.isLong) },
              () => {
                this.isLong = !this.isLong;
                this.draw();
              },
            ),
          ]
        : [];
    parent.replaceChildren(...chips, ...more);
  }
}
