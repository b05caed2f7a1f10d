import type { Node } from 'web-tree-sitter';
import { countedLoop, declarationOf, lower, programUnit } from './fortran-syntax.ts';

/** Whether a flush or an open may leave its loop: what else the loop does with the file, and how it ends. */

/** Whether a loop neither opens nor closes files, does not give the unit another value, and ends behind its last turn. */
export function keepsUnit(loop: Node, unit: string): boolean {
  const moves = ['open_statement', 'close_statement'];
  if (loop.descendantsOfType([...moves, 'inquire_statement']).length > 0) return false;
  return keepsName(loop, unit) && !leaves(loop) && !callsAway(loop, unit, moves);
}

export function keepsName(loop: Node, unit: string): boolean {
  const isAssigned = loop
    .descendantsOfType('assignment_statement')
    .some((node) => lower(node.childForFieldName('left')) === unit);
  return countedLoop(loop)?.variable !== unit && !isAssigned;
}

/** Controls of reads and writes that name a label to go to. */
const JUMPS = ['err', 'end', 'eor'];

/** Whether a loop can be left for another place than behind it. */
function leaves(loop: Node): boolean {
  if (loop.descendantsOfType('stop_statement').length > 0) return true;
  const names = loop.descendantsOfType('block_label_start_expression').map((node) => lower(node).replace(/\s*:$/, ''));
  const jumps = loop.descendantsOfType('keyword_argument').map((node) => lower(node.childForFieldName('name')));
  return (
    jumps.some((name) => JUMPS.includes(name)) ||
    loop.descendantsOfType('keyword_statement').some((statement) => {
      const [keyword, name] = lower(statement).split(/\s+/);
      if (keyword === 'continue') return false;
      return !['cycle', 'exit'].includes(keyword!) || (name !== undefined && !names.includes(name));
    })
  );
}

/** Procedures of compilers that move files, or start and end programs. */
const OUTSIDE = new Set('rename unlink system execute_command_line fork abort exit'.split(' '));

/** Whether code moves files, asks how large they are, or starts other programs. */
export function asksOutside(code: Node): boolean {
  return code.descendantsOfType('inquire_statement').length > 0 || calledIn(code).some(({ name }) => OUTSIDE.has(name));
}

interface Called {
  readonly name: string;
  /** `call name(…)`; otherwise it may be an element of an array. */
  readonly isSubroutine: boolean;
  readonly operands: readonly string[];
}

function calledIn(code: Node): Called[] {
  return code.descendantsOfType(['subroutine_call', 'call_expression']).map((node) => {
    const isSubroutine = node.type === 'subroutine_call';
    const callee = isSubroutine ? node.childForFieldName('subroutine') : node.namedChildren[0];
    const list = node.namedChildren.find(({ type }) => type === 'argument_list');
    const operands = list?.namedChildren.map((operand) => lower(operand.childForFieldName('value') ?? operand)) ?? [];
    return { name: lower(callee).split('%').at(-1)!, isSubroutine, operands };
  });
}

/**
 * Whether a loop calls something that may do one of the given things to the unit: a procedure of this file that does,
 * also by way of others, or one of another file that can get hold of the unit.
 */
export function callsAway(loop: Node, unit: string, statements: readonly string[]): boolean {
  const scope = programUnit(loop);
  const isLocal = scope !== null && declarationOf(scope, unit) !== undefined;
  const procedures = loop.tree.rootNode.descendantsOfType(['subroutine', 'function']);
  const seen = new Set<string>();
  const waiting = calledIn(loop);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { name, isSubroutine, operands } = at;
    if (OUTSIDE.has(name)) return true;
    const bodies = procedures.filter((procedure) => nameOf(procedure) === name);
    if (bodies.length === 0 && isSubroutine && (!isLocal || operands.includes(unit))) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    if (bodies.some((body) => body.descendantsOfType([...statements]).length > 0)) return true;
    waiting.push(...bodies.flatMap(calledIn));
  }
  return false;
}

function nameOf(procedure: Node): string {
  const [head] = procedure.namedChildren;
  return lower(head?.childForFieldName('name'));
}
