import { describe, expect, test } from 'vitest';
import { heard, keptState } from '../../base/page-line.ts';
import { FROM_REPORT, REPORT } from './protocol.ts';

const query = { sort: 'path', descending: false, filter: '', from: 0, count: 50 };

describe('what comes from the view', () => {
  test.each([
    { ready: 1 },
    { say: 'cancel' },
    { say: 'openAgain' },
    { say: 'drawn' },
    { say: 'showGraph' },
    { say: 'showLog' },
    { ask: 'files', number: 1, isInstead: false, value: query },
    { ask: 'records', number: 2, isInstead: false, value: { module: 'POSIX', query } },
    { ask: 'callTree', number: 3, isInstead: false, value: { onlySelected: true } },
    { say: 'openPlace', value: { place: 0 } },
    { say: 'openFrame', value: { place: 2, line: 42 } },
    { say: 'select', value: { kind: 'rank', rank: 3 } },
    { say: 'snippet', value: { number: 3, into: 'newFile' } },
    { say: 'export', value: { format: 'markdown' } },
  ])('is a message: %j', (message) => expect(heard(FROM_REPORT, message)).toEqual(message));

  test.each([
    [null],
    ['ready'],
    [{}],
    [{ say: 'delete', value: { file: '/etc/passwd' } }],
    [{ say: 'constructor' }],
    [{ ready: Number.NaN }],
    [{ say: 'openPlace', value: { place: -1 } }],
    [{ say: 'openPlace', value: { place: 0.5 } }],
    [{ say: 'openPlace', value: { place: '0' } }],
    [{ say: 'select', value: { kind: 'rank', rank: -3 } }],
    [{ say: 'snippet', value: { number: 0, into: 'terminal' } }],
    [{ say: 'export', value: { format: 'pdf' } }],
    [{ ask: 'files', number: -1, isInstead: false, value: query }],
    [{ ask: 'records', number: 1, isInstead: false, value: { query } }],
    [{ ask: 'files', number: 1, isInstead: false, value: { ...query, from: Infinity } }],
    [{ ask: 'files', number: 1, isInstead: false, value: { ...query, filter: 'x'.repeat(1001) } }],
    [{ ask: 'mounts', number: 1, isInstead: false, value: query }],
    // A question that is wrong is refused rather than dropped: the page waits for it.
  ])('is none: %j', (message) => expect(heard(FROM_REPORT, message) ?? { refused: 0 }).toHaveProperty('refused'));
});

test('the state of a view is taken whole or not at all', () => {
  const before = { paths: ['/w/a'], tab: 'files', module: 'POSIX', scroll: 12, files: query, records: query };
  const state = { ...before, stacks: { view: 'inverted', measure: 'bytes' } };
  expect(keptState(REPORT, state)).toEqual(state);
  expect(keptState(REPORT, before)).toEqual({ ...before, stacks: { view: 'flame', measure: 'timeNs' } });
  expect(keptState(REPORT, { ...state, stacks: { view: 'pie', measure: 'bytes' } })).toBeUndefined();
  expect(keptState(REPORT, { ...state, files: undefined })).toBeUndefined();
  expect(keptState(REPORT, { ...state, scroll: '12' })).toBeUndefined();
  expect(keptState(REPORT, undefined)).toBeUndefined();
});
