import type { NumberText } from '../program.ts';
import { ExpressionError } from './expression-error.ts';
import { parseExpression, type Expression, type Operator } from './expression.ts';

/** What names mean where an expression stands. */
export interface Names {
  readonly size: number;
  readonly rank: number;
  /** Variables of the series around it, outermost first; an inner one hides an outer one of the same name. */
  readonly series: readonly string[];
  /** Environment variables and those that the user defined. */
  readonly variables: Variables;
}

/** Texts of variables by name, as an environment holds them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A number that depends on the iterations of the series around it, outermost first. */
export type Bound = (iterations: readonly number[]) => number;

/** 'whole' as in C; 'real' for durations: decimals are allowed, and `/` does not cut. */
type Arithmetic = 'whole' | 'real';

/**
 * Binds names to their values, so that only the iterations are left open.
 * @throws ExpressionError for a wrong text, or a name that means nothing here.
 */
export function bindNumber(number: NumberText, names: Names, arithmetic: Arithmetic = 'whole'): Bound {
  const text = String(number);
  const check = arithmetic === 'whole' ? whole : real;
  if (typeof number === 'number') {
    const value = check(number, text);
    return () => value;
  }
  const bound = bindTree(parseExpression(number), { names, arithmetic, text, within: [] });
  return bound.constant ? constant(bound.of([])) : bound.of;
}

function constant(value: number): Bound {
  return () => value;
}

/** Something evaluated while its text is at hand for messages. */
interface Context {
  readonly names: Names;
  readonly arithmetic: Arithmetic;
  readonly text: string;
  /** Environment variables that are being evaluated: one may not need itself. */
  readonly within: readonly string[];
}

interface BoundTree {
  readonly constant: boolean;
  readonly of: Bound;
}

function bindTree(tree: Expression, context: Context): BoundTree {
  const check = context.arithmetic === 'whole' ? whole : real;
  switch (tree.kind) {
    case 'number': {
      const value = check(tree.value, context.text);
      return { constant: true, of: () => value };
    }
    case 'variable':
      return bindVariable(tree.name, context);
    case 'negate': {
      const of = bindTree(tree.of, context);
      // Not −x: there is no −0 among whole numbers.
      return { constant: of.constant, of: (iterations) => 0 - of.of(iterations) };
    }
    case 'binary': {
      const left = bindTree(tree.left, context);
      const right = bindTree(tree.right, context);
      const { operator } = tree;
      const { text, arithmetic } = context;
      const of: Bound = (iterations) =>
        check(calculate(operator, left.of(iterations), right.of(iterations), arithmetic, text), text);
      return { constant: left.constant && right.constant, of };
    }
  }
}

function bindVariable(name: string, context: Context): BoundTree {
  const { size, rank, series } = context.names;
  const loop = series.lastIndexOf(name);
  if (loop >= 0 && context.within.length === 0) return { constant: false, of: (iterations) => iterations[loop]! };
  if (name === 'SIZE') return { constant: true, of: () => size };
  if (name === 'RANK') return { constant: true, of: () => rank };
  const value = environmentNumber(name, context);
  return { constant: true, of: () => value };
}

/** The value of an environment variable is an expression too, of SIZE, RANK and others of its kind. */
function environmentNumber(name: string, context: Context): number {
  const { variables } = context.names;
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined)
    throw new ExpressionError(
      `"${context.text}": ${name} is not known here: neither SIZE, RANK, a variable of a series around it, nor an environment variable`,
    );
  if (context.within.includes(name) || context.within.length > 16)
    throw new ExpressionError(`"${context.text}": the variable ${name} needs itself`);
  try {
    const inner = { ...context, text: value, within: [...context.within, name] };
    return bindTree(parseExpression(value), inner).of([]);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(`"${context.text}": the variable ${name} is no number: ${error.message}`);
  }
}

function calculate(operator: Operator, left: number, right: number, arithmetic: Arithmetic, text: string): number {
  if ((operator === '/' || operator === '%') && right === 0) throw new ExpressionError(`"${text}" divides by 0`);
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right + 0;
    case '%':
      return (left % right) + 0;
    case '/':
      return arithmetic === 'whole' ? Math.trunc(left / right) + 0 : left / right;
  }
}

function whole(value: number, text: string): number {
  if (Number.isSafeInteger(value)) return value;
  const what = Number.isFinite(value) && !Number.isInteger(value) ? 'is no whole number' : 'is beyond 2^53 − 1';
  throw new ExpressionError(text === String(value) ? `${text} ${what}` : `"${text}": ${value} ${what}`);
}

function real(value: number, text: string): number {
  if (Number.isFinite(value)) return value;
  throw new ExpressionError(`"${text}" is no finite number`);
}
