import type { OffsetColour } from '../../src/features/offsets/protocol.ts';
import { colourOf, type Colour } from '../../src/drawing/timeline/category-colours.ts';
import { READ, WRITE, type Appearance } from '../kit/appearance.ts';

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
