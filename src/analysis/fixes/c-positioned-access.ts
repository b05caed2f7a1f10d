import type { Node } from 'web-tree-sitter';
import { counted } from '../../base/quantities.ts';
import { CLOSE, ONLY_USES, type FixSources } from './c-descriptors.ts';
import { isRemovable, statementOf } from './c-placement.ts';
import {
  callsOf,
  callsOnLine,
  enclosingFunction,
  insertAt,
  isPure,
  loopBetween,
  LOOPS,
  removeStatement,
  replace,
  type FunctionCall,
} from './c-syntax.ts';
import type { FixRequest, Repair } from './fix.ts';

const SEEK = new Set(['lseek', 'lseek64']);

/** `lseek(fd, offset, SEEK_SET);` and the read or write of the next statement become one pread or pwrite. */
export function usePositionedAccess(request: FixRequest, { main }: FixSources): Repair | undefined {
  const [seek] = callsOnLine(main, request.place.line, [...SEEK]);
  if (seek === undefined || !isAbsolute(seek)) return undefined;
  const [descriptor, offset] = seek.operands;
  const statement = removableSeek(seek);
  const next = statement === undefined ? null : nextStatement(statement);
  if (statement === undefined || next === null || !isPure(offset!)) return undefined;
  if (LOOPS.includes(next.type)) return undefined;
  const [access, ...more] = accessesOf(next, descriptor!.text);
  if (access?.operands.length !== 3 || more.length > 0 || loopBetween(access.node, next)) return undefined;
  if (!/^(read|write)v?$/.test(access.name)) return undefined;
  const scope = enclosingFunction(seek.node);
  if (scope !== null && dependsOnOffset(scope, descriptor!.text, access)) return undefined;
  const last = access.operands[2]!;
  return {
    title: `Use p${access.name} instead of ${counted(request.count, 'seek')}`,
    note: 'The file offset is no longer moved: other code that relies on it must seek by itself.',
    edits: [
      removeStatement(main, statement),
      replace(main, access.callee, `p${access.name}`),
      insertAt(main, last.endIndex, `, ${offset!.text}`),
    ],
    method: 'positioned access',
    kind: 'repair',
  };
}

function isAbsolute({ operands }: FunctionCall): boolean {
  return operands.length === 3 && operands[2]!.text === 'SEEK_SET';
}

/** Whether something of the function goes on from where the seek and its access would have left the file offset. */
function dependsOnOffset(scope: Node, descriptor: string, access: FunctionCall): boolean {
  const seeks = callsOf(scope, SEEK).filter(({ operands }) => operands[0]?.text === descriptor);
  if (seeks.some(({ operands }) => operands[2]?.text === 'SEEK_CUR')) return true;
  const others = accessesOf(scope, descriptor).filter(({ node }) => node.id !== access.node.id);
  return others.some(({ node }) => !hasOwnSeek(node, descriptor)) || isHandedOn(scope, descriptor);
}

/** Whether the descriptor goes to code that may read or write on. */
function isHandedOn(scope: Node, descriptor: string): boolean {
  const known = new Set([...callsOf(scope, ONLY_USES), ...callsOf(scope, CLOSE)].map(({ node }) => node.id));
  return scope
    .descendantsOfType('call_expression')
    .filter(({ id }) => !known.has(id))
    .some((call) => call.childForFieldName('arguments')?.namedChildren.some(({ text }) => text === descriptor));
}

function accessesOf(node: Node, descriptor: string): FunctionCall[] {
  return callsOf(node, new Set(['read', 'write', 'readv', 'writev', 'sendfile', 'copy_file_range', 'dprintf'])).filter(
    ({ operands }) => operands[0]?.text === descriptor || operands[1]?.text === descriptor,
  );
}

/** The statement in front of the one that holds the access always seeks in the same file, to a place of its own. */
function hasOwnSeek(access: Node, descriptor: string): boolean {
  let before = statementOf(access)?.previousNamedSibling ?? null;
  while (before?.type === 'comment') before = before.previousNamedSibling;
  if (before === null || LOOPS.includes(before.type)) return false;
  return callsOf(before, SEEK).some(
    (seek) => seek.operands[0]?.text === descriptor && isAbsolute(seek) && !isConditional(seek.node, before),
  );
}

/** Whether a part of a statement may be left out when it is executed. */
function isConditional(node: Node, statement: Node): boolean {
  for (let at = node; at.id !== statement.id && at.parent !== null; at = at.parent) {
    const { parent } = at;
    if (['else_clause', 'case_statement', 'lambda_expression'].includes(parent.type)) return true;
    if (parent.childForFieldName('consequence')?.id === at.id) return true;
    if (parent.childForFieldName('alternative')?.id === at.id) return true;
    const operator = parent.childForFieldName('operator')?.text ?? '';
    if (/^(&&|\|\|)$/.test(operator) && parent.childForFieldName('right')?.id === at.id) return true;
  }
  return false;
}

function nextStatement(statement: Node): Node | null {
  let next = statement.nextNamedSibling;
  while (next?.type === 'comment') next = next.nextNamedSibling;
  return next;
}

/** The statement that goes with the seek: the seek alone, or `if (lseek(…) < 0) return -1;`. */
function removableSeek(seek: FunctionCall): Node | undefined {
  const { parent } = seek.node;
  if (parent?.type === 'expression_statement') return isRemovable(parent) ? parent : undefined;
  if (parent === null || !isErrorTest(parent, seek)) return undefined;
  const statement = parent.parent?.parent;
  if (statement?.type !== 'if_statement' || !isRemovable(statement)) return undefined;
  const branch = statement.childForFieldName('consequence');
  if (statement.childForFieldName('alternative') !== null || branch === null) return undefined;
  return onlyLeaves(branch) ? statement : undefined;
}

/** `lseek(…) < 0`, `lseek(…) == -1` or `lseek(…) != offset` as the whole condition. */
function isErrorTest(test: Node, seek: FunctionCall): boolean {
  if (test.type !== 'binary_expression' || test.childForFieldName('left')?.id !== seek.node.id) return false;
  if (!['parenthesized_expression', 'condition_clause'].includes(test.parent?.type ?? '')) return false;
  const operator = test.childForFieldName('operator')?.text ?? '';
  const right = test.childForFieldName('right')?.text ?? '';
  const failure: Readonly<Record<string, RegExp>> = { '<': /^0L?$/, '==': /^(\(off_t\)\s*)?\(?-\s*1L?\)?$/ };
  return operator === '!=' ? right === seek.operands[1]!.text : failure[operator]?.test(right) === true;
}

const LEAVING = ['return_statement', 'goto_statement', 'continue_statement', 'break_statement'];

/** Whether a branch does nothing but report an error and leave: an access that fails leads to the same. */
function onlyLeaves(branch: Node): boolean {
  const statements = branch.type === 'compound_statement' ? branch.namedChildren : [branch];
  return statements.every((statement) => {
    if (statement.type === 'comment') return true;
    if (LEAVING.includes(statement.type)) return statement.namedChildren.every(isPure);
    const only = statement.type === 'expression_statement' ? statement.namedChildren[0] : undefined;
    return callsOf(statement, new Set(['perror', 'exit', '_exit'])).some(({ node }) => node.id === only?.id);
  });
}
