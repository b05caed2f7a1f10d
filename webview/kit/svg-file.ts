/** The graph as it is shown, as a file: styles that come from the editor's theme are written into each element. */

import type { Picture } from '../../src/base/page-values.ts';
import { pngOfSvg } from './png.ts';

/** Properties that make up the drawing. */
const PROPERTIES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'paint-order'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor'],
];
const MARGIN = 16;

/** The whole graph, not only what is in the window, as a file. */
export async function pictureOf(stage: SVGSVGElement, format: Picture['format']): Promise<Picture> {
  const svg = svgPicture(stage);
  return format === 'svg' ? { format, content: svg } : { format, content: await pngOfSvg(svg) };
}

function svgPicture(stage: SVGSVGElement): string {
  const canvas = stage.querySelector<SVGGElement>('#canvas')!;
  const { x, y, width, height } = canvas.getBBox();
  const copy = stage.cloneNode(true) as SVGSVGElement;
  const copied = copy.querySelector('#canvas')!;
  copyStyles(stage, copy);
  copied.removeAttribute('transform');
  // Handles, hints and the keyboard's order are for the window.
  for (const part of copied.querySelectorAll('[tabindex]')) part.removeAttribute('tabindex');
  for (const hit of copied.querySelectorAll('[data-hit]')) hit.remove();
  const size = { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(height + 2 * MARGIN) };
  copy.removeAttribute('tabindex');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `${x - MARGIN} ${y - MARGIN} ${size.width} ${size.height}`);
  copy.setAttribute('width', String(size.width));
  copy.setAttribute('height', String(size.height));
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const place = { x: x - MARGIN, y: y - MARGIN, ...size, fill: getComputedStyle(document.body).backgroundColor };
  for (const [name, value] of Object.entries(place)) background.setAttribute(name, String(value));
  copied.before(background);
  return new XMLSerializer().serializeToString(copy);
}

function copyStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const property of PROPERTIES) {
    const value = style.getPropertyValue(property);
    if (value !== '') to.setAttribute(property, plainColour(value));
  }
  to.removeAttribute('style');
  to.removeAttribute('class');
  Array.from(from.children).forEach((child, i) => copyStyles(child, to.children[i]!));
}

/** `color(srgb 0.2 0.4 1)`, which mixed colours are computed to, in words that every program knows. */
function plainColour(value: string): string {
  const mixed = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(value);
  if (mixed === null) return value;
  const [red, green, blue] = mixed.slice(1, 4).map((part) => Math.round(Number(part) * 255));
  return `rgba(${red}, ${green}, ${blue}, ${mixed[4] ?? '1'})`;
}
