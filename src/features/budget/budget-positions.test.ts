import { expect, it } from 'vitest';
import { limitPositions } from './budget-positions.ts';

it('finds the line of each limit, whatever stands in its texts', () => {
  const text = [
    '{',
    '  "$schema": "x[{",',
    '  "limits": [',
    '    { "run": true, "calls": 1,',
    '      "reason": "\\"}{" },',
    '    {"run": true, "calls": 2}, { "run": true, "calls": 3 }',
    '  ]',
    '}',
  ].join('\r\n');
  expect(limitPositions(text).map(({ line }) => line)).toEqual([3, 5, 5]);
});
