/** What a colour stands for, the same in every view, picture and report. */
export const ROLES = ['write', 'read', 'metadata', 'communication', 'computing', 'io', 'sync', 'rest'] as const;
type Role = (typeof ROLES)[number];

/**
 * Seven hues and a grey, with lightness and hue moved until each pair differs by at least 20 (CIE76) for people who see all
 * colours and for those who lack one kind of cone, and all stand off from the background by a contrast of 3 (docs/decisions/0064):
 * category-colours.test.ts holds the limits. The order is that of ROLES; package.json contributes all but the grey as colours
 * of the theme (`iolens.read`), so that users can choose others.
 */
export const HUES = {
  dark: ['#f7a400', '#34bcfd', '#01914e', '#fbf70f', '#2f65d1', '#b56505', '#ce95bd', '#747474'],
  light: ['#db7a14', '#2d79df', '#00a864', '#7e6b26', '#00289d', '#63291d', '#a51c83', '#8a8a8a'],
} as const;

export function slotOf(role: Role): number {
  return ROLES.indexOf(role);
}

/** As `#rrggbb`, where there is no theme, or one that says nothing of it. */
export function roleColour(role: Role, isDark: boolean): string {
  return HUES[isDark ? 'dark' : 'light'][slotOf(role)]!;
}

const WORDS: readonly (readonly [pattern: RegExp, role: Role])[] = [
  [/^(nothing recorded|run time|others?)$/i, 'rest'],
  [/\bread(s|_|\b)|_read\b|^read/i, 'read'],
  [/\bwri(te|tten)|_writ(e|ten)\b/i, 'write'],
  [/metadata|\bmeta\b/i, 'metadata'],
  [/\b(sync|wait)/i, 'sync'],
  [/communicat/i, 'communication'],
  [/comput/i, 'computing'],
  [/^i\/o\b/i, 'io'],
];

/** What a series of numbers is about, by its name; undefined where that tells nothing. */
function roleOf(name: string): Role | undefined {
  return WORDS.find(([pattern]) => pattern.test(name))?.[1];
}

/** Roles whose colours a chart's series have: their own where their names tell one, of the others each another one. */
export function rolesOfSeries(names: readonly string[]): Role[] {
  const own = names.map(roleOf);
  const isOwned = own.map((role, at) => role !== undefined && own.indexOf(role) === at);
  const taken = new Set(own.filter((_, at) => isOwned[at]));
  const free = (['read', 'write', 'metadata', 'sync', 'communication', 'computing', 'io'] as const).filter(
    (role) => !taken.has(role),
  );
  let next = 0;
  return own.map((role, at) => (isOwned[at] ? role! : (free[next++ % Math.max(1, free.length)] ?? 'rest')));
}
