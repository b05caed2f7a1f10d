import { drawPicture, type PictureShape } from '../../src/drawing/pattern-picture.ts';
import type { ViewFinding } from '../../src/messages/report-messages.ts';
import { make, visibleText } from './dom.ts';

const SVG = 'http://www.w3.org/2000/svg';

function svg(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
}

function shapeElement({ element: name, attributes, text, title }: PictureShape): SVGElement {
  const shape = svg(name, attributes);
  if (title !== undefined) {
    const words = svg('title', {});
    words.textContent = visibleText(title);
    shape.append(words);
  }
  if (text !== undefined) shape.append(visibleText(text));
  return shape;
}

/** The picture of a finding with its description below. Everything in it goes in as text. */
export function pictureFigure(picture: NonNullable<ViewFinding['picture']>): HTMLElement {
  const { width, height, shapes } = drawPicture(picture);
  const words = visibleText(`${picture.title}. ${picture.description}`);
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': words });
  drawing.append(svg('rect', { width, height, fill: '#ffffff', rx: 4 }), ...shapes.map(shapeElement));
  return make('figure', { class: 'picture' }, drawing, make('figcaption', { class: 'soft' }, words));
}
