import type { ComparedRun, ComparisonDocument, Measure } from '../../export/comparison/comparison-document.ts';
import {
  byteChange,
  changedRows,
  countChange,
  shownFindings,
  timeChange,
} from '../../export/comparison/comparison-words.ts';
import { spreadOf } from './comparison-spread.ts';
import { changeSentence, doubt, relativeChange, withoutRange } from './measure-words.ts';
import type { ComparisonTable, ViewComparison, ViewRun } from './protocol.ts';

const TITLES: readonly (readonly [table: ComparisonTable, title: string])[] = [
  ['findings', 'Findings'],
  ['lines', 'Lines'],
  ['files', 'Files'],
  ['functions', 'Functions'],
  ['calls', 'Calls'],
  ['layers', 'Layers'],
];

/** Recordings as the editor names them, in the order of the document's runs. */
interface SideNames {
  readonly base: readonly { readonly name: string }[];
  readonly new: readonly { readonly name: string }[];
}

/** What the page is told of a comparison before it asks for rows: the numbers are those of `iolens compare`. */
export function viewComparison(document: ComparisonDocument, names: SideNames): ViewComparison {
  const { total, notes } = document;
  return {
    base: document.base.runs.map((run, i) => viewRun(run, names.base[i])),
    new: document.new.runs.map((run, i) => viewRun(run, names.new[i])),
    headline: headline(document),
    verdict: total.verdict,
    verdictWords: verdictWords(total),
    tiles: tiles(document),
    notes,
    tables: TITLES.map(([table, title]) => ({ table, title, changed: changedOf(document, table) })),
    spread: spreadOf(document),
  };
}

/** Of one run on each side the time stands in the headline, without a verdict. */
function verdictWords({ verdict, timeVerdict }: ComparisonDocument['total']): string {
  const isByCounts = timeVerdict === 'noise unknown' && (verdict === 'better' || verdict === 'worse');
  if (isByCounts) return `${verdict} by calls and bytes`;
  return verdict === 'noise unknown' ? 'one run each: no verdict on its time' : verdict;
}

function viewRun(
  { recording, program, startTime }: ComparedRun,
  known: { readonly name: string } | undefined,
): ViewRun {
  return { name: known?.name ?? recording, recording, program, startTime };
}

function changedOf(document: ComparisonDocument, table: ComparisonTable): number {
  if (table === 'findings') return shownFindings(document.insights).length;
  return table === 'lines' ? changedRows(document.lines).length : changedRows(document[table]).length;
}

/** Numbers first. Where the times cannot be told apart, or are not known, calls say what changed. */
function headline({ run, total }: ComparisonDocument): string {
  const said = (measure: Measure, words: string, less: string): string =>
    [words, changeSentence(measure, less)].filter((text) => text !== '').join(', ');
  const calls = said(total.events, `${countChange(withoutRange(total.events))} calls`, 'fewer');
  if (run === null) return calls;
  const time = said(run.untracedNs, timeChange(withoutRange(run.untracedNs)), 'less');
  return time.includes(' within ') ? `${time}; ${calls}` : `${time} time`;
}

function tiles({ run, total }: ComparisonDocument): [string, string, string][] {
  const tile = (label: string, measure: Measure | null, format: (of: Measure) => string, ...more: string[]) => {
    const note = measure === null ? [] : [relativeChange(measure), doubt(measure)];
    const known = note.filter((text) => text !== '').join(', ');
    const said = [known, ...more].filter((text) => text !== '').join('; ');
    return [label, measure === null ? '–' : format(withoutRange(measure)), said] as [string, string, string];
  };
  const recorded = (measure: Measure | null | undefined): string =>
    total.costNs === null || measure === null || measure === undefined
      ? ''
      : `recorded ${timeChange(withoutRange(measure))}`;
  return [
    ...(run === null ? [] : [tile('Time of the run', run.untracedNs, timeChange, recorded(run.recordedNs))]),
    ...(total.timeNs === null
      ? []
      : [tile('Time of I/O', total.costNs ?? total.timeNs, timeChange, recorded(total.timeNs))]),
    tile('Calls', total.events, countChange),
    tile('Bytes', total.bytes, byteChange),
  ];
}
