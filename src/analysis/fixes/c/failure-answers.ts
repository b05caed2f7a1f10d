import type { Node } from 'web-tree-sitter';
import { isCheck, endsProgram } from './checks.ts';
import { isCode } from './counted-loop.ts';
import { identifiersIn, macroValue } from './declarations.ts';
import { squeezed, type FunctionCall, type ParsedSource } from './syntax.ts';

/** How a program answers a call that fails, where the call is all of a statement or of its test. */

interface CallStatement {
  readonly node: Node;
  /** `call != …` of an `if`, or `call == …` of a check; undefined where nobody asks for the result. */
  readonly test?: Node;
  readonly branch?: Node;
  /** The function of the program that ends it where its argument is 0. */
  readonly check?: string;
}

/** The statement that is nothing but the call, or a test of its result. */
export function statementWith({ node }: FunctionCall, all: readonly ParsedSource[]): CallStatement | undefined {
  let at = node;
  while (at.parent !== null && ['cast_expression', 'unary_expression'].includes(at.parent.type)) at = at.parent;
  if (at.parent?.type === 'expression_statement')
    return /^(\(void\)\s*!?\s*)?$/.test(at.text.slice(0, node.startIndex - at.startIndex))
      ? { node: at.parent }
      : undefined;
  const test = node.parent;
  const head = test?.parent;
  const statement = head?.parent;
  if (test?.type !== 'binary_expression' || test.childForFieldName('left')?.id !== node.id) return undefined;
  if (head?.type === 'argument_list') return checkedStatement(test, head, all);
  if (!['parenthesized_expression', 'condition_clause'].includes(head?.type ?? '')) return undefined;
  if (statement?.type !== 'if_statement' || statement.childForFieldName('condition')?.id !== head?.id) return undefined;
  const branch = statement.childForFieldName('consequence');
  if (statement.childForFieldName('alternative') !== null || branch === null) return undefined;
  return { node: statement, test, branch };
}

/** `check(call == …);` */
function checkedStatement(test: Node, { parent }: Node, all: readonly ParsedSource[]): CallStatement | undefined {
  const check = parent?.childForFieldName('function')?.text ?? '';
  const isStatement = parent?.parent?.type === 'expression_statement';
  return isStatement && isCheck(check, all) ? { node: parent.parent, test, check } : undefined;
}

/** How the program answers a failure; undefined where it does not ask. */
export type Failure = Answer | undefined | 'unknown';

interface Answer {
  /** The code of a branch that leaves. */
  readonly branch?: Node;
  /** A statement that answers: by two opposite conditions, and how it is indented. */
  readonly statement: (failed: string, isFine: string, indent: string, step: string) => string;
}

interface MovedElement {
  /** The loop's variable. */
  readonly variable: string;
  /** Whether an expression is the size of the element. */
  readonly isSize: (expression: Node) => boolean;
}

export function failureOf(
  { test, branch, check }: CallStatement,
  call: FunctionCall,
  { variable, isSize }: MovedElement,
  all: readonly ParsedSource[],
): Failure {
  if (test === undefined) return undefined;
  const operator = test.childForFieldName('operator')!.text;
  const right = test.childForFieldName('right')!;
  const isStream = call.name.startsWith('f');
  const isWhole = isStream ? /^1u?l?$/i.test(right.text) : isSize(right);
  if (check !== undefined)
    return isWhole && operator === '==' ? { statement: (_failed, isFine) => `${check}(${isFine});` } : 'unknown';
  // Elements that a read leaves half filled are no failure there: one read would fill them.
  const isError = call.name === 'write' && /^(<0|==-1|<=0)$/.test(squeezed(operator + right.text));
  if (branch === undefined || (!isError && !(isWhole && (operator === '!=' || operator === '<')))) return 'unknown';
  if (!leaves(branch, isStream, variable, all)) return 'unknown';
  return { branch, statement: (failed, _isFine, indent, step) => ifStatement(failed, branch, indent, step) };
}

function leaves(branch: Node, isStream: boolean, variable: string, all: readonly ParsedSource[]): boolean {
  const statements = branch.type === 'compound_statement' ? branch.namedChildren.filter(isCode) : [branch];
  const last = statements.at(-1);
  if (last === undefined || identifiersIn(branch).includes(variable)) return false;
  if (identifiersIn(branch).some((name) => macroValue(name, all) === '')) return false;
  if (branch.descendantsOfType('continue_statement').length > 0) return false;
  // Without a loop of its own it would leave the one around.
  if (isStream && branch.descendantsOfType('break_statement').length > 0) return false;
  if (/^(return|break|goto|throw)_statement$/.test(last.type)) return true;
  return endsProgram(last);
}

function ifStatement(condition: string, branch: Node, indent: string, step: string): string {
  const isBlock = branch.type === 'compound_statement';
  return `if (${condition})${isBlock ? ' ' : `\n${indent}${step}`}${indented(branch, isBlock ? indent : indent + step)}`;
}

/** A branch with its lines moved to an indentation. */
function indented(branch: Node, indent: string): string {
  const [first, ...rest] = branch.text.split('\n');
  const last = /^[ \t]*/.exec(rest.at(-1) ?? '')![0];
  return [first, ...rest.map((line) => (line.startsWith(last) ? indent + line.slice(last.length) : line))].join('\n');
}
