import { getOrCreate } from '../../base/grouping.ts';
import {
  CallSequence,
  COUNTING,
  COUNTING_NUMBERS,
  SHAPE,
  type CountingNumber,
} from '../../analysis/loops/call-sequence.ts';
import { CallFolder, type OutlineMaker } from '../../analysis/loops/fold-calls.ts';
import type { NumberText, ReplayNode, ReplayOperation, ReplayProgram, ReplaySeries } from '../program.ts';
import { CountedPaths, leastDigits } from './counted-path.ts';
import { joinTasks } from './join-tasks.ts';
import type { RecordedReplay, RecordedStep } from './recorded-replay.ts';

/** Variables of nested series, the outermost first. */
const VARIABLES = ['i', 'j', 'k', 'l', 'm', 'n'];

function variableOf(depth: number): string {
  return VARIABLES[depth] ?? `i${depth}`;
}

/**
 * The program of a replay: repeated operations become series, and what counts with the iterations or from task to task an
 * expression.
 */
export function programOfReplay({ tasks, inputs }: RecordedReplay): ReplayProgram {
  const paths = new CountedPaths(
    tasks.flatMap(({ steps }) => steps.flatMap(({ operation }) => pathOf(operation) ?? [])),
  );
  return {
    tasks: joinTasks(tasks.map(({ steps }) => foldSteps(steps, paths))),
    pools: [],
    datatypes: [],
    inputs,
  };
}

/** What of an operation never counts, and the numbers that may. */
interface Parts {
  readonly fixed: ReplayOperation;
  readonly numbers: readonly (number | undefined)[];
}

/** The path whose numbers may count; the two paths of a rename are as they are. */
function pathOf(operation: ReplayOperation): string | undefined {
  return 'path' in operation && !('to' in operation) ? operation.path : undefined;
}

function partsOf(operation: ReplayOperation, paths: CountedPaths): Parts {
  const numbers = new Array<number | undefined>(COUNTING_NUMBERS).fill(undefined);
  const fixed: Record<string, unknown> = { ...operation };
  const take = (name: string, place: number): void => {
    const value = fixed[name];
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return;
    numbers[place] = value;
    fixed[name] = 0;
  };
  take('offset', COUNTING.place);
  take('displacement', COUNTING.place);
  take('peer', COUNTING.place);
  take('bytes', COUNTING.requested);
  take('length', COUNTING.requested);
  take('count', COUNTING.requested);
  const path = pathOf(operation);
  const counted = path === undefined ? undefined : paths.of(path);
  if (counted !== undefined) {
    const { texts, digits } = counted;
    [numbers[COUNTING.file], numbers[COUNTING.outer]] = digits.map(Number).reverse();
    fixed['path'] = texts.flatMap((text, at) => [text, ...digits.slice(at, at + 1).map(leastDigits)]).join('\0');
  }
  return { fixed: fixed as unknown as ReplayOperation, numbers };
}

/** Names of the members that hold the numbers of COUNTING. */
const MEMBERS = [[], ['offset', 'displacement', 'peer'], ['bytes', 'length', 'count']] as const;

function foldSteps(steps: readonly RecordedStep[], paths: CountedPaths): ReplayNode[] {
  const calls = new CallSequence(steps.length);
  const kinds = new Map<string, number>();
  const fixed: ReplayOperation[] = [];
  const shape = new Float64Array(Object.keys(SHAPE).length);
  steps.forEach(({ operation }, at) => {
    const parts = partsOf(operation, paths);
    const has = parts.numbers.reduce<number>((bits, number, i) => bits | (number === undefined ? 0 : 1 << i), 0);
    const key = JSON.stringify([parts.fixed, has]);
    const kind = getOrCreate(kinds, key, () => fixed.push(parts.fixed) - 1);
    shape[SHAPE.call] = kind;
    shape[SHAPE.has] = has;
    calls.shape.values[at] = calls.shapes.intern(shape);
    calls.row.values[at] = at;
    for (let number = 0; number < COUNTING_NUMBERS; number++)
      calls.numbers[number as CountingNumber].values[at] = parts.numbers[number] ?? 0;
  });
  const maker = new NodeMaker(calls, fixed);
  return new CallFolder<ReplayNode>(calls, maker, true).fold(0, steps.length).map((node) => maker.named(node, 0));
}

class NodeMaker implements OutlineMaker<ReplayNode> {
  /** Variables that count within a node. */
  private readonly counting = new Map<ReplayNode, ReadonlySet<string>>();
  private found = new Set<string>();

  constructor(
    private readonly calls: CallSequence,
    private readonly fixed: readonly ReplayOperation[],
  ) {}

  call(at: number, count: number): ReplayNode {
    const field = this.calls.shapeOf(at);
    const operation: Record<string, unknown> = { ...this.fixed[field(SHAPE.call)]! };
    const has = field(SHAPE.has);
    for (const number of [COUNTING.place, COUNTING.requested] as const) {
      if ((has & (1 << number)) === 0) continue;
      const member = MEMBERS[number].find((name) => operation[name] !== undefined);
      if (member !== undefined) operation[member] = this.number(at, number);
    }
    if (has & (1 << COUNTING.file)) operation['path'] = this.path(at, operation['path'] as string);
    const node = operation as unknown as ReplayOperation;
    if (this.found.size > 0) {
      this.counting.set(node, this.found);
      this.found = new Set();
    }
    return count === 1 ? node : this.loop(count, [node]);
  }

  loop(count: number, body: ReplayNode[]): ReplaySeries {
    const isMpi = body.some(({ operation }) => operation.startsWith('mpi_'));
    const series: ReplaySeries = { operation: isMpi ? 'mpi_series' : 'series', count, variable: '', body };
    const within = new Set(body.flatMap((node) => [...(this.counting.get(node) ?? [])]));
    if (within.size > 0) this.counting.set(series, within);
    return series;
  }

  /** Gives the series their variables: by how deep they stand, where something within counts with them. */
  named(node: ReplayNode, depth: number): ReplayNode {
    if (node.operation !== 'series' && node.operation !== 'mpi_series') return node;
    const variable = variableOf(depth);
    const isUsed = this.counting.get(node)?.has(variable) === true;
    return { ...node, variable: isUsed ? variable : '', body: node.body.map((inner) => this.named(inner, depth + 1)) };
  }

  private number(at: number, number: CountingNumber): NumberText {
    const base = this.calls.numbers[number].at(at);
    const counted = this.calls
      .stepsOf(at, number)
      .map((step, depth) => ({ step, variable: variableOf(depth) }))
      .filter(({ step }) => step !== 0);
    if (counted.length === 0) return base;
    for (const { variable } of counted) this.found.add(variable);
    let text = base === 0 ? '' : String(base);
    for (const { step, variable } of counted) {
      const sign = step < 0 ? ' - ' : text === '' ? '' : ' + ';
      const factor = Math.abs(step) === 1 ? '' : `${Math.abs(step)} * `;
      text += `${text === '' && step < 0 ? '0' : ''}${sign}${factor}${variable}`;
    }
    return text;
  }

  private path(at: number, template: string): string {
    const pieces = template.split('\0');
    const counted = pieces.length > 3 ? [COUNTING.outer, COUNTING.file] : [COUNTING.file];
    const texts = counted.map((which, i) => {
      const [before = '', digits = '0'] = pieces.slice(2 * i);
      const number = this.number(at, which);
      if (typeof number === 'number') return `${before}${String(number).padStart(Number(digits), '0')}`;
      return `${before}{${number}${digits === '0' ? '' : `:${digits}`}}`;
    });
    return texts.join('') + pieces.at(-1)!;
  }
}
