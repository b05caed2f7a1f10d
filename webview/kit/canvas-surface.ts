import { cssColour, type Colour } from '../../src/drawing/timeline/category-colours.ts';
import { FONT_PIXELS, type Surface, type TextAlign } from '../../src/drawing/offsets/surface.ts';

/** A picture on a canvas; `scale` pixels of the screen are one of the picture. */
export class CanvasSurface implements Surface {
  private readonly context: CanvasRenderingContext2D;

  constructor(
    canvas: HTMLCanvasElement,
    width: number,
    height: number,
    private readonly scale: number,
    background: Colour,
    private readonly font: string,
  ) {
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

  line(x1: number, y1: number, x2: number, y2: number, colour: Colour, dashed = false): void {
    const { context, scale } = this;
    const thick = Math.max(1, Math.round(scale));
    const crisp = (value: number): number => this.pixel(value) + (thick % 2) / 2;
    context.strokeStyle = cssColour(colour);
    context.lineWidth = thick;
    context.setLineDash(dashed ? [4 * scale, 3 * scale] : []);
    context.beginPath();
    context.moveTo(crisp(x1), crisp(y1));
    context.lineTo(crisp(x2), crisp(y2));
    context.stroke();
  }

  text(x: number, y: number, text: string, colour: Colour, align: TextAlign, bold = false): void {
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
