import type { ColourBy } from '../../analysis/timeline/timeline.ts';
import { HUES, slotOf } from '../palette.ts';
import { SHADES, type ShadeTable } from './row-pixels.ts';

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** What the colours stand on. */
export interface ColourTheme {
  readonly isDark: boolean;
  readonly isHighContrast: boolean;
  readonly background: Colour;
  /** Colours of the palette that the user chose, by slot. */
  readonly own?: readonly (Colour | undefined)[];
}

/** Hues before the same come again, nearer to the text's colour. The grey is for what is left over. */
const PLAIN_HUES = 7;
const REST = PLAIN_HUES;

/** A category's colour is chosen once and stays, whatever takes most time in the next answer. */
export class CategoryColours {
  private readonly slots = new Map<string, number>();
  private next = 0;

  constructor(private readonly by: ColourBy) {}

  /** Slots of the categories of an answer, in its order. */
  slotsOf(labels: readonly string[]): number[] {
    // Those with a colour of their own go first, so that nobody takes it.
    const taken = new Set([...this.slots.values(), ...(this.by === 'operation' ? TRANSFERS : [])]);
    for (const label of labels) {
      const own = ownSlot(this.by, label);
      if (own === undefined || this.slots.has(label) || [...this.slots.values()].includes(own)) continue;
      this.slots.set(label, own);
      taken.add(own);
    }
    return labels.map((label) => {
      let slot = this.slots.get(label);
      if (slot === undefined) {
        while (taken.has(this.next) || this.next % (PLAIN_HUES + 1) === REST) this.next++;
        slot = this.next++;
        this.slots.set(label, slot);
      }
      return slot;
    });
  }
}

/** Nothing else has their colours, also where a recording has only one of them, or none. */
const TRANSFERS = [slotOf('write'), slotOf('read')];

/** Writing, reading and the like, and the layers, look the same in every recording. */
const OPERATIONS: readonly (readonly [pattern: RegExp, slot: number])[] = [
  [/^(p?writev?(64|2)?|write|writes)$/, slotOf('write')],
  [/^(p?readv?(64|2)?|read|reads)$/, slotOf('read')],
  [/^metadata$/, slotOf('metadata')],
  [/^message$/, slotOf('communication')],
  [/^(open(at2?)?|creat)$/, slotOf('io')],
  [/^(f(data)?sync|msync|sync|syncfs|sync_file_range)$/, slotOf('sync')],
];
const LAYERS: readonly (readonly [pattern: RegExp, slot: number])[] = [
  [/^(posix|system call)$/i, 1],
  [/^mpi-?io$/i, 0],
  [/^stdio$/i, 2],
  [/^hdf5$/i, 6],
  [/netcdf/i, 3],
];

function ownSlot(by: ColourBy, label: string): number | undefined {
  if (/^(\d+ others|others?|no (file|source line|finding)|moves no bytes)$/.test(label)) return REST;
  const list = by === 'operation' ? OPERATIONS : by === 'layer' ? LAYERS : [];
  return list.find(([pattern]) => pattern.test(label))?.[1];
}

export function colourOf(slot: number, theme: ColourTheme): Colour {
  const list = theme.isDark ? HUES.dark : HUES.light;
  const hue = theme.own?.[slot % list.length] ?? parseColour(list[slot % list.length]!);
  const round = Math.floor(slot / list.length);
  // Again the same hues, lighter on dark and darker on light, then towards the middle.
  if (round === 0) return hue;
  const towards: Colour = round % 2 === 1 ? (theme.isDark ? [255, 255, 255] : [0, 0, 0]) : [128, 128, 128];
  return mixed(hue, towards, 0.45);
}

export function parseColour(hex: string): Colour {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/** @param share of the second colour, 0 to 1. */
export function mixed(one: Colour, other: Colour, share: number): Colour {
  const mix = (at: 0 | 1 | 2): number => Math.round(one[at] + (other[at] - one[at]) * share);
  return [mix(0), mix(1), mix(2)];
}

export function cssColour([red, green, blue]: Colour): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The least of a colour that a bin with hardly any event in it gets: it must be seen. */
const FAINTEST = 0.38;
/** What is not selected keeps so much of its colour. */
const DIMMED = 0.22;

/** How much of its colour a cell shows that is busy for a share of its time. */
export function strength(busy: number, isSelected: boolean): number {
  return (FAINTEST + (1 - FAINTEST) * busy) * (isSelected ? 1 : DIMMED);
}

export function shadeTable(colours: readonly Colour[], theme: ColourTheme): ShadeTable {
  const plain = new Uint32Array(colours.length * SHADES);
  const dimmed = new Uint32Array(colours.length * SHADES);
  const grey: Colour = [128, 128, 128];
  colours.forEach((colour, category) => {
    for (let shade = 0; shade < SHADES; shade++) {
      const busy = shade / (SHADES - 1);
      plain[category * SHADES + shade] = pixel(mixed(theme.background, colour, strength(busy, true)));
      const faint = mixed(colour, grey, 0.5);
      dimmed[category * SHADES + shade] = pixel(mixed(theme.background, faint, strength(busy, false)));
    }
  });
  return { plain, dimmed };
}

/** Bytes of a canvas are red, green, blue, opacity; all machines that run the editor store the lowest first. */
function pixel([red, green, blue]: Colour): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Black or white, whichever is read more easily on a colour. */
export function textOn(colour: Colour): string {
  return luminance(colour) > 0.179 ? '#000000' : '#ffffff';
}

/** Relative luminance as the guidelines on contrast (WCAG 2) define it, 0 to 1. */
export function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
