import type { CallMeasure, CallTree } from '../../analysis/call-tree/call-tree.ts';
import { counted } from '../../base/quantities.ts';
import { amountOf, measuresOf, measureWords, namedPlace, shareOf } from '../../drawing/call-tree/call-words.ts';
import { matches, onlyMatching, withoutLibraryInsides } from '../../drawing/call-tree/shown-tree.ts';
import { Ways, type Way } from '../../drawing/call-tree/ways.ts';
import { printable } from '../report/report-text.ts';
import { Columns } from '../text-columns.ts';

/** How a call tree is asked for in words. */
export interface CallTreeRequest {
  /** undefined: time, where there is any, else calls. */
  readonly measure?: CallMeasure;
  /** From the outermost functions inwards, in the place of from the calls outwards. */
  readonly isDownward?: boolean;
  /** Callers and callees of the functions whose name holds this. */
  readonly functionName?: string;
  /** Only ways on which something has this in its name or file. */
  readonly filter?: string;
  readonly byLine?: boolean;
  /** Also what libraries call in themselves. */
  readonly allLibraries?: boolean;
  /** Ways below this part of the whole are counted only. */
  readonly least: number;
}

/** Deeper ways are counted only: a terminal is not that wide. */
const DEEPEST = 40;
/** Functions of one name that are told apart: more of them have a better name. */
const MOST_FUNCTIONS = 5;

/** The tree as it is asked for. @returns undefined where it holds nothing of what is asked. */
function asked(tree: CallTree, request: CallTreeRequest): { ways: Ways; measure: CallMeasure } | undefined {
  const shown = onlyMatching(
    request.allLibraries === true ? tree : withoutLibraryInsides(tree),
    request.filter ?? request.functionName ?? '',
  );
  const offered = measuresOf(shown);
  const measure = request.measure ?? offered.find((each) => each !== 'bytes');
  if (measure === undefined || !offered.includes(measure)) return undefined;
  return { ways: new Ways(shown, { measure, byLine: request.byLine === true }), measure };
}

/** `iolens stacks` for a person. @param recording '' where it is the only one. */
export function callTreeText(tree: CallTree, request: CallTreeRequest, recording: string): string {
  const named = recording === '' ? [] : [`${recording}:`];
  const found = asked(tree, request);
  if (found === undefined) return `${[...named, nothingText(tree, request)].join('\n')}\n`;
  const { ways, measure } = found;
  const whole = new Ways(tree, { measure, byLine: false }).total;
  const part = ways.total < whole ? ` (${shareOf(ways.total, whole)} of all)` : '';
  const head = `${measureWords(measure, tree.times)}: ${amountOf(measure, ways.total)}${part}`;
  const table = new TreeRows(ways, measure, whole, request.least);
  if (request.functionName === undefined) {
    const root = request.isDownward === true ? ways.root : ways.inverted;
    const mark = request.isDownward === true ? '' : '← ';
    return printedLines([...named, head, '', ...table.of(root.next, mark)]);
  }
  const { functionName } = request;
  const functions = ways.functions.filter(({ place }) => matchesName(ways.tree, place, functionName));
  if (functions.length === 0) return `${[...named, nothingText(tree, request)].join('\n')}\n`;
  const shown = functions.slice(0, MOST_FUNCTIONS);
  const parts = shown.flatMap(({ node }) => [
    '',
    `${namedPlace(ways.tree, ways.calleesOf(node))} is called by`,
    ...table.of(ways.callersOf(node).next, '← '),
    'and calls',
    ...table.of(ways.calleesOf(node).next, ''),
  ]);
  const more = functions.length - shown.length;
  const rest = more > 0 ? ['', `and ${counted(more, 'other function')} of such a name`] : [];
  return printedLines([...named, head, ...parts, ...rest]);
}

/** Stacks as flame graph programs and speedscope read them: `main;save;write 12`, the innermost last. */
export function foldedStacks(tree: CallTree, request: CallTreeRequest): string {
  const found = asked(tree, request);
  if (found === undefined) return '';
  const { tree: shown } = found.ways;
  const amounts = shown[found.measure];
  const names = shown.places.map(({ name }) => printable(name).replaceAll(/[;\n]/g, ':'));
  const ways: string[] = [];
  shown.parent.forEach((caller, node) => {
    const name = names[shown.place[node]!]!;
    ways[node] = caller > 0 ? `${ways[caller]!};${name}` : name;
  });
  const sums = new Map<string, number>();
  ways.forEach((way, node) => {
    if (node > 0 && amounts[node]! > 0) sums.set(way, (sums.get(way) ?? 0) + amounts[node]!);
  });
  return [...sums].map(([way, amount]) => `${way} ${amount}\n`).join('');
}

function matchesName(tree: CallTree, place: number, name: string): boolean {
  return matches({ ...tree.places[place]!, file: '' }, name);
}

function nothingText(tree: CallTree, { functionName, filter, measure }: CallTreeRequest): string {
  if (functionName !== undefined)
    return `No counted call of the recording was made by a function like ${functionName}.`;
  if (filter !== undefined && filter !== '') return `No counted call of the recording went through ${filter}.`;
  if (measure !== undefined && measuresOf(tree).length > 0)
    return `The recording holds nothing to weigh its calls by ${measure === 'timeNs' ? 'time' : measure}.`;
  return 'The recording holds no calls that count.';
}

/** Lines of a tree with what each amounts to. */
class TreeRows {
  constructor(
    private readonly ways: Ways,
    private readonly measure: CallMeasure,
    private readonly whole: number,
    private readonly least: number,
  ) {}

  of(ways: readonly Way[], mark: string): string[] {
    const rows: string[][] = [];
    this.add(rows, ways, { depth: 0, mark });
    const title = { timeNs: 'time', bytes: 'bytes', calls: 'calls' }[this.measure];
    if (rows.length === 0) return ['  nothing'];
    return new Columns(['share', title, 'itself', 'call', ''], rows).lines.map((line) => `  ${line.trimEnd()}`);
  }

  private add(rows: string[][], ways: readonly Way[], at: { readonly depth: number; readonly mark: string }): void {
    const { measure, whole } = this;
    let [left, leftAmount] = [0, 0];
    const indent = '  '.repeat(at.depth);
    for (const way of ways) {
      if (way.total < this.least * whole || at.depth >= DEEPEST) {
        left++;
        leftAmount += way.total;
        continue;
      }
      const mark = at.depth === 0 && at.mark !== '' ? '' : at.mark;
      const name = `${indent}${mark}${namedPlace(this.ways.tree, way)}`;
      rows.push([
        shareOf(way.total, whole),
        amountOf(measure, way.total),
        way.self > 0 ? amountOf(measure, way.self) : '',
        name,
        '',
      ]);
      this.add(rows, way.next, { ...at, depth: at.depth + 1 });
    }
    if (left > 0)
      rows.push([shareOf(leftAmount, whole), amountOf(measure, leftAmount), '', `${indent}and ${left} more`, '']);
  }
}

function printedLines(lines: readonly string[]): string {
  return `${printable(lines).join('\n')}\n`;
}
