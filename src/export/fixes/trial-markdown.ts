import { visibleCode } from '../../drawing/markup/tree.ts';
import { medianOf } from '../../analysis/trials/paired-saving.ts';
import { formatCount, formatDuration } from '../../base/quantities.ts';
import { codeBlock, codeSpan, escapeMarkdown } from '../report/markdown.ts';
import type { TrialDocument, TriedDocument } from './trial-document.ts';
import type { Place } from '../comparison/comparison-words.ts';
import { expectedWords, namesOf, savedWords } from './trial-words.ts';

/** Characters of a diff: a comment in a merge request has a length. */
const LONGEST_DIFF = 20_000;
const LONGEST_ERRORS = 4000;

/**
 * A trial as a comment in a merge request: what was changed, what became of it, and how to see that again.
 * @param place a source path as the reader knows it.
 */
export function trialMarkdown(document: TrialDocument, place: Place): string {
  const { each, conflicts, diff, command } = document;
  const parts = [
    `## I/O Lens: ${document.fixes.length === 1 ? 'a fix was tried' : 'fixes were tried'}`,
    triedMarkdown(document, place, document.fixes.length > 1 && conflicts.length === 0 ? ' together' : ''),
    list(conflicts),
    ...each.map((tried) => `### ${escapeMarkdown(namesOf(tried))} by itself\n\n${triedMarkdown(tried, place)}`),
    diff === '' ? '' : `### Change\n\n${codeBlock(visibleCode(cut(diff, LONGEST_DIFF)), 'diff')}`,
    command === null ? '' : `### To try it again\n\n${codeBlock(visibleCode(command), 'sh')}`,
    notesOf(document),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function triedMarkdown(tried: TriedDocument, place: Place, how = ''): string {
  const fixes = tried.fixes.map(
    ({ id, kind, title, file, line }) =>
      `- ${escapeMarkdown(`${id} (${kind}): ${title}`)}: ${codeSpan(`${place(file)}:${line}`)}`,
  );
  const parts = [
    `**${tried.proven ? '🟢' : '🔴'} ${escapeMarkdown(`${namesOf(tried)}${how}: ${tried.verdict}`)}.**`,
    fixes.join('\n'),
    tried.buildErrors === null ? '' : codeBlock(visibleCode(cut(tried.buildErrors, LONGEST_ERRORS)), ''),
    tried.built ? measured(tried) : '',
    list(tried.differences.map((difference) => `different: ${difference}`)),
    list([
      ...tried.varying.map((varying) => `varies by itself: ${varying}`),
      ...tried.uncompared.map((uncompared) => `not compared: ${uncompared}`),
    ]),
    faultTable(tried),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function measured(tried: TriedDocument): string {
  const { before, after, calls, cleared, remaining, appeared, equal } = tried;
  const time = (runs: readonly number[]): string => (runs.length === 0 ? '–' : formatDuration(medianOf(runs)));
  const expected = expectedWords(tried);
  const rows = [
    ['time (median)', time(before.runs), time(after.runs)],
    ...(calls === null ? [] : [['I/O calls of a run', formatCount(calls.before), formatCount(calls.after)]]),
  ];
  const facts = [
    ['builds', 'yes'],
    ['results', equal ? 'equal: how it ends, standard output, all files that it writes' : 'different'],
    [
      'finding',
      [...cleared.map((code) => `${code} gone`), ...remaining.map((code) => `${code} not shown to be gone`)].join(', '),
    ],
    ['new findings', appeared.length === 0 ? 'none' : appeared.join(', ')],
    ['measured', savedWords(tried)],
    ...(expected === undefined ? [] : [['expected', expected]]),
  ];
  // Numbers with units: an escape would stand in front of their points.
  return `${table(['', 'before', 'after'], rows, (cell) => cell)}\n\n${facts.map(([name, text]) => `- ${name}: ${escapeMarkdown(text!)}`).join('\n')}`;
}

function faultTable({ faults }: TriedDocument): string {
  if (faults.length === 0) return '';
  const rows = faults.map(({ fault, equal, worse, before, after }) => [
    fault,
    before,
    after,
    worse ? 'worse' : equal ? 'the same' : 'no worse',
  ]);
  return table(['fault', 'before', 'after', ''], rows);
}

function table(
  head: readonly string[],
  body: readonly (readonly string[])[],
  written: (cell: string) => string = escapeMarkdown,
): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(written).join(' | ')} |`;
  return [row(head), `|${'---|'.repeat(head.length)}`, ...body.map(row)].join('\n');
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
}

function notesOf({ leftOut, notes }: TrialDocument): string {
  const items = [...leftOut.map((name) => `left out of the copies: ${name}`), ...notes];
  return items.length === 0 ? '' : `<details><summary>Notes</summary>\n\n${list(items)}\n\n</details>`;
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n… (cut)`;
}
