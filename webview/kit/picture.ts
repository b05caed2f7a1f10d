import { drawPicture, type PictureShape } from '../../src/drawing/patterns/pattern-picture.ts';
import { make, visibleText } from './dom.ts';
import { svgElement } from './svg.ts';

function shapeElement({ element: name, attributes, text, title }: PictureShape): SVGElement {
  const shape = svgElement(name, attributes);
  if (title !== undefined) shape.append(svgElement('title', {}, title));
  if (text !== undefined) shape.append(visibleText(text));
  return shape;
}

/** The picture of a finding with its description below. Everything in it goes in as text. */
export function pictureFigure(picture: Parameters<typeof drawPicture>[0]): HTMLElement {
  const { width, height, shapes } = drawPicture(picture);
  const words = visibleText(`${picture.title}. ${picture.description}`);
  const drawing = svgElement('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'aria-label': words,
  });
  drawing.append(svgElement('rect', { width, height, fill: '#ffffff', rx: 4 }), ...shapes.map(shapeElement));
  return make('figure', { class: 'picture' }, drawing, make('figcaption', { class: 'soft' }, words));
}
