import { expect, test } from 'vitest';
import { namedProgram, shownName, timedName } from './timed-name.ts';

test.each([
  ['./heat2d', 'heat2d-2026-03-04-050607'],
  ['/opt/my app/größe "x"', 'größe_x_-2026-03-04-050607'],
  ['..\n$(x)', '.._x_-2026-03-04-050607'],
  ['', 'program-2026-03-04-050607'],
])('of %s: %s', (program, name) => expect(timedName(program, new Date(2026, 2, 4, 5, 6, 7))).toBe(name));

test.each([
  ['heat2d-2026-03-04-050607.iolens', 'heat2d'],
  ['heat-2d-2026-03-04-050607-2.strace', 'heat-2d'],
  ['before the fix.strace.gz', 'before the fix'],
  ['heat2d-2026.iolens', 'heat2d-2026'],
])('%s is named by %s', (name, program) => expect(namedProgram(name)).toBe(program));

test.each([
  ['heat2d-2026-03-04-050607.iolens', 'heat2d 03-04 05:06:07'],
  ['heat-2d-2026-03-04-050607-2.strace.gz', 'heat-2d 03-04 05:06:07-2'],
  ['heat2d-2025-12-31-235959.iolens', 'heat2d 2025-12-31 23:59:59'],
  ['before the fix.strace.gz', 'before the fix.strace.gz'],
])('%s is shown as %s', (name, shown) => expect(shownName(name, new Date(2026, 2, 5))).toBe(shown));
