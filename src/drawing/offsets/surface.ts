import { cssColour, type Colour } from '../timeline/category-colours.ts';
import { element, escapeMarkup } from '../../base/markup.ts';

export type TextAlign = 'start' | 'middle' | 'end';

/** What a picture is drawn on: a canvas, or an SVG. Lengths in pixels. */
export interface Surface {
  box(x: number, y: number, width: number, height: number, colour: Colour): void;
  /** One pixel thick. */
  line(x1: number, y1: number, x2: number, y2: number, colour: Colour, dashed?: boolean): void;
  /** @param y of the middle of the letters. */
  text(x: number, y: number, text: string, colour: Colour, align: TextAlign, bold?: boolean): void;
  /** What is drawn by `draw` is not seen outside of a box. */
  clipped(x: number, y: number, width: number, height: number, draw: () => void): void;
}

export const FONT_PIXELS = 11;

const round = (value: number): number => Math.round(value * 100) / 100;

/** A picture as text of an SVG. Every text in it is escaped. */
export class SvgSurface implements Surface {
  private parts: string[] = [];
  private clips = 0;

  box(x: number, y: number, width: number, height: number, colour: Colour): void {
    const place = { x: round(x), y: round(y), width: round(width), height: round(height) };
    this.parts.push(element('rect', { ...place, fill: cssColour(colour) }));
  }

  line(x1: number, y1: number, x2: number, y2: number, colour: Colour, dashed = false): void {
    const ends = { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2) };
    this.parts.push(
      element('line', { ...ends, stroke: cssColour(colour), 'stroke-dasharray': dashed ? '4 3' : undefined }),
    );
  }

  text(x: number, y: number, text: string, colour: Colour, align: TextAlign, bold = false): void {
    const look = { fill: cssColour(colour), 'text-anchor': align, 'font-weight': bold ? 600 : undefined };
    const place = { x: round(x), y: round(y), 'dominant-baseline': 'central' };
    this.parts.push(element('text', { ...place, ...look }, escapeMarkup(text)));
  }

  clipped(x: number, y: number, width: number, height: number, draw: () => void): void {
    const outside = this.parts;
    this.parts = [];
    draw();
    const id = `clip${this.clips++}`;
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
