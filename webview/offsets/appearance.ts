import type { OffsetColour } from '../../src/messages/offset-messages.ts';
import {
  colourOf,
  luminance,
  mixed,
  type Colour,
  type ColourTheme,
} from '../../src/drawing/timeline/category-colours.ts';
import { channels, currentTheme } from '../report/theme.ts';

/** The editor's colours, as channels: a picture that is saved has them, too. */
export interface Appearance {
  readonly theme: ColourTheme;
  readonly text: Colour;
  readonly softText: Colour;
  readonly background: Colour;
  readonly rule: Colour;
  readonly font: string;
}

export function currentAppearance(): Appearance {
  const { text, softText, background, isHighContrast, font } = currentTheme();
  const [ink, paper] = [channels(text), channels(background)];
  return {
    theme: { isDark: luminance(paper) < 0.3, isHighContrast, background: paper },
    text: ink,
    softText: channels(softText),
    background: paper,
    rule: mixed(paper, ink, isHighContrast ? 0.6 : 0.3),
    font,
  };
}

const WRITE = 0;
const READ = 1;
const BOTH = 6;
/** The grey of what is left over. */
const REST = 7;

/** Colours of categories; reads and writes look as in the timeline. */
export function categoryColours(by: OffsetColour, labels: readonly string[], { theme }: Appearance): Colour[] {
  if (by === 'direction') return [READ, WRITE, BOTH].map((slot) => colourOf(slot, theme));
  if (by === 'repeats') return [REST, READ, WRITE, BOTH].map((slot) => colourOf(slot, theme));
  let next = 0;
  return labels.map((label) => {
    if (/^(others \(|no source line$|no finding$)/.test(label)) return colourOf(REST, theme);
    const slot = next++;
    // The grey comes once a round.
    return colourOf(slot + Math.floor(slot / REST), theme);
  });
}

export function directionColours({ theme }: Appearance): { readonly read: Colour; readonly write: Colour } {
  return { read: colourOf(READ, theme), write: colourOf(WRITE, theme) };
}
