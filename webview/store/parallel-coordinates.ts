import { APPLICATION_AXIS, type JobLine } from '../../src/drawing/parallel/parallel-axes.ts';
import {
  applicationBrush,
  brushedJobs,
  nearestJob,
  parallelPlot,
  type Brush,
  type ParallelPlot,
} from '../../src/drawing/parallel/parallel-coordinates.ts';
import { formatCount } from '../../src/base/quantities.ts';
import { cssColour, mixed } from '../../src/drawing/timeline/category-colours.ts';
import { currentAppearance, type Appearance } from '../kit/appearance.ts';
import { button, make, table, type Cell } from '../kit/dom.ts';
import { onThemeChange } from '../kit/theme.ts';
import { AxisBrush } from './parallel-axis.ts';
import { applicationColour, geometryOf, ParallelLines, ParallelOverlay, type Geometry } from './parallel-lines.ts';

/** What the plot tells the page around it. Jobs are numbers in the list that `show` was given. */
interface ParallelEvents {
  /** A line was clicked, or taken with Enter. */
  choose(job: number): void;
  /** The brushes leave these jobs. */
  brushed(jobs: readonly number[]): void;
}

const HEIGHT = 380;
/** How far from a line the pointer may be, in parts of an axis. */
const REACH = 0.03;
const LEGEND = 14;
const LISTED = 50;
const HINT = 'Drag along an axis to brush it, drag the brush to move it, click to clear it. Click a line for its job.';

/**
 * Jobs as lines across the contributing factors (figures 11 and 12 of IOMiner), coloured by application. Brushes of
 * several axes all hold; ten thousand lines are painted over several frames, so that the pointer never waits.
 */
export class ParallelCoordinates {
  readonly element: HTMLElement;
  private plot: ParallelPlot = parallelPlot([], true);
  private isLogarithmic = true;
  private readonly brushes = new Map<string, Brush>();
  private isBrushed: Uint8Array = new Uint8Array(0);
  private pointed: number | undefined;
  private look: Appearance = currentAppearance();
  private axes: readonly AxisBrush[] = [];
  private drawn: { readonly plot: ParallelPlot; readonly geometry: Geometry } | undefined;
  private readonly behind = new ParallelLines();
  private readonly lines = new ParallelLines();
  private readonly overlay = new ParallelOverlay();
  private readonly axisRoom = make('div', {});
  private readonly room: HTMLDivElement;
  private readonly count = make('span', { class: 'soft', role: 'status' });
  private readonly clear: HTMLButtonElement;
  private readonly said = make('p', { class: 'soft parallel-said', 'aria-live': 'polite' }, HINT);
  private readonly legend = make('div', { class: 'parallel-legend', role: 'group', 'aria-label': 'Applications' });
  private readonly list = make('div', { class: 'parallel-list' });

  constructor(private readonly events: ParallelEvents) {
    const scales = make('input', { type: 'checkbox', checked: '' });
    scales.addEventListener('change', () => {
      this.isLogarithmic = scales.checked;
      this.fill(this.plot.jobs);
    });
    this.clear = button('Clear brushes', { disabled: '' }, () => this.brush(() => this.brushes.clear()));
    const layers = [this.behind, this.lines, this.overlay].map(({ canvas }) => canvas.element);
    for (const layer of layers) layer.setAttribute('aria-hidden', 'true');
    const label = 'Lines of jobs. Up and Down walk along those that are brushed, Enter opens one.';
    const walk = make('div', { class: 'parallel-walk', tabindex: '0', role: 'group', 'aria-label': label });
    this.room = make('div', { class: 'parallel-plot' }, ...layers, walk, this.axisRoom);
    const tools = make('div', { class: 'parallel-tools' }, make('label', {}, scales, 'Logarithmic scales'));
    tools.append(this.clear, this.count);
    const summary = make('summary', {}, 'Brushed jobs, as a table');
    this.element = make(
      'section',
      { class: 'parallel', 'aria-label': 'Contributing factors of jobs' },
      tools,
      this.room,
      this.said,
      this.legend,
      make('details', {}, summary, this.list),
    );
    this.listen(walk);
  }

  /** Other jobs: the brushes go. */
  show(jobs: readonly JobLine[]): void {
    this.brushes.clear();
    this.fill(jobs);
  }

  private fill(jobs: readonly JobLine[]): void {
    this.plot = parallelPlot(jobs, this.isLogarithmic);
    this.axes = this.plot.axes.map(
      (axis, number) =>
        new AxisBrush(axis, number, (brush) =>
          this.brush(() => {
            if (brush === undefined) this.brushes.delete(axis.id);
            else this.brushes.set(axis.id, brush);
          }),
        ),
    );
    this.axisRoom.replaceChildren(...this.axes.map(({ element }) => element));
    this.fillLegend();
    this.brush(() => this.point(undefined));
  }

  private brush(change: () => void): void {
    change();
    const { plot, brushes } = this;
    this.isBrushed = brushedJobs(plot, brushes);
    const left = plot.jobs.flatMap((_, job) => (this.isBrushed[job] === 1 ? [job] : []));
    if (this.pointed !== undefined && this.isBrushed[this.pointed] === 0) this.point(undefined);
    plot.axes.forEach(({ id }, number) => this.axes[number]!.set(brushes.get(id)));
    this.clear.disabled = brushes.size === 0;
    this.count.textContent = `${formatCount(left.length)} of ${formatCount(plot.jobs.length)} jobs`;
    this.fillList(left);
    this.draw();
    this.events.brushed(left);
  }

  private draw(): void {
    const { plot, look, isBrushed } = this;
    const { clientWidth: width } = this.room;
    if (width === 0) return;
    const geometry = geometryOf(width, HEIGHT, plot.axes.length);
    const isSame = this.drawn?.plot === plot && this.drawn.geometry.width === width;
    this.drawn = { plot, geometry };
    for (const axis of this.axes) axis.place(geometry);
    // Fewer lines are stronger ones; many show where they lie close.
    const left = isBrushed.reduce((sum, one) => sum + one, 0);
    const opacity = look.theme.isHighContrast ? 0.9 : Math.min(0.9, Math.max(0.12, 14 / Math.sqrt(left)));
    if (!isSame) {
      const faint = cssColour(mixed(look.background, look.text, 0.35));
      this.behind.paint(plot, geometry, Math.min(0.3, opacity), () => faint);
    }
    this.behind.canvas.element.hidden = this.brushes.size === 0;
    const colours = plot.applications.map((_, application) => cssColour(applicationColour(application, look)));
    this.lines.paint(plot, geometry, opacity, (job) =>
      isBrushed[job] === 1 ? colours[plot.applicationOf[job]!] : undefined,
    );
    this.overlay.paint(plot, geometry, look, this.pointed);
  }

  private listen(walk: HTMLElement): void {
    new ResizeObserver(() => {
      if (this.room.clientWidth !== this.drawn?.geometry.width) this.draw();
    }).observe(this.room);
    onThemeChange(() => {
      this.look = currentAppearance();
      this.drawn = undefined;
      this.fillLegend();
      this.draw();
    });
    walk.addEventListener('pointermove', (event) => {
      if (event.buttons === 0) this.point(this.jobAt(event));
    });
    walk.addEventListener('pointerleave', () => this.point(undefined));
    walk.addEventListener('click', (event) => {
      const job = this.jobAt(event);
      if (job !== undefined) this.events.choose(job);
    });
    walk.addEventListener('keydown', (event) => this.key(event));
  }

  private jobAt({ offsetX, offsetY }: MouseEvent): number | undefined {
    const { drawn, isBrushed } = this;
    if (drawn === undefined) return undefined;
    const { geometry, plot } = drawn;
    return nearestJob(plot, isBrushed, geometry.acrossAt(offsetX), geometry.positionAt(offsetY), REACH);
  }

  private key(event: KeyboardEvent): void {
    const { pointed, plot, isBrushed } = this;
    if (event.key === 'Enter' && pointed !== undefined) this.events.choose(pointed);
    else if (event.key === 'Escape') this.point(undefined);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      let job = pointed === undefined && step < 0 ? plot.jobs.length : (pointed ?? -1);
      do job += step;
      while (job >= 0 && job < plot.jobs.length && isBrushed[job] === 0);
      if (job >= 0 && job < plot.jobs.length) this.point(job);
    } else return;
    event.preventDefault();
  }

  private point(job: number | undefined): void {
    if (job === this.pointed) return;
    this.pointed = job;
    const { plot, look, drawn } = this;
    this.room.classList.toggle('is-pointing', job !== undefined);
    if (job === undefined) this.said.textContent = HINT;
    else {
      const { jobId } = plot.jobs[job]!;
      const values = plot.axes.map(({ title, textOf }) => `${title} ${textOf(job)}`);
      this.said.replaceChildren(make('span', {}, [`Job id ${jobId ?? 'unknown'}`, ...values].join(', ')));
    }
    if (drawn !== undefined) this.overlay.paint(plot, drawn.geometry, look, job);
  }

  private fillLegend(): void {
    const { plot, look } = this;
    const shown = plot.applications.slice(0, LEGEND).map((name, application) => {
      const swatch = make('span', { class: 'parallel-swatch' });
      swatch.style.background = cssColour(applicationColour(application, look));
      const made = button(name, { title: `Brush the jobs of ${name}` }, () =>
        this.brush(() => {
          this.brushes.set(APPLICATION_AXIS, applicationBrush(plot, application));
        }),
      );
      made.prepend(swatch);
      return made;
    });
    const more = plot.applications.length - shown.length;
    const rest = more > 0 ? [make('span', { class: 'soft' }, `and ${formatCount(more)} more`)] : [];
    this.legend.replaceChildren(...shown, ...rest);
  }

  private fillList(left: readonly number[]): void {
    const { axes, jobs } = this.plot;
    const shown = axes.filter(({ id }) => id !== 'job');
    const columns = [{ title: 'Job' }, ...shown.map(({ title, about }) => ({ title, hint: about, isNumber: true }))];
    const rows = left
      .slice(0, LISTED)
      .map((job): Cell[] => [
        button(jobs[job]!.jobId ?? jobs[job]!.log.slice(0, 8), {}, () => this.events.choose(job)),
        ...shown.map(({ textOf }) => textOf(job)),
      ]);
    const caption = left.length > LISTED ? `The first ${LISTED} of ${formatCount(left.length)} jobs` : '';
    this.list.replaceChildren(table(columns, rows, caption));
  }
}
