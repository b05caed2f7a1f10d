import { expect, test } from 'vitest';
import { namedProgram, timedName } from './timed-name.ts';

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
