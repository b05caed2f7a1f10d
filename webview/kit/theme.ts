import { roleColour, ROLES, rolesOfSeries } from '../../src/drawing/palette.ts';
import type { Colour } from '../../src/drawing/timeline/category-colours.ts';

/** The editor's colours, for what is drawn on a canvas: style sheets cannot reach it. */
export interface Theme {
  readonly text: string;
  readonly softText: string;
  readonly background: string;
  readonly rule: string;
  /** Of series, by their names: reads, writes and the like look the same in all views. */
  readonly seriesOf: (names: readonly string[]) => readonly string[];
  /** Edges of bars: in high contrast a filled bar needs one. */
  readonly edge: string;
  readonly isHighContrast: boolean;
  readonly font: string;
  /** From nothing to the most, for the heatmap. */
  readonly scale: readonly [string, string, string];
}

export function currentTheme(): Theme {
  const style = getComputedStyle(document.body);
  const colour = (name: string, otherwise: string): string => {
    const value = style.getPropertyValue(`--vscode-${name}`).trim();
    return value === '' ? otherwise : value;
  };
  const text = colour('editor-foreground', '#333333');
  const background = colour('editor-background', '#ffffff');
  const isHighContrast = document.body.className.includes('high-contrast');
  return {
    text,
    background,
    softText: isHighContrast ? text : colour('descriptionForeground', text),
    // The border of high contrast is as loud as a bar.
    rule: isHighContrast
      ? 'rgba(128, 128, 128, 0.6)'
      : colour('widget-border', colour('panel-border', 'rgba(128, 128, 128, 0.35)')),
    seriesOf: (names) =>
      rolesOfSeries(names).map((role) => colour(`iolens-${role}`, roleColour(role, !isLight(document.body)))),
    edge: isHighContrast ? text : 'transparent',
    isHighContrast,
    font: colour('font-family', 'sans-serif'),
    // Towards the text's colour: the order of brightness is the same in dark and light themes, and without any hue.
    scale: [background, colour('charts-blue', '#3794ff'), text],
  };
}

function isLight({ classList }: HTMLElement): boolean {
  return classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
}

/** Colours of the palette as the theme has them, by slot. */
export function ownColours(): (Colour | undefined)[] {
  const style = getComputedStyle(document.body);
  return ROLES.map((role) => {
    const value = style.getPropertyValue(`--vscode-iolens-${role}`).trim();
    return value === '' ? undefined : channels(value);
  });
}

/** Calls back when the user takes another theme: the editor changes the classes and the style of the page. */
export function onThemeChange(changed: () => void): void {
  let waiting = false;
  const observer = new MutationObserver(() => {
    // Class and style change one after the other.
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      changed();
    });
  });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
}

/** A colour of three or four bytes, 0 to 255; canvases make one of any notation. */
export function channels(colour: string): readonly [number, number, number] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red!, green!, blue!];
}
