import { describe, expect, test } from 'vitest';
import {
  CategoryColours,
  colourOf,
  cssColour,
  luminance,
  shadeTable,
  textOn,
  type Colour,
  type ColourTheme,
} from './category-colours.ts';
import { SHADES } from './row-pixels.ts';

const THEMES: Readonly<Record<string, ColourTheme>> = {
  dark: { isDark: true, isHighContrast: false, background: [31, 31, 31] },
  light: { isDark: false, isHighContrast: false, background: [255, 255, 255] },
};

/** What people see who lack one kind of cone: Machado, Oliveira and Fernandes (2009), severity 1, on linear values. */
const SIGHTS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (part: number): number => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);

/** CIELAB, so that distances are as people see them. */
function seen(colour: Colour, sight: readonly (readonly number[])[]): [number, number, number] {
  const parts = colour.map(linear);
  const [r, g, b] = sight.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, weight, at) => sum + weight * parts[at]!, 0),
      ),
    ),
  ) as [number, number, number];
  const scaled = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = scaled((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = scaled(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = scaled((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const contrast = (one: Colour, other: Colour): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

describe.each(Object.entries(THEMES))('colours of categories, %s', (_name, theme) => {
  const colours = Array.from({ length: 8 }, (_, slot) => colourOf(slot, theme));

  test.each(Object.entries(SIGHTS))('all eight differ for those who see: %s', (_sight, sight) => {
    for (let i = 0; i < colours.length; i++)
      for (let j = 0; j < i; j++) {
        const [a, b] = [seen(colours[i]!, sight), seen(colours[j]!, sight)];
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        expect(distance, `${cssColour(colours[i]!)} and ${cssColour(colours[j]!)}`).toBeGreaterThan(20);
      }
  });

  test('all stand off from the background, and text can be read on them', () => {
    for (const colour of colours) {
      expect(contrast(colour, theme.background), cssColour(colour)).toBeGreaterThan(3);
      const text: Colour = textOn(colour) === '#000000' ? [0, 0, 0] : [255, 255, 255];
      expect(contrast(colour, text), cssColour(colour)).toBeGreaterThan(4.5);
    }
  });

  test('what is dim is nearer to the background than the faintest of what is not', () => {
    const { plain, dimmed } = shadeTable(colours, theme);
    const channels = (pixel: number): Colour => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
    const far = (pixel: number): number =>
      channels(pixel).reduce((sum, part, at) => sum + Math.abs(part - theme.background[at as 0 | 1 | 2]), 0);
    for (let category = 0; category < 7; category++)
      expect(far(dimmed[category * SHADES + SHADES - 1]!)).toBeLessThan(far(plain[category * SHADES]!));
    expect(plain[0]! >>> 24).toBe(255);
  });
});

describe('who gets which colour', () => {
  test('writing and reading look the same in every recording', () => {
    const one = new CategoryColours('operation').slotsOf(['futex', 'write', 'openat', 'read']);
    const other = new CategoryColours('operation').slotsOf(['read', 'pwrite64']);
    expect(one[1]).toBe(other[1]);
    expect(one[3]).toBe(other[0]);
    expect(new Set(one).size).toBe(4);
  });

  test('a category keeps its colour when others come, and none has another’s', () => {
    const colours = new CategoryColours('file');
    const [a, b] = colours.slotsOf(['a', 'b']);
    const again = colours.slotsOf(['c', 'b', 'd', 'a']);
    expect(again[1]).toBe(b);
    expect(again[3]).toBe(a);
    expect(new Set(again).size).toBe(4);
  });

  test('what is left over is grey, and no other category is', () => {
    const labels = [...Array.from({ length: 14 }, (_, number) => `file ${number}`), 'others'];
    const slots = new CategoryColours('file').slotsOf(labels);
    expect(slots.at(-1)).toBe(7);
    expect(new Set(slots).size).toBe(15);
    expect(slots.slice(0, 14).every((slot) => slot % 8 !== 7)).toBe(true);
  });
});

test('the colours of reading and writing are nobody else’s, whatever the recording holds', () => {
  const colours = new CategoryColours('operation');
  const many = Array.from({ length: 20 }, (_, at) => `call${at}`);
  const slots = colours.slotsOf(['open', 'close', 'seek', ...many]);
  const [write, read] = new CategoryColours('operation').slotsOf(['write', 'read']);
  expect(slots).not.toContain(write);
  expect(slots).not.toContain(read);
  expect(colours.slotsOf(['read', 'write'])).toEqual([read, write]);
});
