import { counted } from '../../base/quantities.ts';
import type { ComparedRun, ComparisonDocument, Measure } from '../../export/comparison/comparison-document.ts';
import { changedRows, countChange, lineWords, timeChange } from '../../export/comparison/comparison-words.ts';
import { shortNames } from './comparison-rows.ts';
import { sides } from './measure-words.ts';
import type { ViewComparison, ViewSpread, ViewSpreadSide } from './protocol.ts';

/** Lines whose spread is shown. */
const MOST_LINES = 20;

type Format = (of: Measure) => string;

/** How far the runs of each side lie apart: of the run one by one, of lines as the document has them, in range and median. */
export function spreadOf(document: ComparisonDocument): ViewComparison['spread'] {
  const { base, new: changed, run, total } = document;
  const ofRuns = (title: string, measure: Measure, format: Format, value: (run: ComparedRun) => number): ViewSpread =>
    spreadOfMeasure(title, measure, format, { base: base.runs.map(value), new: changed.runs.map(value) });
  const isRepeated = base.runs.length > 1 || changed.runs.length > 1;
  return {
    said: said(base.runs.length, changed.runs.length, total.costNs !== null),
    runs: [
      ...(run === null ? [] : [ofRuns('Time of the run', run.untracedNs, timeChange, ({ untracedNs }) => untracedNs)]),
      ...(total.timeNs === null
        ? []
        : [ofRuns('Time of I/O as recorded', total.timeNs, timeChange, ({ ioTimeNs }) => ioTimeNs)]),
      ofRuns('Calls', total.events, countChange, ({ ioEvents }) => ioEvents),
    ],
    lines: isRepeated ? lineSpreads(document) : [],
  };
}

function said(base: number, changed: number, hasCosts: boolean): string[] {
  const interval = 'The range of a single run is the interval of its estimate.';
  if (base === 1 && changed === 1)
    return [
      'One run on each side: how much of the difference is noise is not known. Compare several runs of a side (“Compare Recordings…” lets you choose them): their spread tells.',
      ...(hasCosts ? [interval] : []),
    ];
  const single = base === 1 ? 'the base' : changed === 1 ? 'the new side' : undefined;
  return [
    `${counted(base, 'run')} before, ${counted(changed, 'run')} after. Where the ranges of both sides overlap, there is no difference.`,
    ...(single === undefined ? [] : [`Of ${single} there is one run: its own spread is not known.`]),
    ...(single !== undefined && hasCosts ? [interval] : []),
  ];
}

/** Lines with the largest changes. */
function lineSpreads({ lines }: ComparisonDocument): ViewSpread[] {
  const place = shortNames(lines.flatMap(({ base, new: changed }) => [base?.file, changed?.file]));
  return changedRows(lines)
    .slice(0, MOST_LINES)
    .flatMap((line) => {
      const measure = line.costNs ?? line.timeNs;
      return measure === null ? [] : [spreadOfMeasure(lineWords(line, place), measure, timeChange)];
    });
}

/** @param values of the runs one by one, where they are known. */
function spreadOfMeasure(
  title: string,
  measure: Measure,
  format: Format,
  values: { readonly base: readonly number[]; readonly new: readonly number[] } = { base: [], new: [] },
): ViewSpread {
  const { baseRange, newRange } = measure;
  const most = Math.max(baseRange[1], newRange[1], ...values.base, ...values.new);
  const share = (value: number): number => (most === 0 ? 0 : value / most);
  const text = (value: number): string => {
    const range = [value, value] as const;
    return sides({ ...measure, base: value, baseRange: range }, format)[0];
  };
  const [before, after] = sides(measure, format);
  const side = (of: 'base' | 'new', [low, high]: Measure['baseRange'], words: string): ViewSpreadSide => ({
    dots: values[of].map((value) => ({ at: share(value), text: text(value) })),
    low: share(low),
    high: share(high),
    median: share(measure[of]),
    words,
  });
  return { title, base: side('base', baseRange, before), new: side('new', newRange, after), most: text(most) };
}
