import type { Node } from 'web-tree-sitter';
import { isCheck } from './checks.ts';
import { reaches } from './closed-world.ts';
import { isCode } from './counted-loop.ts';
import { identifiersIn } from './declarations.ts';
import { descriptorOf, type Reach } from './holders.ts';
import {
  ancestorOfType,
  callsOf,
  enclosingFunction,
  functionName,
  isPlainDeclaration,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';

/** A descriptor that is opened, written or read, and closed in one function. */
export interface OnlyUse {
  readonly scope: Node;
  readonly declaration: Node;
  readonly open: FunctionCall;
  readonly name: string;
  /** `fd < 0`, the test that leaves where the file cannot be opened; undefined where the first transfer tells it. */
  readonly test: Node | undefined;
  /** The function of the program that each transfer is given to, and that ends the program where one fails. */
  readonly check: string | undefined;
  readonly transfers: readonly FunctionCall[];
  readonly closes: readonly FunctionCall[];
}

/** undefined where the descriptor is used for more. @param flags that the file is opened with */
export function onlyUse(reach: Reach, { name: transfer, operands }: FunctionCall, flags: RegExp): OnlyUse | undefined {
  const [variable] = operands;
  const scope = enclosingFunction(variable!);
  const descriptor = descriptorOf(reach, variable!);
  const [open, ...more] = descriptor?.opens ?? [];
  const declaration = open?.node.parent?.parent;
  if (scope === null || open === undefined || more.length > 0 || !isPlainDeclaration(declaration)) return undefined;
  const uses = descriptor!.uses;
  const isHere = uses.every(
    (use) => enclosingFunction(use.node)?.id === scope.id && [transfer, 'close'].includes(use.name),
  );
  if (!isHere || !flags.test(open.operands[1]?.text ?? '') || enclosingFunction(open.node)?.id !== scope.id)
    return undefined;
  const name = variable!.text;
  const test = openTest(declaration, name);
  const transfers = uses.filter((use) => use.name === transfer);
  const check = checkOfAll(transfers, reach.all);
  // The variable is nothing else than the descriptor: named by its declaration, one test, and the calls.
  const named = identifiersIn(scope).filter((text) => text === name).length;
  if (test === undefined && check === undefined) return undefined;
  if (named !== uses.length + (test === undefined ? 1 : 2) || scope.descendantsOfType('labeled_statement').length > 0)
    return undefined;
  const closes = uses.filter((use) => use.name === 'close');
  return { scope, declaration, open, name, test, check, transfers, closes };
}

/** The function that all calls are given to: `check(write(…) == n);` */
function checkOfAll(calls: readonly FunctionCall[], all: readonly ParsedSource[]): string | undefined {
  const checks = calls.map(({ node }) => {
    const list = node.parent?.parent;
    const isStatement = list?.parent?.parent?.type === 'expression_statement';
    return list?.type === 'argument_list' && isStatement ? list.parent.childForFieldName('function')?.text : undefined;
  });
  const [first] = checks;
  return first !== undefined && checks.every((one) => one === first) && isCheck(first, all) ? first : undefined;
}

/** `if (fd < 0) return …;` directly behind the declaration. */
function openTest(declaration: Node, name: string): Node | undefined {
  let next = declaration.nextNamedSibling;
  while (next?.type === 'comment') next = next.nextNamedSibling;
  const condition = next?.type === 'if_statement' ? next.childForFieldName('condition')?.namedChildren[0] : undefined;
  const isTest = [`${name}<0`, `${name}==-1`].includes((condition?.text ?? '').replaceAll(/\s/g, ''));
  const branch = next?.childForFieldName('consequence');
  return isTest && next?.childForFieldName('alternative') === null && leaves(branch) ? condition! : undefined;
}

export function leaves(branch: Node | null | undefined): boolean {
  const last = branch?.type === 'compound_statement' ? branch.namedChildren.findLast(isCode) : branch;
  if (last?.type === 'return_statement') return true;
  const only = last?.type === 'expression_statement' ? last.namedChildren[0] : undefined;
  return !!last && callsOf(last, new Set(['exit'])).some(({ node }) => node.id === only?.id);
}

/** Whether nothing else in the sources opens a file that may be the same. */
export function isOnlyFile(all: readonly ParsedSource[], own: FunctionCall): boolean {
  const roots = all.map(({ tree }) => tree.rootNode);
  // An exception would leave the stream behind with a buffer that is gone.
  if (all.some(({ text }) => /\b([io]?fstream|stdin|cin|catch)\b/.test(text))) return false;
  const others = roots
    .flatMap((root) => callsOf(root, new Set(['open', 'fopen'])))
    .filter(({ node }) => node.id !== own.node.id);
  const name = (call: FunctionCall): string => call.operands[0]?.text.replaceAll('"', '').split('/').at(-1) ?? '';
  const isLiteral = (call: FunctionCall): boolean => call.operands[0]?.type === 'string_literal';
  const isDistinct = isLiteral(own) && others.every((call) => isLiteral(call) && name(call) !== name(own));
  const scope = enclosingFunction(own.node)!;
  const isSpecial = /^"\/(dev|proc|sys)\//.test(own.operands[0]?.text ?? '');
  return !isSpecial && (others.length === 0 || isDistinct) && !reaches(scope, functionName(scope), all);
}

/** `return close(fd);` and `if (close(fd) != 0)`: it is called whatever else is asked. */
const CLOSES_FIRST = /^(return\b\s*)?\(?\s*(::)?close\s*\(/;

/** Whether every way out of the function behind the open leads through one close, and nothing is written behind it. */
export function isAlwaysClosed({ scope, declaration, test, transfers, closes }: OnlyUse): boolean {
  const opened = test === undefined ? declaration : ancestorOfType(test, ['if_statement'])!;
  const isClose = (statement: Node | null | undefined): boolean =>
    closes.some(({ node }) => node.parent?.id === statement?.id && statement?.type === 'expression_statement');
  const closesFirst = (node: Node | null | undefined): boolean =>
    !!node && CLOSES_FIRST.test(node.text) && closes.some((close) => isWithin(close.node, node));
  const closesInTest = (statement: Node | null): boolean =>
    statement?.type === 'if_statement' && closesFirst(statement.childForFieldName('condition'));
  const isSafe = (exit: Node): boolean => {
    const tested = ancestorOfType(exit, ['if_statement']);
    return (
      closesFirst(exit) || isClosedBefore(exit, isClose) || closesInTest(besideCode(exit, -1)) || closesInTest(tested)
    );
  };
  const exits = scope
    .descendantsOfType(['return_statement', 'break_statement', 'continue_statement'])
    .filter((node) => node.startIndex > opened.endIndex);
  const last = declaration.parent!.namedChildren.findLast(isCode);
  const isEnd = last?.type === 'return_statement' ? isSafe(last) : isClose(last) || isClosedBefore(last, isClose);
  // What is closed in a branch that is left at once is not used any more; of the others only the last comes behind all.
  const isLast = ({ node }: FunctionCall): boolean =>
    leavesNext(node) || [...transfers, ...closes].every((use) => use.node.startIndex <= node.startIndex);
  return isEnd && exits.every(isSafe) && closes.every(isLast);
}

function isWithin(node: Node, outer: Node): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** Whether a close stands in front of a statement, and only plain statements between the two. */
function isClosedBefore(statement: Node | undefined, isClose: (node: Node | null) => boolean): boolean {
  let at = besideCode(statement, -1);
  while (at?.type === 'expression_statement' && !isClose(at)) at = besideCode(at, -1);
  return isClose(at);
}

/** The code in front of a statement, or behind it. */
function besideCode(statement: Node | null | undefined, step: 1 | -1): Node | null {
  let at = statement ?? null;
  do at = (step < 0 ? at?.previousNamedSibling : at?.nextNamedSibling) ?? null;
  while (at?.type === 'comment');
  return at;
}

function leavesNext(close: Node): boolean {
  if (ancestorOfType(close, ['return_statement']) !== null) return true;
  let next = close.parent?.type === 'expression_statement' ? besideCode(close.parent, 1) : null;
  while (next?.type === 'expression_statement' && !leaves(next)) next = besideCode(next, 1);
  return leaves(next);
}
