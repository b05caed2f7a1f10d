import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_TIMELINE_CHOICES,
  isFromTimelineView,
  isTimelineViewState,
  type FromTimelineView,
  type TimelineQuestion,
  type TimelineViewState,
} from './protocol.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
const asked = (question: TimelineQuestion): FromTimelineView => ({ kind: 'question', request: 1, question });
const choices = DEFAULT_TIMELINE_CHOICES;

const GOOD: readonly FromTimelineView[] = [
  { kind: 'ready', protocol: 1 },
  asked({ ask: 'rows', choices }),
  asked({ ask: 'rows', choices: { ...choices, grouping: 'stack', stream: 3, rowFilter: 'rank' } }),
  asked({ ask: 'window', token: 1, window: { fromNs: 0, toNs: 1e9, bins: 3000, rows: [0, 1, 2] } }),
  asked({ ask: 'event', token: 1, row: 0, timeNs: 5, toleranceNs: 1 }),
  asked({ ask: 'totals', token: 1, fromNs: 0, toNs: 1 }),
  asked({ ask: 'search', token: 1, text: 'write', fromNs: -1, direction: -1 }),
  asked({ ask: 'linked', token: 1, recording: 0, event: 12, step: 'up' }),
  { kind: 'select', narrow: false, chosen: { what: 'below', number: 4 } },
  { kind: 'drawn', rows: 3, firstPaintMs: 80 },
  { kind: 'drawn', rows: 3 },
  { kind: 'select', narrow: false, chosen: { what: 'row', token: 1, row: 0 } },
  { kind: 'select', narrow: true, chosen: { what: 'share', number: 4, list: 'paths', index: 0 } },
  { kind: 'select', narrow: true, chosen: { what: 'span', fromNs: 1, toNs: 2 } },
  { kind: 'clearSpan' },
  { kind: 'back' },
  { kind: 'clear' },
  { kind: 'openSource', number: 1 },
  { kind: 'openRecording', number: 1 },
  { kind: 'picture', format: 'svg', content: '<svg xmlns="…"></svg>' },
  { kind: 'picture', format: 'png', content: PNG },
];

const BAD: readonly unknown[] = [
  null,
  'ready',
  {},
  { kind: 'ready' },
  { kind: 'run', command: 'rm' },
  { kind: 'question', request: -1, question: { ask: 'rows', choices } },
  { kind: 'question', request: 1, question: { ask: 'rows', choices: { ...choices, grouping: 'moon' } } },
  { kind: 'question', request: 1, question: { ask: 'rows', choices: { ...choices, rowFilter: 'x'.repeat(2000) } } },
  {
    kind: 'question',
    request: 1,
    question: { ask: 'window', token: 1, window: { fromNs: 0, toNs: 1, bins: 1e9, rows: [] } },
  },
  {
    kind: 'question',
    request: 1,
    question: { ask: 'window', token: 1, window: { fromNs: 0, toNs: 1, bins: 5, rows: [0.5] } },
  },
  {
    kind: 'question',
    request: 1,
    question: { ask: 'window', token: 1, window: { fromNs: 2, toNs: 1, bins: 5, rows: [] } },
  },
  {
    kind: 'question',
    request: 1,
    question: { ask: 'window', token: 1, window: { fromNs: 0, toNs: 1, bins: 5, rows: new Array(5000).fill(0) } },
  },
  { kind: 'question', request: 1, question: { ask: 'totals', token: 1, fromNs: Number.NaN, toNs: 1 } },
  { kind: 'question', request: 1, question: { ask: 'search', token: 1, text: 'x', fromNs: 0, direction: 2 } },
  { kind: 'select', chosen: { what: 'event', number: 1 } },
  { kind: 'select', narrow: true, chosen: { what: 'share', number: 1, list: 'constructor', index: 0 } },
  { kind: 'openSource', number: 1.5 },
  { kind: 'openSource', file: '/etc/passwd', line: 1 },
  { kind: 'picture', format: 'svg', content: '#!/bin/sh' },
  { kind: 'picture', format: 'png', content: '<svg ' },
  { kind: 'picture', format: 'png', content: Uint8Array.from([0x7f, 0x45, 0x4c, 0x46]) },
  { kind: 'picture', format: 'exe', content: PNG },
];

describe('messages of the timeline', () => {
  test.each(GOOD.map((message) => [JSON.stringify(message).slice(0, 90), message]))('%s is one', (_, message) =>
    expect(isFromTimelineView(message)).toBe(true),
  );

  test.each(BAD.map((message) => [JSON.stringify(message).slice(0, 90), message]))('%s is none', (_, message) =>
    expect(isFromTimelineView(message)).toBe(false),
  );

  test('nothing that a page could send makes the check fail', () =>
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(typeof isFromTimelineView(value)).toBe('boolean');
        expect(isTimelineViewState(value)).toBe(false);
      }),
    ));

  test('a kept state is taken only when it is whole', () => {
    const state: TimelineViewState = {
      ...{ paths: [['/work/a.st']], choices, visible: null, folded: ['host'], topRow: '', labelWidth: 240 },
      ...{ detailsHeight: 190, range: { fromNs: 1, toNs: 2 }, marks: [1], dragMoves: false },
    };
    expect(isTimelineViewState(state)).toBe(true);
    for (const name of Object.keys(state)) expect(isTimelineViewState({ ...state, [name]: {} }), name).toBe(false);
    expect(isTimelineViewState({ ...state, paths: [] })).toBe(false);
    expect(isTimelineViewState({ ...state, paths: [[]] })).toBe(false);
  });
});
