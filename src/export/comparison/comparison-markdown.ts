import { counted } from '../../base/quantities.ts';
import type { ComparedLine, ComparedThing, ComparisonDocument, FindingChange } from './comparison-document.ts';
import {
  byteChange,
  changedRows,
  costChange,
  countChange,
  findingWords,
  functionOfLine,
  lineWords,
  runNumbers,
  runVerdict,
  shownFindings,
  sideWords,
  thingWords,
  timeChange,
  type Place,
} from './comparison-words.ts';
import { codeSpan, escapeMarkdown } from '../report/markdown.ts';

/** Rows of a table; a comment in a merge request has a length. */
const MOST_ROWS = 20;

const MARKS: Readonly<Record<FindingChange, string>> = {
  worse: '🔴 worse',
  new: '🟡 new',
  mixed: '🟡 mixed',
  better: '🟢 better',
  gone: '🟢 gone',
  unchanged: 'unchanged',
};

/**
 * A comparison as a comment in a merge request.
 * @param place a source path as the reader knows it.
 */
export function comparisonMarkdown(document: ComparisonDocument, place: Place): string {
  const { insights } = document;
  const changed = shownFindings(insights);
  const same = insights.length - changed.length;
  const findings = changed.map((insight) => [
    MARKS[insight.change],
    escapeMarkdown(`${insight.code} ${insight.title}`),
    codeSpan(findingWords(insight, place), true),
    escapeMarkdown(insight.reason),
  ]);
  const parts = [
    '## I/O Lens: comparison',
    `${codeSpan(sideWords(document.base))} → ${codeSpan(sideWords(document.new))}`,
    `**The run: ${runVerdict(document)}.** ${runNumbers(document)
      .map(([name, words]) => `${name} ${words}`)
      .join('; ')}.`,
    findings.length === 0 ? '' : table(['', 'finding', 'where', 'why'], findings),
    same === 0 ? '' : `${counted(same, 'finding')} unchanged.`,
    rows('Lines', changedRows(document.lines), (row) =>
      [lineWords(row, place), functionOfLine(row)].filter((text) => text !== '').join(' '),
    ),
    rows('Files', changedRows(document.files), thingWords),
    `<details><summary>Notes</summary>\n\n${document.notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n')}\n\n</details>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function rows<Row extends ComparedLine | ComparedThing>(
  title: string,
  all: readonly Row[],
  name: (row: Row) => string,
): string {
  if (all.length === 0) return '';
  const isTraced = all.some(({ costNs }) => costNs !== null);
  const shown = all
    .slice(0, MOST_ROWS)
    .map((row) => [
      codeSpan(name(row), true),
      row.verdict,
      costChange(row),
      ...(isTraced ? [timeChange(row.timeNs)] : []),
      countChange(row.events),
      byteChange(row.bytes),
    ]);
  const more = all.length > MOST_ROWS ? `\n\n… and ${all.length - MOST_ROWS} more.` : '';
  return `### ${title}\n\n${table(['where', '', ...(isTraced ? ['cost', 'recorded'] : ['time']), 'calls', 'bytes'], shown)}${more}`;
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
