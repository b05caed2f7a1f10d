import { fittedText, shortestEndings } from '../../src/base/path-names.ts';

/** Measures texts as they stand in a font of CSS, and shortens them. Who shows a short one has the whole text on hover. */
export class TextRuler {
  private readonly context = document.createElement('canvas').getContext('2d');

  constructor(font: string) {
    if (this.context !== null) this.context.font = font;
  }

  widthOf(text: string): number {
    return this.context?.measureText(text).width ?? text.length * 7;
  }

  fitted(text: string, width: number): string {
    return fittedText(text, (part) => this.widthOf(part) <= width);
  }
}

/** Names as they tell things apart: of paths the ends, as long as two need to be different; all others as they are. */
export function tellingNames(names: readonly string[]): string[] {
  const endings = shortestEndings(names.filter((name) => name.startsWith('/')));
  return names.map((name) => endings.get(name) ?? name);
}
