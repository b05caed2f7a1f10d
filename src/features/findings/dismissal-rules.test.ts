import { describe, expect, test } from 'vitest';
import { dismissalOf, isDismissal, isDismissed, keyOf, type Dismissable } from './dismissal-rules.ts';

const relative = (file: string): string => file.replace('/project/', '');
const finding: Dismissable = {
  insight: { trigger: 'small', title: 'Many small writes' },
  site: { file: '/project/a.c', line: 7, function: 'emit', source: 'write(fd, line, 100);' },
};
const elsewhere = (changes: Partial<NonNullable<Dismissable['site']>>): Dismissable => ({
  ...finding,
  site: { ...finding.site!, ...changes },
});

describe('a dismissed finding', () => {
  test('at a place stays dismissed when its line moves, not when it is written anew', () => {
    const rules = [dismissalOf(finding, 'place', relative)];
    expect(isDismissed(rules, elsewhere({ line: 90 }), relative)).toBe(true);
    expect(isDismissed(rules, elsewhere({ source: 'write(fd, block, 8192);' }), relative)).toBe(false);
    expect(isDismissed(rules, elsewhere({ function: 'other' }), relative)).toBe(false);
    expect(isDismissed(rules, { ...finding, insight: { trigger: 'random', title: '' } }, relative)).toBe(false);
  });

  test('at a place whose file is not here goes by its line number', () => {
    const rules = [dismissalOf(elsewhere({ source: '' }), 'place', relative)];
    expect(isDismissed(rules, elsewhere({ source: '' }), relative)).toBe(true);
    expect(isDismissed(rules, elsewhere({ source: '', line: 8 }), relative)).toBe(false);
  });

  test('in a file is dismissed on all its lines, and in a workspace that was moved', () => {
    const rules = [dismissalOf(finding, 'file', relative)];
    expect(isDismissed(rules, elsewhere({ line: 1, source: 'other' }), relative)).toBe(true);
    expect(isDismissed(rules, elsewhere({ file: '/project/b.c' }), relative)).toBe(false);
    expect(isDismissed(rules, elsewhere({ file: '/moved/a.c' }), (file) => file.replace('/moved/', ''))).toBe(true);
  });

  test('of a trigger is dismissed everywhere; a finding without a place can only be dismissed so', () => {
    const everywhere = { ...finding, site: undefined };
    expect(dismissalOf(everywhere, 'place', relative).scope).toBe('trigger');
    expect(isDismissed([dismissalOf(finding, 'trigger', relative)], everywhere, relative)).toBe(true);
    expect(isDismissed([dismissalOf(finding, 'file', relative)], everywhere, relative)).toBe(false);
  });

  test('what was stored is looked at before it is trusted', () => {
    const rules = (['place', 'file', 'trigger'] as const).map((scope) => dismissalOf(finding, scope, relative));
    expect(rules.every(isDismissal)).toBe(true);
    expect(new Set(rules.map(keyOf)).size).toBe(3);
    for (const wrong of [
      null,
      'place',
      {},
      { scope: 'place', trigger: 'x' },
      { scope: 'all', trigger: 'x', title: '' },
    ])
      expect(isDismissal(wrong)).toBe(false);
  });
});
