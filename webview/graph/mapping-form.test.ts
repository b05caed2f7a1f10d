import { expect, test } from 'vitest';
import { parseMapping } from '../../src/analysis/dfg/mapping.ts';
import { documentOf, EMPTY_MAPPING, textsOf } from './mapping-form.ts';

const TEXTS = {
  base: 'call+file',
  siteVariables: '$SCRATCH = /p/scratch\n\n$HOME=/home/*\n',
  callGroups: 'read* = read | pread64',
  withoutCalls: 'lseek,  fcntl',
  rules: [
    { path: ' $SCRATCH/** ', calls: 'write', when: ' size >= 1M ', name: 'output {name}' },
    { path: '', calls: 'close', when: '', name: '' },
  ],
};

test('the fields are a mapping document, and back', () => {
  const text = documentOf(TEXTS);
  expect(JSON.parse(text)).toEqual({
    base: 'call+file',
    siteVariables: { $SCRATCH: '/p/scratch', $HOME: '/home/*' },
    callGroups: { 'read*': 'read | pread64' },
    withoutCalls: ['lseek', 'fcntl'],
    rules: [
      { path: '$SCRATCH/**', calls: 'write', when: 'size >= 1M', name: 'output {name}' },
      { calls: 'close', name: null },
    ],
  });
  expect(documentOf(textsOf(text))).toBe(text);
  expect(parseMapping(text).kind).toBe('rules');
  expect(parseMapping(documentOf(EMPTY_MAPPING)).kind).toBe('rules');
});

test('a rule in which nothing stands yet is none', () => {
  const rules = [{ path: ' ', calls: '', when: '', name: '' }];
  expect(JSON.parse(documentOf({ ...EMPTY_MAPPING, rules }))).toMatchObject({ rules: [] });
});

test('no base leaves out what no rule names', () => {
  expect(JSON.parse(documentOf({ ...EMPTY_MAPPING, base: '' }))).toMatchObject({ base: null });
  expect(textsOf('{"base":null}').base).toBe('');
});

test.each(['SCRATCH', '= /p', 'SCRATCH ='])('a line that says nothing is named: %s', (line) =>
  expect(() => documentOf({ ...TEXTS, siteVariables: `A = /a\n${line}` })).toThrow('Site variables, line 2'),
);

test.each(['', 'x', '[]', '{"rules": {"a": 1}, "callGroups": [1]}'])('what is no document shows as empty: %s', (text) =>
  expect(textsOf(text).rules).toEqual([]),
);
