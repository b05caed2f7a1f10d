import { bindNumber, type Bound, type Names } from '../expressions/evaluate.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { bindPath } from '../expressions/path-template.ts';
import { ranksOf } from '../expressions/ranks.ts';
import type { NumberText, ReplayNode, ReplayOperation, ReplayProgram, ReplaySeries } from '../program.ts';

/** An operation whose expressions are numbers and whose paths are whole. */
export type BoundOperation = BoundFields<ReplayOperation>;
type BoundFields<Operation> = Operation extends unknown
  ? { readonly [Field in keyof Operation]: NumberText extends Operation[Field] ? number : Operation[Field] }
  : never;

/** Series within series: more was written by no person and no recording. */
export const DEEPEST_SERIES = 100;
/** Operations that one task may do unless the user allows more: at a microsecond each, a quarter of an hour. */
export const MOST_OPERATIONS = 1e9;

const NUMBERS = ['bytes', 'offset', 'length', 'peer', 'displacement', 'count'] as const;
const PATHS = ['path', 'to'] as const;

/** What of a program one task does: the numbers bound to its rank, the loops kept. */
export class TaskProgram {
  private readonly body: BoundNode[] = [];
  /** Of the series that are under way, outermost first. */
  private readonly iterations: number[] = [];
  private current: BoundNode | undefined;
  private done = 0;

  /**
   * @throws ExpressionError for a wrong text anywhere in what this task does, naming the operation.
   */
  constructor(
    program: ReplayProgram,
    names: Names,
    private readonly mostOperations = MOST_OPERATIONS,
  ) {
    program.tasks.forEach((task, number) => {
      const place = `task ${number + 1}`;
      if (at(place, () => ranksOf(task.ranks, names.size, names.variables))[names.rank] === true)
        this.body.push(...this.bindBody(task.body, `${place}, `, names));
    });
  }

  /** The operation under way, in words: "task 1, 3.2 write (iteration 5)", counted from 1. */
  get place(): string {
    if (this.current === undefined) return 'before its first operation';
    const iterations = this.iterations.length > 0 ? ` (iteration ${this.iterations.join(', ')})` : '';
    return `${this.current.place}${iterations}`;
  }

  /**
   * All operations in order.
   * @throws ExpressionError when a number cannot be evaluated, is out of its range, or there is no end of operations.
   */
  *operations(): Generator<BoundOperation, void, undefined> {
    yield* this.walk(this.body);
  }

  private *walk(nodes: readonly BoundNode[]): Generator<BoundOperation, void, undefined> {
    for (const node of nodes) {
      this.current = node;
      if (node.kind === 'operation') {
        this.step();
        yield node.of(this.iterations);
        continue;
      }
      const count = node.count(this.iterations);
      if (count < 0) throw new ExpressionError(`${node.place}: a series cannot be repeated ${count} times`);
      const depth = this.iterations.length;
      for (let iteration = 0; iteration < count; iteration++) {
        this.step();
        this.iterations[depth] = iteration;
        yield* this.walk(node.body);
      }
      this.iterations.length = depth;
    }
  }

  private step(): void {
    if (++this.done > this.mostOperations)
      throw new ExpressionError(
        `${this.place}: more than ${this.mostOperations} operations and iterations of one task`,
      );
  }

  /** @param prefix what stands before the number of an operation in its place. */
  private bindBody(nodes: readonly ReplayNode[], prefix: string, names: Names): BoundNode[] {
    return nodes.map((node, index) => {
      const place = `${prefix}${index + 1}`;
      const words = `${place} ${node.operation}`;
      if (!isSeries(node)) return at(words, () => bindOperation(node, words, names));
      if (names.series.length >= DEEPEST_SERIES)
        throw new ExpressionError(`${words}: series are nested more than ${DEEPEST_SERIES} deep`);
      const count = at(words, () => bindNumber(node.count, names));
      const inner = { ...names, series: [...names.series, node.variable] };
      return { kind: 'series', place: words, count, body: this.bindBody(node.body, `${place}.`, inner) };
    });
  }
}

type BoundNode =
  | {
      readonly kind: 'operation';
      readonly place: string;
      readonly of: (iterations: readonly number[]) => BoundOperation;
    }
  | { readonly kind: 'series'; readonly place: string; readonly count: Bound; readonly body: readonly BoundNode[] };

export function isSeries(node: ReplayNode): node is ReplaySeries {
  return node.operation === 'series' || node.operation === 'mpi_series';
}

function bindOperation(operation: ReplayOperation, place: string, names: Names): BoundNode {
  const fields = operation as unknown as Readonly<Record<string, unknown>>;
  const open: [string, (iterations: readonly number[]) => unknown][] = [];
  for (const field of NUMBERS)
    if (fields[field] !== undefined) open.push([field, ranged(field, bindNumber(fields[field] as NumberText, names))]);
  if (operation.operation === 'sleep')
    open.push(['seconds', ranged('seconds', bindNumber(operation.seconds, names, 'real'))]);
  for (const field of PATHS) if (typeof fields[field] === 'string') open.push([field, bindPath(fields[field], names)]);
  const bind = (iterations: readonly number[]): BoundOperation => {
    const bound: Record<string, unknown> = { ...fields };
    at(place, () => {
      for (const [field, value] of open) bound[field] = value(iterations);
    });
    // The fields are those of the operation, with numbers for texts: what BoundFields says of the type.
    return bound as unknown as BoundOperation;
  };
  const texts = open.map(([field]) => String(fields[field]));
  const varies = names.series.some((name) => name !== '' && texts.some((text) => text.includes(name)));
  // What no iteration changes is one object.
  let same: BoundOperation | undefined;
  return { kind: 'operation', place, of: varies ? bind : (iterations) => (same ??= bind(iterations)) };
}

/** Numbers that cannot be negative are refused when they are; a seek may go back. */
function ranged(field: string, value: Bound): Bound {
  if (field === 'offset') return value;
  return (iterations) => {
    const number = value(iterations);
    if (number < 0) throw new ExpressionError(`${field} is ${number}: it cannot be negative`);
    return number;
  };
}

/** Puts the place before the words of an expression's error, once. */
function at<Result>(place: string, evaluate: () => Result): Result {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof ExpressionError) || /^task \d/.test(error.message)) throw error;
    throw new ExpressionError(`${place}: ${error.message}`);
  }
}
