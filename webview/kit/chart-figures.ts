import { Chart, type ChartConfiguration, type ChartType, type TooltipOptions } from 'chart.js';
import { make } from './dom.ts';
import { currentTheme, type Theme } from './theme.ts';

/** What every chart has. */
interface Charted {
  readonly title: string;
  readonly note?: string | undefined;
  readonly series: readonly { readonly name: string }[];
}

/** Charts of one kind that stand on the page, to be drawn again in another theme. */
export abstract class ChartFigures<Type extends ChartType, Shown extends Charted> {
  private readonly drawn = new Map<HTMLCanvasElement, { chart: Chart<Type>; shown: Shown; legend: HTMLElement }>();

  /** In pixels. */
  protected abstract height(shown: Shown): number;
  protected abstract configuration(shown: Shown, theme: Theme): ChartConfiguration<Type>;
  protected abstract table(shown: Shown): HTMLTableElement;

  /** Whether a series has a pattern beside its colour. */
  protected abstract isHatched(theme: Theme, series: number): boolean;

  /** A chart with its legend, and the same as a table for whoever cannot see it. */
  figure(shown: Shown): HTMLElement {
    const { title, note = '', series } = shown;
    const canvas = make('canvas', {
      role: 'img',
      'aria-label': `${title}. The same numbers are in the table below.`,
    });
    // Filled at once: what grows when the chart comes into sight moves the page under the pointer.
    const legend = make('ul', { class: 'legend', 'aria-hidden': 'true' });
    this.fillLegend(legend, shown, currentTheme());
    const room = make('div', { class: 'chart' }, canvas);
    room.style.height = `${this.height(shown)}px`;
    const figure = make(
      'figure',
      {},
      make('figcaption', {}, title, note === '' ? null : make('span', { class: 'soft' }, ` ${note}`)),
      series.length > 1 ? legend : null,
      room,
      make('details', {}, make('summary', {}, 'As a table'), make('div', { class: 'wide' }, this.table(shown))),
    );
    // A canvas has a size only once it stands on the page.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      this.draw(canvas, shown, legend);
    });
    observer.observe(room);
    return figure;
  }

  /** In the colours of the theme as it is now. */
  redraw(): void {
    for (const [canvas, { chart, shown, legend }] of [...this.drawn]) {
      chart.destroy();
      this.draw(canvas, shown, legend);
    }
  }

  /** Forgets the charts that are shown no more. */
  clear(): void {
    for (const { chart } of this.drawn.values()) chart.destroy();
    this.drawn.clear();
  }

  private draw(canvas: HTMLCanvasElement, shown: Shown, legend: HTMLElement): void {
    const theme = currentTheme();
    this.drawn.set(canvas, { chart: new Chart(canvas, this.configuration(shown, theme)), shown, legend });
    this.fillLegend(legend, shown, theme);
  }

  private fillLegend(legend: HTMLElement, { series }: Shown, theme: Theme): void {
    const colours = theme.seriesOf(series.map(({ name }) => name));
    legend.replaceChildren(
      ...series.map(({ name }, index) => {
        const swatch = make('span', { class: `swatch${this.isHatched(theme, index) ? ' hatched' : ''}` });
        swatch.style.setProperty('--swatch', colours[index]!);
        return make('li', {}, swatch, name);
      }),
    );
  }
}

/** A tooltip in the colours and the font of the editor. */
export function tooltipLook({ background, text, rule, font }: Theme) {
  return {
    backgroundColor: background,
    titleColor: text,
    bodyColor: text,
    borderColor: rule,
    borderWidth: 1,
    titleFont: { family: font },
    bodyFont: { family: font },
  } satisfies Partial<TooltipOptions>;
}
