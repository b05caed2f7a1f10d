import type { Node } from 'web-tree-sitter';
import { ancestorOfType, type ParsedSource } from '../c/syntax.ts';
import { standsOn, type LineLanguage } from '../statement-lines.ts';

/** Shapes of Fortran code as tree-sitter-fortran names them. Names and keywords are compared in lower case. */
const UNITS = ['subroutine', 'function', 'program', 'module_procedure'];

export const FORTRAN: LineLanguage = { comment: '!' };

/** Characters of a line; the rest is cut off. */
export function longestLine({ file }: ParsedSource): number {
  return /\.(f|for|ftn|f77)$/i.test(file) ? 72 : 132;
}

/** Statements on a line, counted from 1, that could be parsed whole. */
export function statementsOn({ tree }: ParsedSource, line: number, types: readonly string[]): Node[] {
  const [start, end] = [line - 1, line].map((row) => ({ row, column: 0 }));
  return tree.rootNode
    .descendantsOfType([...types], start, end)
    .filter((node) => standsOn(node, line) && !node.hasError && node.parent?.hasError === false);
}

/** The procedure or main program that a node stands in. */
export function programUnit(node: Node): Node | null {
  return ancestorOfType(node, UNITS);
}

export function lower(node: Node | null | undefined): string {
  return node?.text.toLowerCase() ?? '';
}

/** `unit` → `u`, `rec` → `i`: what stands in the brackets of an I/O statement, by keyword. */
export function controls(statement: Node): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const child of statement.namedChildren) {
    if (child.type === 'unit_identifier') found.set('unit', innermost(child));
    if (child.type === 'format_identifier') found.set('fmt', child);
    if (child.type !== 'keyword_argument') continue;
    const value = child.childForFieldName('value');
    if (value !== null) found.set(lower(child.childForFieldName('name')), value);
  }
  return found;
}

/** The expression in `(u)` and `unit=u`. */
function innermost(node: Node): Node {
  let at = node;
  for (let inner = at.namedChildren.at(-1); inner !== undefined && at.type !== 'identifier';) {
    if (at.type !== 'unit_identifier' && at.type !== 'parenthesized_expression') break;
    at = inner;
    inner = at.namedChildren.at(-1);
  }
  return at;
}

/** The unit of a statement: a name or a number; '' when it is neither (`*`, an element of an array). */
export function unitOf(statement: Node): string {
  const all = controls(statement);
  const unit = all.get('unit') ?? all.get('newunit');
  return unit !== undefined && /^\w+$/.test(unit.text) ? lower(unit) : '';
}

/** The text of a literal without its quotes; undefined for anything else. */
export function literal(node: Node | undefined): string | undefined {
  return node?.type === 'string_literal' ? node.text.slice(1, -1).trim().toLowerCase() : undefined;
}

export function isFlush(node: Node): boolean {
  return node.type === 'file_position_statement' && lower(node.firstChild) === 'flush';
}

/** `do name = from, to`, without a step. */
interface CountedLoop {
  readonly variable: string;
  readonly from: Node;
  readonly to: Node;
}

export function countedLoop(loop: Node): CountedLoop | undefined {
  const control = loop.descendantsOfType('loop_control_expression')[0];
  if (control?.parent?.parent?.id !== loop.id) return undefined;
  const [variable, from, to, step] = control.namedChildren;
  if (variable?.type !== 'identifier' || from === undefined || to === undefined || step !== undefined) return undefined;
  return { variable: lower(variable), from, to };
}

const FRAME = ['do_statement', 'end_do_loop_statement', 'block_label_start_expression', 'comment'];

/** The statements of a loop. */
export function bodyOf(loop: Node): Node[] {
  return loop.namedChildren.filter(({ type }) => !FRAME.includes(type));
}

/** Every use of a name below a node. */
export function usesOf(root: Node, name: string): Node[] {
  return root.descendantsOfType(['identifier', 'name']).filter((node) => node.childCount < 2 && lower(node) === name);
}

/** Where a name is declared in a program unit: the declaration, and the part that is the name's own. */
export function declarationOf(unit: Node, name: string): { declaration: Node; declarator: Node } | undefined {
  for (const declaration of unit.descendantsOfType('variable_declaration')) {
    if (programUnit(declaration)?.id !== unit.id) continue;
    for (const declarator of declaration.childrenForFieldName('declarator')) {
      const bare = withoutValue(declarator);
      const named = bare.type === 'identifier' ? bare : bare.namedChildren[0];
      if (lower(named) === name) return { declaration, declarator };
    }
  }
  return undefined;
}

/** `a(3)` of `a(3) = 0` */
function withoutValue(declarator: Node): Node {
  return declarator.type === 'init_declarator' ? declarator.childForFieldName('left')! : declarator;
}

/** Number of dimensions that a name is declared with; 0 for a scalar and for what is not declared here. */
export function rankOf(unit: Node, name: string): number {
  const found = declarationOf(unit, name);
  if (found === undefined) return 0;
  const declarator = withoutValue(found.declarator);
  if (declarator.type === 'sized_declarator') {
    return declarator.namedChildren.find(({ type }) => type === 'size')?.namedChildCount ?? 0;
  }
  const dimension = found.declaration.namedChildren.find(
    (child) => child.type === 'type_qualifier' && lower(child.firstChild) === 'dimension',
  );
  return dimension?.namedChildren.find(({ type }) => type === 'argument_list')?.namedChildCount ?? 0;
}

export function isWithin(node: Node, outer: Node): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** Whether a name is a parameter of the procedure that a statement stands in. */
export function isParameter(statement: Node, name: string): boolean {
  const lists = programUnit(statement)?.namedChildren[0]?.descendantsOfType('parameters') ?? [];
  return lists.some((list) => list.namedChildren.some((each) => lower(each) === name));
}
