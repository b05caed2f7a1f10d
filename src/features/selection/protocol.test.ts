import { describe, expect, test } from 'vitest';
import { isSelection, isSelectionPart } from './protocol.ts';

const naming = { mapping: 'call', pathFilter: '', ownFilesOnly: true, grouping: 'file' };

describe('what a view says is selected', () => {
  test.each([
    { kind: 'line', file: '/a.c', line: 0 },
    { kind: 'function', file: '', name: 'main' },
    { kind: 'activity', activity: 'read', ...naming },
    { kind: 'activity', activity: 'read', ...naming, siteVariables: [{ name: '$S', prefix: '/s' }] },
    { kind: 'activity', activity: 'read', ...naming, mapping: `{"rules":"${'x'.repeat(9_000)}"}` },
    { kind: 'edge', from: '●', to: 'read', ...naming },
    { kind: 'file', path: 'pipe:[1]' },
    { kind: 'rank', rank: 3 },
    { kind: 'process', host: '', process: 7 },
    { kind: 'process', host: 'n1', process: 7, thread: 8 },
    { kind: 'host', host: '' },
    { kind: 'layer', layer: 'POSIX' },
    { kind: 'call', call: 'read' },
    { kind: 'span', fromNs: 0.5, toNs: 3 },
    { kind: 'insight', code: 'P06' },
    { kind: 'insight', code: 'P06', file: '/a.c', line: 3 },
  ])('is one: %j', (part) => {
    expect(isSelectionPart(part)).toBe(true);
    expect(isSelection([part, part])).toBe(true);
  });

  test.each([
    null,
    'line',
    [],
    {},
    { kind: 'settings' },
    { kind: 'line', file: '/a.c', line: 1.5 },
    { kind: 'line', file: '/a.c', line: -1 },
    { kind: 'line', file: '', line: 1 },
    { kind: 'line', file: 'x'.repeat(5_000), line: 1 },
    { kind: 'activity', activity: 'read' },
    { kind: 'activity', activity: 'read', ...naming, grouping: 'host' },
    { kind: 'activity', activity: 'read', ...naming, mapping: 'x'.repeat(70_000) },
    { kind: 'activity', activity: 'read', ...naming, siteVariables: [{ name: '$S' }] },
    { kind: 'activity', activity: 'read', ...naming, siteVariables: 'S' },
    { kind: 'edge', from: 'read', ...naming },
    { kind: 'process', host: 'n1', process: 7, thread: '8' },
    { kind: 'rank', rank: Infinity },
    { kind: 'span', fromNs: 3, toNs: 1 },
    { kind: 'span', fromNs: NaN, toNs: 1 },
    { kind: 'insight', code: '' },
    { kind: 'insight', code: 'P06', line: 'three' },
  ])('is none: %j', (part) => {
    expect(isSelectionPart(part)).toBe(false);
    expect(isSelection([part])).toBe(false);
  });

  test('has a bound', () => {
    const part = { kind: 'rank', rank: 1 };
    expect(isSelection(Array.from({ length: 16 }, () => part))).toBe(true);
    expect(isSelection(Array.from({ length: 17 }, () => part))).toBe(false);
  });
});
