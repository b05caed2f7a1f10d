import { counted } from '../../base/quantities.ts';
import type {
  ComparedLine,
  ComparedRun,
  ComparisonDocument,
  Measure,
} from '../../export/comparison/comparison-document.ts';
import {
  byteChange,
  changedRows,
  countChange,
  lineWords,
  runVerdict,
  shownFindings,
  timeChange,
} from '../../export/comparison/comparison-words.ts';
import { shortNames } from './comparison-rows.ts';
import { changeSentence, doubts, relativeChange, sides, withoutRange } from './measure-words.ts';
import type { ComparisonTable, ViewComparison, ViewRun, ViewSpread, ViewSpreadSide } from './protocol.ts';

/** Lines whose spread is shown. */
const MOST_LINES = 20;

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
    verdictWords: runVerdict(total),
    tiles: tiles(document),
    notes,
    tables: TITLES.map(([table, title]) => ({ table, title, changed: changedOf(document, table) })),
    spread: spreadOf(document),
  };
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
  const said = (measure: Measure, words: string): string =>
    [words, changeSentence(measure)].filter((text) => text !== '').join(', ');
  const calls = said(total.events, `${countChange(withoutRange(total.events))} calls`);
  if (run === null) return calls;
  const time = said(run.untracedNs, timeChange(withoutRange(run.untracedNs)));
  return time.includes(' within ') ? `${time}; ${calls}` : `${time} time`;
}

function tiles({ run, total }: ComparisonDocument): [string, string, string][] {
  const tile = (label: string, measure: Measure | null, format: (of: Measure) => string, ...more: string[]) => {
    const isRanged = measure !== null && format(measure) !== format(withoutRange(measure));
    const note = measure === null ? [] : [relativeChange(measure), ...doubts(measure), isRanged ? format(measure) : ''];
    const said = [...note, ...more].filter((text) => text !== '').join('; ');
    return [label, measure === null ? '–' : format(withoutRange(measure)), said] as [string, string, string];
  };
  const recorded = (measure: Measure | null | undefined): string =>
    total.costNs === null || measure === null || measure === undefined
      ? ''
      : `recorded: ${timeChange(withoutRange(measure))}`;
  return [
    ...(run === null ? [] : [tile('Time of the run', run.untracedNs, timeChange, recorded(run.recordedNs))]),
    ...(total.timeNs === null
      ? []
      : [tile('Time of I/O', total.costNs ?? total.timeNs, timeChange, recorded(total.timeNs))]),
    tile('Calls', total.events, countChange),
    tile('Bytes', total.bytes, byteChange),
  ];
}

function spreadOf(document: ComparisonDocument): ViewComparison['spread'] {
  const { base, new: changed, run, total } = document;
  const runs = { base: base.runs, new: changed.runs };
  const isRepeated = base.runs.length > 1 || changed.runs.length > 1;
  const of = (title: string, value: (run: ComparedRun) => number, format: (of: Measure) => string): ViewSpread => {
    const values = { base: runs.base.map(value), new: runs.new.map(value) };
    return spreadOfRuns(title, values, format);
  };
  return {
    said: saidOfSpread(base.runs.length, changed.runs.length),
    runs: [
      ...(run === null ? [] : [of('Time of the run', ({ untracedNs }) => untracedNs, timeChange)]),
      ...(total.timeNs === null ? [] : [of('Time of I/O as recorded', ({ ioTimeNs }) => ioTimeNs, timeChange)]),
      of('Calls', ({ ioEvents }) => ioEvents, countChange),
    ],
    lines: isRepeated ? lineSpreads(document) : [],
  };
}

function saidOfSpread(base: number, changed: number): string[] {
  if (base === 1 && changed === 1)
    return [
      'One run on each side: how much of the difference is noise is not known.',
      'Choose several runs of a side in “Compare Recordings…”: then their spread tells.',
    ];
  const single = base === 1 ? 'the base' : changed === 1 ? 'the new side' : undefined;
  return [
    `${counted(base, 'run')} before, ${counted(changed, 'run')} after. Where the ranges of both sides overlap, the difference is none.`,
    ...(single === undefined ? [] : [`Of ${single} there is one run: its own spread is not known.`]),
  ];
}

function spreadOfRuns(
  title: string,
  values: { readonly base: readonly number[]; readonly new: readonly number[] },
  format: (of: Measure) => string,
): ViewSpread {
  const most = Math.max(...values.base, ...values.new);
  const text = (value: number): string => format(single(value));
  const side = (of: readonly number[]): ViewSpreadSide => {
    const sorted = [...of].sort((a, b) => a - b);
    const middle = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
    const [low, high] = [sorted[0]!, sorted.at(-1)!];
    const share = (value: number): number => (most === 0 ? 0 : value / most);
    const range = low === high ? '' : ` (${text(low)}–${text(high)})`;
    return {
      dots: of.map((value) => ({ at: share(value), text: text(value) })),
      low: share(low),
      high: share(high),
      median: share(middle),
      words: `${text(middle)}${range}`,
    };
  };
  return { title, base: side(values.base), new: side(values.new), most: text(most) };
}

function single(value: number): Measure {
  return {
    base: value,
    new: value,
    change: 0,
    baseRange: [value, value],
    newRange: [value, value],
    difference: 'same',
  };
}

/** Lines with the largest changes, as the document has them: range and median, not each run. */
function lineSpreads({ lines }: ComparisonDocument): ViewSpread[] {
  const place = shortNames(lines.flatMap(({ base, new: changed }) => [base?.file, changed?.file]));
  return changedRows(lines)
    .slice(0, MOST_LINES)
    .flatMap((line: ComparedLine) => {
      const measure = line.costNs ?? line.timeNs;
      return measure === null ? [] : [spreadOfMeasure(lineWords(line, place), measure)];
    });
}

function spreadOfMeasure(title: string, measure: Measure): ViewSpread {
  const { baseRange, newRange } = measure;
  const most = Math.max(baseRange[1], newRange[1]);
  const share = (value: number): number => (most === 0 ? 0 : value / most);
  const [before, after] = sides(measure, timeChange);
  const side = (value: number, [low, high]: Measure['baseRange'], words: string): ViewSpreadSide => ({
    dots: [],
    low: share(low),
    high: share(high),
    median: share(value),
    words,
  });
  return {
    title,
    base: side(measure.base, baseRange, before),
    new: side(measure.new, newRange, after),
    most: timeChange(single(most)),
  };
}
