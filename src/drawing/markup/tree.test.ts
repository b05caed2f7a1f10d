import { expect, test } from 'vitest';
import { branch, printed } from './tree.ts';

const HOSTILE = '</p><script>alert("x")</script>\u202e';

test('text and attributes of a recording stay text', () => {
  const text = printed(branch('p', { title: HOSTILE, class: undefined }, HOSTILE, null));
  expect(text).toBe(
    '<p title="&lt;/p&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;\ufffd">&lt;/p&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;\\u{202e}</p>',
  );
});

test('lines and tabs stay in code and are pictures elsewhere, where they could end a line of ours', () => {
  expect(printed(branch('p', {}, 'a\tb\n'))).toBe('<p>a\u2409b\u240a</p>');
  expect(printed(branch('pre', {}, branch('mark', {}, 'a\tb\n\u001b')))).toBe('<pre><mark>a\tb\n\u241b</mark></pre>');
});

test('what has no content has no end', () => {
  expect(printed(branch('p', {}, branch('br'), '&'))).toBe('<p><br>&amp;</p>');
});
