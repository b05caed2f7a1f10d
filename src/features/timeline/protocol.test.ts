import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heard, keptState, type FromPage, type Questions } from '../../base/page-line.ts';
import { DEFAULT_TIMELINE_CHOICES, FROM_TIMELINE, TIMELINE, type TimelineLine } from './protocol.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
const asked = <Name extends keyof Questions<TimelineLine>>(ask: Name, value: Questions<TimelineLine>[Name]) =>
  ({ ask, number: 1, isInstead: false, value }) as FromPage<TimelineLine>;
const choices = DEFAULT_TIMELINE_CHOICES;

const GOOD: readonly FromPage<TimelineLine>[] = [
  { ready: 1 },
  asked('rows', choices),
  asked('rows', { ...choices, grouping: 'stack', stream: 3, rowFilter: 'rank' }),
  asked('window', { token: 1, window: { fromNs: 0, toNs: 1e9, bins: 3000, rows: [0, 1, 2] } }),
  asked('event', { token: 1, row: 0, timeNs: 5, toleranceNs: 1 }),
  asked('totals', { token: 1, fromNs: 0, toNs: 1 }),
  asked('search', { token: 1, text: 'write', fromNs: -1, direction: -1 }),
  asked('linked', { token: 1, recording: 0, event: 12, step: 'up' }),
  { say: 'select', value: { narrow: false, chosen: { what: 'below', number: 4 } } },
  { say: 'drawn', value: { rows: 3, firstPaintMs: 80 } },
  { say: 'drawn', value: { rows: 3 } },
  { say: 'select', value: { narrow: false, chosen: { what: 'row', token: 1, row: 0 } } },
  { say: 'select', value: { narrow: true, chosen: { what: 'share', number: 4, list: 'paths', index: 0 } } },
  { say: 'select', value: { narrow: true, chosen: { what: 'span', fromNs: 1, toNs: 2 } } },
  { say: 'clearSpan', value: undefined },
  { say: 'back', value: undefined },
  { say: 'clear', value: undefined },
  { say: 'openSource', value: { number: 1 } },
  { say: 'openRecording', value: { number: 1 } },
  { say: 'picture', value: { format: 'svg', content: '<svg xmlns="…"></svg>' } },
  { say: 'picture', value: { format: 'png', content: PNG } },
];

const BAD: readonly unknown[] = [
  null,
  'ready',
  {},
  { ready: '1' },
  { say: 'constructor' },
  { say: 'run', value: { command: 'rm' } },
  { ask: 'rows', number: -1, isInstead: false, value: choices },
  { ask: 'rows', number: 1, isInstead: false, value: { ...choices, grouping: 'moon' } },
  { ask: 'rows', number: 1, isInstead: false, value: { ...choices, rowFilter: 'x'.repeat(2000) } },
  {
    ask: 'window',
    number: 1,
    isInstead: false,
    value: { token: 1, window: { fromNs: 0, toNs: 1, bins: 1e9, rows: [] } },
  },
  {
    ask: 'window',
    number: 1,
    isInstead: false,
    value: { token: 1, window: { fromNs: 0, toNs: 1, bins: 5, rows: [0.5] } },
  },
  {
    ask: 'window',
    number: 1,
    isInstead: false,
    value: { token: 1, window: { fromNs: 2, toNs: 1, bins: 5, rows: [] } },
  },
  {
    ask: 'window',
    number: 1,
    isInstead: false,
    value: { token: 1, window: { fromNs: 0, toNs: 1, bins: 5, rows: new Array(5000).fill(0) } },
  },
  { ask: 'totals', number: 1, isInstead: false, value: { token: 1, fromNs: Number.NaN, toNs: 1 } },
  { ask: 'search', number: 1, isInstead: false, value: { token: 1, text: 'x', fromNs: 0, direction: 2 } },
  { say: 'select', value: { chosen: { what: 'event', number: 1 } } },
  { say: 'select', value: { narrow: true, chosen: { what: 'share', number: 1, list: 'constructor', index: 0 } } },
  { say: 'openSource', value: { number: 1.5 } },
  { say: 'openSource', value: { file: '/etc/passwd', line: 1 } },
  { say: 'picture', value: { format: 'svg', content: '#!/bin/sh' } },
  { say: 'picture', value: { format: 'png', content: '<svg ' } },
  { say: 'picture', value: { format: 'png', content: Uint8Array.from([0x7f, 0x45, 0x4c, 0x46]) } },
  { say: 'picture', value: { format: 'exe', content: PNG } },
];

describe('messages of the timeline', () => {
  test.each(GOOD.map((message) => [JSON.stringify(message).slice(0, 90), message]))('%s is one', (_, message) =>
    expect(heard(FROM_TIMELINE, message)).toEqual(message),
  );

  test.each(BAD.map((message) => [JSON.stringify(message).slice(0, 90), message]))('%s is none', (_, message) =>
    // A question that is wrong is refused rather than dropped: the page waits for it.
    expect(heard(FROM_TIMELINE, message) ?? { refused: 0 }).toHaveProperty('refused'),
  );

  test('nothing that a page could send makes the check fail', () =>
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(heard(FROM_TIMELINE, value)).toBeUndefined();
        expect(keptState(TIMELINE, value)).toBeUndefined();
      }),
    ));

  test('a kept state is taken only when it is whole', () => {
    const state = {
      ...{ paths: [['/work/a.st']], choices, visible: null, folded: ['host'], topRow: '', labelWidth: 240 },
      ...{ detailsHeight: 190, range: { fromNs: 1, toNs: 2 }, marks: [1], dragMoves: false },
    };
    expect(keptState(TIMELINE, state)).toEqual(state);
    for (const name of Object.keys(state)) expect(keptState(TIMELINE, { ...state, [name]: {} }), name).toBeUndefined();
    expect(keptState(TIMELINE, { ...state, paths: [] })).toBeUndefined();
    expect(keptState(TIMELINE, { ...state, paths: [[]] })).toBeUndefined();
  });
});
