import { cssColour, type Colour } from '../../src/drawing/timeline/category-colours.ts';
import type { Point } from '../../src/drawing/graph/graph-layout.ts';
import { FONT_PIXELS, type Surface, type TextLook } from '../../src/drawing/offsets/surface.ts';

interface CanvasSize {
  /** Pixels of the picture. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the screen that are one of the picture. */
  readonly scale: number;
}

interface CanvasLook {
  readonly background: Colour;
  readonly font: string;
}

/** A picture on a canvas. */
export class CanvasSurface implements Surface {
  private readonly context: CanvasRenderingContext2D;
  private readonly scale: number;
  private readonly font: string;

  constructor(canvas: HTMLCanvasElement, { width, height, scale }: CanvasSize, { background, font }: CanvasLook) {
    this.scale = scale;
    this.font = font;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    this.context = canvas.getContext('2d')!;
    this.context.fillStyle = cssColour(background);
    this.context.fillRect(0, 0, canvas.width, canvas.height);
    this.context.textBaseline = 'middle';
  }

  /** Ends on whole pixels of the screen: neither gaps nor grey edges between cells. */
  box(x: number, y: number, width: number, height: number, colour: Colour): void {
    const [left, right] = [this.pixel(x), this.pixel(x + width)];
    const [top, bottom] = [this.pixel(y), this.pixel(y + height)];
    this.context.fillStyle = cssColour(colour);
    this.context.fillRect(left, top, Math.max(1, right - left), Math.max(1, bottom - top));
  }

  line(from: Point, to: Point, colour: Colour, dashed = false): void {
    const { context, scale } = this;
    const thick = Math.max(1, Math.round(scale));
    const crisp = (value: number): number => this.pixel(value) + (thick % 2) / 2;
    context.strokeStyle = cssColour(colour);
    context.lineWidth = thick;
    context.setLineDash(dashed ? [4 * scale, 3 * scale] : []);
    context.beginPath();
    context.moveTo(crisp(from.x), crisp(from.y));
    context.lineTo(crisp(to.x), crisp(to.y));
    context.stroke();
  }

  text(x: number, y: number, text: string, { colour, align, bold = false }: TextLook): void {
    const { context, scale } = this;
    context.font = `${bold ? '600 ' : ''}${FONT_PIXELS * scale}px ${this.font}`;
    context.fillStyle = cssColour(colour);
    context.textAlign = align === 'middle' ? 'center' : align;
    context.fillText(text, x * scale, y * scale);
  }

  clipped(x: number, y: number, width: number, height: number, draw: () => void): void {
    const { context } = this;
    context.save();
    context.beginPath();
    const [left, top] = [this.pixel(x), this.pixel(y)];
    context.rect(left, top, this.pixel(x + width) - left, this.pixel(y + height) - top);
    context.clip();
    draw();
    context.restore();
  }

  private pixel(value: number): number {
    return Math.round(value * this.scale);
  }
}
