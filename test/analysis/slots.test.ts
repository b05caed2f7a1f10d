import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
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
function wordsOf(node: ts.Node): readonly string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return [];
}

interface Literal {
  readonly place: string;
  readonly words: string;
}

/** Templates of sentences, and texts of advice. */
function sentencesOf(file: string): Literal[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const add = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const words = wordsOf(node).join('…');
    if (words !== '') found.push({ place: `${file}:${line + 1}`, words });
  };
  const inShown = (node: ts.Node): void => {
    // What a function makes of other texts is looked at where these stand.
    if (ts.isCallExpression(node)) return;
    add(node);
    ts.forEachChild(node, inShown);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'say') inShown(node.template);
    const isSnippet =
      ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.parent) && hasCode(node.parent);
    if (ts.isPropertyAssignment(node) && SHOWN.has(node.name.getText()) && !isSnippet) inShown(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A title of code is none of a finding. */
function hasCode({ properties }: ts.ObjectLiteralExpression): boolean {
  return properties.some(
    (property) => property.name?.getText() === 'code' && property.parent.getText().includes('language'),
  );
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
