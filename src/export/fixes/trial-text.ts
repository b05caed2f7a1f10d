import { printable } from '../report/report-text.ts';
import type { TrialDocument, TriedDocument } from './trial-document.ts';
import { expectedWords, findingWords, mediansOf, namesOf, savedWords } from './trial-words.ts';

/** A trial as a person reads it in a terminal: the verdict first, then what it rests on; of several fixes each. */
export function trialText(document: TrialDocument): string {
  const shown = printable({ ...document, diff: '' });
  const blocks = [
    triedLines(document, shown.fixes.length > 1 && shown.conflicts.length === 0 ? ' together' : '', shown.conflicts),
    ...document.each.map((tried) => triedLines(tried, ' by itself')),
    [...listed('left out of the copies', shown.leftOut), ...shown.notes.map((note) => `note: ${note}`)],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function triedLines(document: TriedDocument, how: string, conflicts: readonly string[] = []): string[] {
  const shown = printable({ ...document, buildErrors: null });
  const errors = document.buildErrors?.split('\n').map((line) => `  ${printable(line)}`) ?? [];
  return [
    `${namesOf(shown)}${how}: ${shown.verdict}`,
    ...shown.fixes.map(({ id, kind, title }) => `  ${id}  ${kind}  ${title}`),
    ...listed('conflict', conflicts),
    ...(document.built ? ['', ...measuredLines(shown)] : errors),
  ];
}

function measuredLines(document: TriedDocument): string[] {
  const medians = mediansOf(document);
  const expected = expectedWords(document);
  return [
    ...listed('different', document.differences),
    ...(document.equal ? ['results: how it ends, standard output and all files that it writes are equal'] : []),
    ...listed('varies by itself', document.varying),
    ...listed('not compared', document.uncompared),
    `finding: ${findingWords(document)}`,
    `time: ${medians === undefined ? '' : `${medians}; `}${savedWords(document)}`,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...document.faults.map(
      ({ fault, equal, before, after }) =>
        `${fault}: ${equal && before === after ? `the same (${before})` : `before: ${before}; after: ${after}`}`,
    ),
  ];
}

function listed(what: string, items: readonly string[]): string[] {
  return items.map((item) => `${what}: ${item}`);
}
