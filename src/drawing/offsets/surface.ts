import { cssColour, type Colour } from '../timeline/category-colours.ts';
import type { Point } from '../graph/graph-layout.ts';
import { element, escapeMarkup } from '../../base/markup.ts';

export interface TextLook {
  readonly colour: Colour;
  readonly align: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
}

/** What a picture is drawn on: a canvas, or an SVG. Lengths in pixels. */
export interface Surface {
  box(x: number, y: number, width: number, height: number, colour: Colour): void;
  /** One pixel thick. */
  line(from: Point, to: Point, colour: Colour, dashed?: boolean): void;
  /** @param y of the middle of the letters. */
  text(x: number, y: number, text: string, look: TextLook): void;
  /** What is drawn by `draw` is not seen outside of a box. */
  clipped(x: number, y: number, width: number, height: number, draw: () => void): void;
}

export const FONT_PIXELS = 11;

const round = (value: number): number => Math.round(value * 100) / 100;

/** A picture as text of an SVG. Every text in it is escaped. */
export class SvgSurface implements Surface {
  private parts: string[] = [];
  private clips = 0;

  /** @param name tells it from other pictures on the same page: names of what is clipped are those of the page. */
  constructor(private readonly name = 'picture') {}

  box(x: number, y: number, width: number, height: number, colour: Colour): void {
    const place = { x: round(x), y: round(y), width: round(width), height: round(height) };
    this.parts.push(element('rect', { ...place, fill: cssColour(colour) }));
  }

  line(from: Point, to: Point, colour: Colour, dashed = false): void {
    const ends = { x1: round(from.x), y1: round(from.y), x2: round(to.x), y2: round(to.y) };
    this.parts.push(
      element('line', { ...ends, stroke: cssColour(colour), 'stroke-dasharray': dashed ? '4 3' : undefined }),
    );
  }

  text(x: number, y: number, text: string, { colour, align, bold = false }: TextLook): void {
    const look = { fill: cssColour(colour), 'text-anchor': align, 'font-weight': bold ? 600 : undefined };
    const place = { x: round(x), y: round(y), 'dominant-baseline': 'central' };
    this.parts.push(element('text', { ...place, ...look }, escapeMarkup(text)));
  }

  clipped(x: number, y: number, width: number, height: number, draw: () => void): void {
    const outside = this.parts;
    this.parts = [];
    draw();
    const id = `${this.name}-clip${this.clips++}`;
    const box = element('rect', { x: round(x), y: round(y), width: round(width), height: round(height) });
    const group = element('g', { 'clip-path': `url(#${id})` }, ...this.parts);
    this.parts = [...outside, element('clipPath', { id }, box), group];
  }

  /** The whole document. */
  document(title: string, width: number, height: number, background: Colour): string {
    const look = { 'font-family': 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif', 'font-size': FONT_PIXELS };
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    return element(
      'svg',
      { xmlns: 'http://www.w3.org/2000/svg', ...size, ...look, role: 'img' },
      element('title', {}, escapeMarkup(title)),
      element('rect', { width, height, fill: cssColour(background) }),
      ...this.parts,
    );
  }
}
