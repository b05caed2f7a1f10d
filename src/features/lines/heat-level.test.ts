import { expect, test } from 'vitest';
import { heatLevel } from './heat-level.ts';

test.each([
  [1, 'highest'],
  [0.25, 'highest'],
  [0.2499, 'high'],
  [0.1, 'high'],
  [0.05, 'moderate'],
  [0.03, 'moderate'],
  [0.01, 'slight'],
  [0.0099, undefined],
  [0, undefined],
  [NaN, undefined],
])('a line with the share %d of the run is %s', (share, level) => expect(heatLevel(share)).toBe(level));
