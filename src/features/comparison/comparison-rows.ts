import { fileName, shortestEndings } from '../../base/path-names.ts';
import { pageBounds, parseFilter, type TableQuery } from '../../export/analysis/table-query.ts';
import type {
  ComparedAmounts,
  ComparedFinding,
  ComparedInsight,
  ComparedLine,
  ComparedThing,
  ComparisonDocument,
  Measure,
  Verdict,
} from '../../export/comparison/comparison-document.ts';
import {
  byteChange,
  countChange,
  findingWords,
  functionOfLine,
  hasCosts,
  lineWords,
  thingWords,
  timeChange,
} from '../../export/comparison/comparison-words.ts';
import { shownFinding, shownPlace } from './comparison-places.ts';
import { relativeChange, sides, withoutRange } from './measure-words.ts';
import type { ComparisonTable, ViewColumn, ViewRow, ViewRows, ViewSides } from './protocol.ts';

/** What a row says before its numbers are words. */
interface Row {
  readonly number: number;
  readonly named: Pick<ViewRow, 'title' | 'where' | 'path' | 'isHere' | 'about' | 'verdict'>;
  /** Null where no recording has durations. */
  readonly time: Measure | null;
  readonly events: Measure;
  readonly bytes: Measure;
  readonly recorded: Measure | null;
  /** Only one side has it. */
  readonly lacks: 'base' | 'new' | undefined;
}

interface Known {
  readonly rows: readonly Row[];
  /** The largest amount of the table. */
  readonly most: number;
}

/** Worst first, as findings are told everywhere. */
const ORDER: readonly Verdict[] = [
  'worse',
  'new',
  'mixed',
  'better',
  'gone',
  'noise unknown',
  'within the spread',
  'unchanged',
];

const WHERE: Readonly<Record<ComparisonTable, string>> = {
  findings: 'Finding',
  lines: 'Line',
  files: 'File',
  functions: 'Function',
  calls: 'Call',
  layers: 'Layer',
};

/** No place is on this machine that no recording is known for. */
const NOBODY = { base: [0], new: [0] };

/** The tables of one comparison. A table is made when it is first asked for, and has all rows: pages of it leave. */
export class ComparisonRows {
  private readonly known = new Map<ComparisonTable, Known>();

  constructor(private readonly document: ComparisonDocument) {}

  /** @throws RangeError when the table has no such column. */
  page(table: ComparisonTable, query: TableQuery): ViewRows {
    const { rows, most } = this.table(table);
    const columns = this.columns(table);
    if (!columns.some(({ sort }) => sort === query.sort)) throw new RangeError(`there is no column ${query.sort}`);
    const { words } = parseFilter(query.filter);
    const kept = words.length === 0 ? [...rows] : rows.filter((row) => words.every((word) => isFound(row, word)));
    const order = ORDER_BY[query.sort]!;
    const sign = query.descending ? -1 : 1;
    kept.sort((a, b) => sign * order(a, b) || a.number - b.number);
    const { from, end } = pageBounds(query, kept.length);
    const shown = kept.slice(from, end).map((row) => viewRow(row, most));
    return { columns, rows: shown, from, matching: kept.length, total: rows.length };
  }

  private table(table: ComparisonTable): Known {
    const known = this.known.get(table);
    if (known !== undefined) return known;
    const rows = rowsOf(this.document, table);
    let most = 0;
    for (const row of rows) {
      const { base, new: changed } = amountOf(row);
      most = Math.max(most, base, changed);
    }
    const made = { rows, most };
    this.known.set(table, made);
    return made;
  }

  private columns(table: ComparisonTable): ViewColumn[] {
    const { document } = this;
    const number = (sort: string, title: string, hint = ''): ViewColumn => ({ sort, title, isNumber: true, hint });
    const costs = hasCosts(document);
    const time = costs
      ? number('amount', 'Cost', 'What its calls cost of the run without the tracer, before and after')
      : number('amount', 'Time', 'What its calls took, before and after');
    const hasTimes = document.total.timeNs !== null;
    return [
      { sort: 'where', title: WHERE[table], isNumber: false, hint: '' },
      { sort: 'verdict', title: 'Verdict', isNumber: false, hint: '' },
      hasTimes ? time : number('amount', 'Calls', 'How often it was called, before and after'),
      number('change', 'Change', '≈: within the spread or the intervals, so the direction is unknown'),
      ...(hasTimes ? [number('calls', 'Calls', 'By the difference of calls')] : []),
      number('bytes', 'Bytes', 'By the difference of bytes'),
      ...(costs ? [number('recorded', 'Recorded', 'As it was recorded, with the tracer’s part')] : []),
    ];
  }
}

const size = (measure: Measure | null): number => Math.abs(measure?.change ?? 0);
const amountOf = ({ time, events }: Row): Measure => time ?? events;

const ORDER_BY: Readonly<Record<string, (a: Row, b: Row) => number>> = {
  where: (a, b) => compareText(a.named.title, b.named.title) || compareText(a.named.where, b.named.where),
  verdict: (a, b) => ORDER.indexOf(a.named.verdict) - ORDER.indexOf(b.named.verdict),
  amount: (a, b) => largest(amountOf(a)) - largest(amountOf(b)),
  change: (a, b) => size(amountOf(a)) - size(amountOf(b)),
  calls: (a, b) => size(a.events) - size(b.events),
  bytes: (a, b) => size(a.bytes) - size(b.bytes),
  recorded: (a, b) => size(a.recorded) - size(b.recorded),
};

function largest({ base, new: changed }: Measure): number {
  return Math.max(base, changed);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isFound({ named }: Row, word: string): boolean {
  const { title, where, path, about, verdict } = named;
  return [title, where, path, verdict, ...about].some((text) => text.toLowerCase().includes(word));
}

function rowsOf(document: ComparisonDocument, table: ComparisonTable): Row[] {
  switch (table) {
    case 'findings': {
      const places = document.insights.flatMap(({ base, new: changed }) => [base?.place?.file, changed?.place?.file]);
      const place = shortNames(places);
      return document.insights.map((insight, number) => findingRow(insight, number, place));
    }
    case 'lines': {
      const place = shortNames(document.lines.flatMap(({ base, new: changed }) => [base?.file, changed?.file]));
      return document.lines.map((line, number) => lineRow(line, number, place));
    }
    case 'files': {
      const place = shortNames(document.files.flatMap(({ base, new: changed }) => [base, changed]));
      return document.files.map((file, number) => thingRow(file, number, place));
    }
    default:
      return document[table].map((thing, number) => thingRow(thing, number, (name) => name));
  }
}

/** Files by what tells them apart. */
export function shortNames(paths: readonly (string | null | undefined)[]): (path: string) => string {
  const endings = shortestEndings(paths.filter((path): path is string => typeof path === 'string' && path !== ''));
  return (path) => endings.get(path) ?? fileName(path);
}

function amounts({
  timeNs,
  costNs,
  events,
  bytes,
}: ComparedAmounts): Pick<Row, 'time' | 'events' | 'bytes' | 'recorded'> {
  return { time: costNs ?? timeNs, events, bytes, recorded: costNs === null ? null : timeNs };
}

function lacking({ base, new: changed }: { readonly base: unknown; readonly new: unknown }): Row['lacks'] {
  if (base === null) return 'base';
  return changed === null ? 'new' : undefined;
}

function lineRow(line: ComparedLine, number: number, place: (file: string) => string): Row {
  const { base, new: changed, match, matchedBy } = line;
  const how = match === 'moved' || match === 'same function' ? match : '';
  const at = (changed ?? base)!;
  const where = lineWords(line, place);
  const named = {
    title: '',
    where,
    path: [at.line > 0 ? `${at.file}:${at.line}` : at.file, how === '' ? '' : `${how}, found by ${matchedBy}`]
      .filter((text) => text !== '')
      .join('\n'),
    isHere: shownPlace(NOBODY, line) !== undefined,
    about: [[functionOfLine(line), how].filter((text) => text !== '' && text !== where).join('; ')],
    verdict: line.verdict,
  };
  return { number, named, ...amounts(line), lacks: lacking(line) };
}

function thingRow(thing: ComparedThing, number: number, place: (name: string) => string): Row {
  const { base, new: changed, file, match } = thing;
  const short = { ...thing, base: base && place(base), new: changed && place(changed) };
  const named = {
    title: '',
    where: thingWords(short),
    path: thingWords(thing),
    isHere: false,
    about: [file === '' ? '' : fileName(file), match === null || match === 'same path' ? '' : match],
    verdict: thing.verdict,
  };
  return { number, named, ...amounts(thing), lacks: lacking(thing) };
}

function findingRow(insight: ComparedInsight, number: number, place: (file: string) => string): Row {
  const { base, new: changed, code, title, change, reason } = insight;
  const at = (changed ?? base)!;
  const where = findingWords(insight, place);
  const named = {
    title: `${code} ${title}`,
    where: at.place === null && at.file !== null ? fileName(at.file) : where,
    path: at.place === null ? (at.file ?? '') : findingWords(insight, (file) => file),
    isHere: shownFinding(NOBODY, insight) !== undefined,
    about: [at.message, reason],
    verdict: change,
  };
  const both = (of: (side: ComparedFinding) => number): Measure => twoValues(base && of(base), changed && of(changed));
  const isCosted = at.costNs !== null;
  const recorded = both(({ timeNs }) => timeNs);
  return {
    number,
    named,
    time: isCosted ? both(({ costNs }) => costNs ?? 0) : recorded,
    events: both(({ events }) => events),
    bytes: both(({ bytes }) => bytes),
    recorded: isCosted ? recorded : null,
    lacks: lacking(insight),
  };
}

/** Two values of which no range is known. */
function twoValues(base: number | null, changed: number | null): Measure {
  const [before, after] = [base ?? 0, changed ?? 0];
  const difference = before === after ? 'same' : before < after ? 'more' : 'less';
  return {
    base: before,
    new: after,
    change: after - before,
    baseRange: [before, before],
    newRange: [after, after],
    difference,
  };
}

function viewRow(row: Row, most: number): ViewRow {
  const { number, named, time, events, bytes, recorded, lacks } = row;
  const amount = amountOf(row);
  return {
    number,
    ...named,
    where: named.where || '(no source line)',
    amount: viewSides(amount, time === null ? countChange : timeChange, { most, lacks }),
    change: lacks === undefined ? relativeChange(amount) : '',
    calls: countChange(withoutRange(events)),
    bytes: byteChange(withoutRange(bytes)),
    recorded: recorded === null ? '' : timeChange(withoutRange(recorded)),
  };
}

function viewSides(
  measure: Measure,
  format: (of: Measure) => string,
  { most, lacks }: Pick<Known, 'most'> & Pick<Row, 'lacks'>,
): ViewSides {
  const [base, changed] = sides(measure, format);
  const share = (value: number): number => (most === 0 ? 0 : value / most);
  return {
    base: lacks === 'base' ? '–' : base,
    new: lacks === 'new' ? '–' : changed,
    baseShare: share(measure.base),
    newShare: share(measure.new),
  };
}
