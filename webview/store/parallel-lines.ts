import { AXIS_RANGE, UNKNOWN, type ParallelPlot } from '../../src/drawing/parallel/parallel-coordinates.ts';
import { colourOf, cssColour, mixed, type Colour } from '../../src/drawing/timeline/category-colours.ts';
import type { Appearance } from '../kit/appearance.ts';
import { visibleText } from '../kit/dom.ts';
import { SharpCanvas } from '../kit/sharp-canvas.ts';

/** Room around the axes: titles above, labels of the last axis beside. */
const MARGIN = { top: 46, bottom: 10, left: 34, right: 112 } as const;

/** Where axes and positions are, in pixels of CSS. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly xOf: (axis: number) => number;
  readonly yOf: (position: number) => number;
  /** 0 at the first axis, 1 at the last one. */
  readonly acrossAt: (x: number) => number;
  readonly positionAt: (y: number) => number;
}

export function geometryOf(width: number, height: number, axes: number): Geometry {
  const wide = Math.max(1, width - MARGIN.left - MARGIN.right);
  const high = Math.max(1, height - MARGIN.top - MARGIN.bottom);
  const span = AXIS_RANGE.to - AXIS_RANGE.from;
  return {
    width,
    height,
    xOf: (axis) => MARGIN.left + (axis / (axes - 1)) * wide,
    yOf: (position) => MARGIN.top + ((AXIS_RANGE.to - position) / span) * high,
    acrossAt: (x) => (x - MARGIN.left) / wide,
    positionAt: (y) => AXIS_RANGE.to - ((y - MARGIN.top) / high) * span,
  };
}

/** Seven hues; the grey between them is for what is not brushed. */
export function applicationColour(application: number, { theme }: Appearance): Colour {
  return colourOf(application + Math.floor(application / 7), theme);
}

/** Milliseconds of a frame that lines may take: the rest is the pointer's. */
const SLICE = 9;
/** Lines between two looks at the clock. */
const BLOCK = 50;

/** Lines on a canvas, painted over several frames when they are many; a new picture stops the one before. */
export class ParallelLines {
  readonly canvas = new SharpCanvas(document.createElement('canvas'));
  private paintings = 0;

  /** @param colour of a job; undefined: it is left out. */
  paint(plot: ParallelPlot, geometry: Geometry, opacity: number, colour: (job: number) => string | undefined): void {
    const context = this.canvas.begin(geometry.width, geometry.height);
    const painting = ++this.paintings;
    const columns = plot.axes.map(({ positions }, axis) => ({ x: geometry.xOf(axis), positions }));
    let job = 0;
    const slice = (): void => {
      if (painting !== this.paintings) return;
      context.globalAlpha = opacity;
      context.lineWidth = 1.2;
      const until = performance.now() + SLICE;
      while (job < plot.jobs.length) {
        if (job % BLOCK === 0 && performance.now() > until) {
          requestAnimationFrame(slice);
          return;
        }
        const stroke = colour(job);
        if (stroke !== undefined) drawLine(context, columns, geometry, job, stroke);
        job++;
      }
    };
    slice();
  }
}

/** Above what is painted: axes, labels and the line under the pointer. */
export class ParallelOverlay {
  readonly canvas = new SharpCanvas(document.createElement('canvas'));

  paint(plot: ParallelPlot, geometry: Geometry, look: Appearance, pointed: number | undefined): void {
    const context = this.canvas.begin(geometry.width, geometry.height);
    if (pointed !== undefined) {
      const columns = plot.axes.map(({ positions }, axis) => ({ x: geometry.xOf(axis), positions }));
      context.lineWidth = 5;
      drawLine(context, columns, geometry, pointed, cssColour(look.background));
      context.lineWidth = 2.5;
      drawLine(context, columns, geometry, pointed, cssColour(look.text));
    }
    plot.axes.forEach((axis, number) => {
      const x = this.canvas.crisp(geometry.xOf(number));
      context.strokeStyle = cssColour(mixed(look.background, look.text, look.theme.isHighContrast ? 1 : 0.6));
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x, geometry.yOf(1));
      context.lineTo(x, geometry.yOf(0));
      context.stroke();
      const marks = axis.hasUnknown ? [...axis.ticks, { position: UNKNOWN, label: 'unknown' }] : axis.ticks;
      for (const { position, label } of marks) this.label(label, x, geometry.yOf(position), look);
    });
  }

  /** Beside the axis, on a shade that sets it off from the lines. */
  private label(text: string, x: number, y: number, { background, softText, font }: Appearance): void {
    const { context } = this.canvas;
    context.font = `10px ${font}`;
    context.textBaseline = 'middle';
    const shown = shortened(visibleText(text));
    context.fillStyle = cssColour(background);
    context.globalAlpha = 0.75;
    context.fillRect(x + 3, y - 6, context.measureText(shown).width + 4, 12);
    context.globalAlpha = 1;
    context.fillStyle = cssColour(softText);
    context.fillText(shown, x + 5, y);
  }
}

const MOST_LETTERS = 17;

function shortened(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

function drawLine(
  context: CanvasRenderingContext2D,
  columns: readonly { readonly x: number; readonly positions: Float32Array }[],
  geometry: Geometry,
  job: number,
  stroke: string,
): void {
  context.strokeStyle = stroke;
  context.beginPath();
  for (const { x, positions } of columns) context.lineTo(x, geometry.yOf(positions[job]!));
  context.stroke();
}
