import {
  colourOf,
  luminance,
  mixed,
  type Colour,
  type ColourTheme,
} from '../../src/drawing/timeline/category-colours.ts';
import { slotOf } from '../../src/drawing/palette.ts';
import { channels, currentTheme, ownColours } from './theme.ts';

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
    theme: { isDark: luminance(paper) < 0.3, isHighContrast, background: paper, own: ownColours() },
    text: ink,
    softText: channels(softText),
    background: paper,
    rule: mixed(paper, ink, isHighContrast ? 0.6 : 0.3),
    font,
  };
}

/** Places of reads and writes among the colours of categories. */
export const WRITE = slotOf('write');
export const READ = slotOf('read');

export function directionColours({ theme }: Appearance): { readonly read: Colour; readonly write: Colour } {
  return { read: colourOf(READ, theme), write: colourOf(WRITE, theme) };
}
