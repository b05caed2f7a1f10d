import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** The keys of a `when` clause, without its texts and regular expressions. */
function keysOf(when: string): string[] {
  return when.replace(/=~ \/(?:[^/\\]|\\.)*\//g, '').match(/(?<!(?:==|!=) )(?<![\w.])[A-Za-z][\w.]*/g) ?? [];
}

it('menus of rows depend on nothing that changes while a tree is filled', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8');
  const { contributes } = JSON.parse(text) as {
    contributes: { menus: Record<string, { when: string }[]> };
  };
  const keys = contributes.menus['view/item/context']!.flatMap(({ when }) => keysOf(when));
  expect([...new Set(keys)].sort()).toEqual(['iolens.inBrowser', 'isWorkspaceTrusted', 'view', 'viewItem']);
});
