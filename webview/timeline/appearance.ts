import { luminance, type Colour, type ColourTheme } from '../../src/drawing/timeline/category-colours.ts';
import { channels, ownColours } from '../kit/theme.ts';

/** The editor's colours, for what is drawn on canvases: style sheets cannot reach it. */
export interface Appearance {
  readonly theme: ColourTheme;
  readonly textColour: Colour;
  readonly text: string;
  readonly softText: string;
  readonly background: string;
  /** Behind lanes, headers and the overview. */
  readonly raised: string;
  readonly rule: string;
  readonly faintRule: string;
  /** Behind groups and under the pointer. */
  readonly rowRaised: string;
  readonly rowSelected: string;
  readonly focus: string;
  readonly font: string;
}

export function currentAppearance(): Appearance {
  const style = getComputedStyle(document.body);
  const colour = (...names: readonly string[]): string =>
    names.map((name) => style.getPropertyValue(`--vscode-${name}`).trim()).find((value) => value !== '') ?? '';
  const background = colour('editor-background') || '#ffffff';
  const text = colour('editor-foreground', 'foreground') || '#333333';
  const behind = channels(background);
  const isHighContrast = document.body.classList.contains('vscode-high-contrast');
  const isDark = luminance(behind) < 0.4;
  const veil = (share: number): string => (isDark ? `rgba(255, 255, 255, ${share})` : `rgba(0, 0, 0, ${share})`);
  return {
    theme: { isDark, isHighContrast, background: behind, own: ownColours() },
    textColour: channels(text),
    text,
    softText: isHighContrast ? text : colour('descriptionForeground') || text,
    background,
    raised: isHighContrast ? background : colour('sideBar-background', 'editorWidget-background') || background,
    rule: isHighContrast ? veil(0.5) : veil(0.14),
    faintRule: isHighContrast ? veil(0.28) : veil(0.06),
    rowRaised: veil(isHighContrast ? 0.12 : 0.06),
    rowSelected: isHighContrast ? 'transparent' : colour('list-inactiveSelectionBackground') || veil(0.1),
    focus: colour('focusBorder') || text,
    font: colour('font-family') || 'sans-serif',
  };
}
