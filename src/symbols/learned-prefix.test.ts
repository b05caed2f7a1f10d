import { describe, expect, test } from 'vitest';
import { prefixRule, withRule } from './learned-prefix.ts';
import { mappedPaths } from './symbol-files.ts';

describe('prefixRule', () => {
  test.each([
    ['/build/app/src/io/emit.c', '/home/me/app/src/io/emit.c', '/build/app/src/grid.c', '/home/me/app/src/grid.c'],
    ['/build/app/src/emit.c', '/w/emit.c', '/build/app/src/sub/grid.c', '/w/sub/grid.c'],
    ['/app/emit.c', '/w/app/emit.c', '/app/grid.c', '/w/app/grid.c'],
    ['src/emit.c', '/w/project/src/emit.c', 'lib/grid.c', '/w/project/lib/grid.c'],
    ['emit.c', '/w/emit.c', 'sub/grid.c', '/w/sub/grid.c'],
  ])('%s is %s, so %s is %s', (recorded, chosen, other, follows) => {
    const rule = prefixRule(recorded, chosen);
    expect(mappedPaths(recorded, [rule])).toEqual([chosen]);
    expect(mappedPaths(other, [rule])).toEqual([follows]);
  });

  test.each([
    ['/build/emit.c', '/w/renamed.c'],
    ['../up/emit.c', '/w/other/emit.c'],
  ])('%s is %s says nothing of other files', (recorded, chosen) => {
    const rule = prefixRule(recorded, chosen);
    expect(mappedPaths(recorded, [rule])).toEqual([chosen]);
    expect(mappedPaths('/build/grid.c', [rule])).toEqual([]);
    expect(mappedPaths('../up/grid.c', [rule])).toEqual([]);
  });

  test('what is learned anew replaces what was learned before', () => {
    const rules = withRule([{ from: '/build', to: '/old' }], { from: '/build', to: '/new' });
    expect(rules).toEqual([{ from: '/build', to: '/new' }]);
  });
});
