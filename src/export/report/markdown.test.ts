import fastCheck from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeBlock, codeSpan, escapeMarkdown } from './markdown.ts';

describe('Markdown', () => {
  test.each([
    ['a|b', 'a\\|b'],
    ['<img src=x>', '&lt;img src=x&gt;'],
    ['*a* _b_ `c` ~d~', '\\*a\\* \\_b\\_ \\`c\\` \\~d\\~'],
    ['[text](http://x)', '\\[text\\](http:<!-- -->//x)'],
    ['# no heading', '\\# no heading'],
    ['1. no list', '1\\. no list'],
    ['1.23 s of 2', '1\\.23 s of 2'],
    ['@someone fixes #12', '@<!-- -->someone fixes #<!-- -->12'],
    ['www.example.org', 'www<!-- -->.example.org'],
    ['two\nlines', 'two lines'],
    ['4,096 writes of 100 B take 78 %', '4,096 writes of 100 B take 78 %'],
  ])('%s', (text, written) => expect(escapeMarkdown(text)).toBe(written));

  test('a code span holds backticks, and bars in a table', () => {
    expect(codeSpan('a`b')).toBe('`` a`b ``');
    expect(codeSpan('a|b', true)).toBe('`a\\|b`');
    expect(codeSpan('')).toBe('`  `');
  });

  test('no text leaves its line, its span or its block', () =>
    fastCheck.assert(
      fastCheck.property(fastCheck.string(), (text) => {
        expect(escapeMarkdown(text)).not.toMatch(/\n|<(?!!-- -->)/);
        const span = codeSpan(text);
        const fence = /^`+/.exec(span)![0];
        expect(span.slice(fence.length, -fence.length).split(/[^`]+/)).not.toContain(fence);
        const [open, ...rest] = codeBlock(text, 'c').split('\n');
        expect(rest.filter((line) => line.startsWith(open!.slice(0, -1)))).toEqual([open!.slice(0, -1)]);
      }),
    ));
});
