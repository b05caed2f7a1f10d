import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, visitorKeys, type Node } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { SLOTS, type SlotName } from '../../src/analysis/triggers/slots.ts';
import { digitsIn } from '../support/sentences.ts';

const FOLDERS = ['src/analysis/triggers', 'src/analysis/layers/patterns', 'src/analysis/gain', 'src/analysis/lacks'];
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name)),
);

/** Fields of findings and of advice whose texts are shown as sentences. */
const SHOWN: ReadonlySet<string> = new Set(['text', 'message', 'subject', 'title']);

/** The words of a literal, without what is filled in. */
function wordsOf(node: Node): readonly string[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? value.raw);
  return [];
}

/** What a node of the syntax tree is made of. */
function partsOf(node: Node): Node[] {
  const parts = Object.entries(node).filter(([key]) => visitorKeys[node.type]?.includes(key));
  return parts
    .flatMap(([, part]: [string, Node | null | readonly (Node | null)[]]) => part ?? [])
    .filter((part) => part !== null);
}

interface Literal {
  readonly place: string;
  readonly words: string;
}

/** Templates of sentences, and texts of advice. */
function sentencesOf(file: string): Literal[] {
  const text = readFileSync(file, 'utf8');
  const source = parseSync(file, text);
  expect(source.errors).toEqual([]);
  const found: Literal[] = [];
  const add = (node: Node): void => {
    const words = wordsOf(node).join('…');
    if (words !== '') found.push({ place: `${file}:${text.slice(0, node.start).split('\n').length}`, words });
  };
  const inShown = (node: Node): void => {
    // What a function makes of other texts is looked at where these stand.
    if (node.type === 'CallExpression') return;
    add(node);
    partsOf(node).forEach(inShown);
  };
  const visit = (node: Node, parent?: Node): void => {
    if (node.type === 'TaggedTemplateExpression' && nameOf(node.tag) === 'say') inShown(node.quasi);
    const isShown = node.type === 'Property' && SHOWN.has(nameOf(node.key) ?? '');
    if (isShown && !hasCode(parent, text)) inShown(node.value);
    for (const part of partsOf(node)) visit(part, node);
  };
  visit(source.program);
  return found;
}

const nameOf = (node: Node): string | undefined => (node.type === 'Identifier' ? node.name : undefined);

/** A title of code is none of a finding. */
function hasCode(node: Node | undefined, text: string): boolean {
  if (node?.type !== 'ObjectExpression' || !text.slice(node.start, node.end).includes('language')) return false;
  return node.properties.some((property) => property.type === 'Property' && nameOf(property.key) === 'code');
}

describe('sentences', () => {
  const all = FILES.flatMap(sentencesOf);

  test('are found: there are some hundred', () => {
    expect(all.length).toBeGreaterThan(300);
  });

  test('no digit stands in a template, but in names of code', () => {
    const wrong = all.map(({ place, words }) => [place, digitsIn(words)]).filter(([, digits]) => digits !== '');
    expect(wrong).toEqual([]);
  });
});

describe('slots', () => {
  const sources = FILES.map((file) => readFileSync(file, 'utf8')).join('\n');

  test('each of the table is filled somewhere', () => {
    const names = Object.keys(SLOTS) as SlotName[];
    const isFilled = (name: string): boolean =>
      sources.includes(`'${name}'`) || /^(more|less)(Calls|Bytes)$/.test(name) || name === 'recording';
    expect(names.filter((name) => !isFilled(name))).toEqual([]);
  });

  test('docs/slots.md has the table', () => {
    const rows = Object.entries(SLOTS).map(
      ([name, { quantity, source, means }]) => `| \`${name}\` | ${quantity} | ${source} | ${means} |`,
    );
    const table = ['| slot | holds | from | what it means |', '|---|---|---|---|', ...rows].join('\n');
    expect(readFileSync('docs/slots.md', 'utf8')).toContain(table);
  });
});
