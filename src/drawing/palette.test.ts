import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roleColour, ROLES, rolesOfSeries } from './palette.ts';
import { luminance, parseColour } from './timeline/category-colours.ts';

/** Backgrounds of the editor in its default themes. */
const BACKGROUNDS = { dark: '#1f1f1f', light: '#ffffff', highContrast: '#000000', highContrastLight: '#ffffff' };

interface ContributedColour {
  readonly id: string;
  readonly defaults: Readonly<Record<keyof typeof BACKGROUNDS, string>>;
}

const { contributes } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  contributes: { colors: readonly ContributedColour[] };
};

const contrast = (one: string, other: string): number => {
  const [light, dark] = [one, other].map((hex) => luminance(parseColour(hex))).sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
};

test('each role is a colour of the theme, the same that exports have, and stands off in the four default themes', () => {
  for (const role of ROLES.filter((each) => each !== 'rest')) {
    const contributed = contributes.colors.find(({ id }) => id === `iolens.${role}`);
    expect(contributed, role).toBeDefined();
    const { defaults } = contributed!;
    expect(defaults.dark).toBe(roleColour(role, true));
    expect(defaults.light).toBe(roleColour(role, false));
    for (const [theme, background] of Object.entries(BACKGROUNDS))
      expect(contrast(defaults[theme as keyof typeof BACKGROUNDS], background), `${role}, ${theme}`).toBeGreaterThan(3);
  }
});

test('series have the colour of what they are about, and no two the same', () => {
  expect(rolesOfSeries(['Read', 'Write', 'Metadata', 'Wait'])).toEqual(['read', 'write', 'metadata', 'sync']);
  expect(rolesOfSeries(['Writes', 'Reads'])).toEqual(['write', 'read']);
  expect(rolesOfSeries(['Computation', 'Communication', 'I/O', 'Nothing recorded'])).toEqual([
    'computing',
    'communication',
    'io',
    'rest',
  ]);
  expect(rolesOfSeries(['bytes_written', 'bytes_read'])).toEqual(['write', 'read']);
  expect(rolesOfSeries(['Calls'])).toEqual(['read']);
  expect(rolesOfSeries(['jobs', 'Reads', 'nodes'])).toEqual(['write', 'read', 'metadata']);
});
