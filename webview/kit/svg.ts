import { visibleText } from './dom.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an SVG element; text only ever gets in as text. */
export function svgElement(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  if (text !== '') made.textContent = visibleText(text);
  return made;
}
