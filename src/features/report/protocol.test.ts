import { describe, expect, test } from 'vitest';
import { isFromReportView, isReportViewState } from './protocol.ts';

const query = { sort: 'path', descending: false, filter: '', from: 0, count: 50 };

describe('what comes from the view', () => {
  test.each([
    { kind: 'ready', protocol: 1 },
    { kind: 'cancel' },
    { kind: 'openAgain' },
    { kind: 'drawn' },
    { kind: 'showGraph' },
    { kind: 'showLog' },
    { kind: 'page', request: 1, wanted: { table: 'files', query } },
    { kind: 'page', request: 2, wanted: { table: 'records', module: 'POSIX', query } },
    { kind: 'openPlace', place: 0 },
    { kind: 'snippet', number: 3, into: 'newFile' },
    { kind: 'export', format: 'markdown' },
  ])('is a message: $kind', (message) => expect(isFromReportView(message)).toBe(true));

  test.each([
    [null],
    ['ready'],
    [{}],
    [{ kind: 'delete', file: '/etc/passwd' }],
    [{ kind: 'ready' }],
    [{ kind: 'openPlace', place: -1 }],
    [{ kind: 'openPlace', place: 0.5 }],
    [{ kind: 'openPlace', place: '0' }],
    [{ kind: 'snippet', number: 0, into: 'terminal' }],
    [{ kind: 'export', format: 'pdf' }],
    [{ kind: 'page', request: 1, wanted: { table: 'records', query } }],
    [{ kind: 'page', request: 1, wanted: { table: 'files', query: { ...query, from: Infinity } } }],
    [{ kind: 'page', request: 1, wanted: { table: 'files', query: { ...query, filter: 'x'.repeat(1001) } } }],
    [{ kind: 'page', request: 1, wanted: { table: 'mounts', query } }],
  ])('is none: %j', (message) => expect(isFromReportView(message)).toBe(false));
});

test('the state of a view is taken whole or not at all', () => {
  const state = { tab: 'files', module: 'POSIX', scroll: 12, files: query, records: query };
  expect(isReportViewState(state)).toBe(true);
  expect(isReportViewState({ ...state, files: undefined })).toBe(false);
  expect(isReportViewState({ ...state, scroll: '12' })).toBe(false);
  expect(isReportViewState(undefined)).toBe(false);
});
