import type { Node } from 'web-tree-sitter';
import { callsAnywhere, FORKS, REPLACES_PROCESS, STARTS_PROCESS, type FixSources } from './descriptors.ts';
import { identifiersIn, isAddressed } from './declarations.ts';
import { descriptorOf, isNonNegative, reachOf, type Reach } from './holders.ts';
import { isRemovable, statementOf } from './placement.ts';
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
} from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

const SEEK = new Set(['lseek']);

const TITLE = 'Give the offset with the access (pread, pwrite)';
const NOTE = 'One call in the place of two. The file offset is no longer moved.';
/** A system that declares less than this has no pread. */
const OLD_SYSTEM = /#\s*define\s+_(ANSI_SOURCE|POSIX_SOURCE|POSIX_C_SOURCE\s+(1\d{5}|\d{1,2})L?)\b/;

/** `lseek(fd, offset, SEEK_SET);` and the read or write of the next statement become one pread or pwrite. */
export function usePositionedAccess(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main } = sources;
  const reach = reachOf(request, sources);
  const [seek] = callsOnLine(main, request.place.line, ['lseek']);
  if (seek === undefined || !isAbsolute(seek)) return undefined;
  const [descriptor, offset] = seek.operands;
  const statement = removableSeek(seek);
  const next = statement === undefined ? null : nextStatement(statement);
  if (statement === undefined || next === null || !isPure(offset!)) return undefined;
  // A jump to a label, or another branch of the preprocessor, may come without the seek.
  if (LOOPS.includes(next.type) || /^(labeled|preproc)/.test(next.type)) return undefined;
  const [access, ...more] = accessesOf(next, descriptor!.text);
  if (access?.operands.length !== 3 || more.length > 0 || loopBetween(access.node, next)) return undefined;
  if (!/^(read|write)v?$/.test(access.name)) return undefined;
  if (!isSeekedAlone(reach, descriptor!)) return refusal('other code may go on from the file offset');
  if (!isSteady(offset!, next, access)) return refusal('the offset may change before the access');
  if (!isNonNegative(reach, offset!) && !failsAlike(statement, access))
    return refusal('a seek that fails is answered in another way than an access that fails');
  const last = access.operands[2]!;
  return {
    title: `Use p${access.name} instead of lseek and ${access.name}`,
    note: NOTE,
    edits: [
      removeStatement(main, statement),
      replace(main, access.callee, access.callee.text.replace(access.name, `p${access.name}`)),
      insertAt(main, last.endIndex, `, ${offset!.text}`),
    ],
    method: 'positioned access',
    kind: 'repair',
  };
}

function refusal(reason: string): Refusal {
  return { title: TITLE, note: NOTE, reason };
}

/** Calls that go on from the file offset, or share it with another process. */
const MOVES_ON = new Set('read write readv writev dprintf sendfile copy_file_range'.split(' '));

/** Whether each access to the descriptor, in all functions that have it, brings its own offset. */
function isSeekedAlone(reach: Reach, variable: Node): boolean {
  const descriptor = descriptorOf(reach, variable);
  if (descriptor === undefined || reach.all.some(({ text }) => OLD_SYSTEM.test(text))) return false;
  if (callsAnywhere(reach.all, FORKS, STARTS_PROCESS, REPLACES_PROCESS)) return false;
  // With O_APPEND all is written at the end; a flag that is a variable may hold it.
  const flags = descriptor.opens.map(({ operands }) => operands[1]?.text ?? '');
  if (!flags.every((text) => /^[A-Z_|\s]+$/.test(text) && !/\bO_(APPEND|PATH|DIRECTORY)\b/.test(text))) return false;
  return descriptor.uses.every((use) => {
    if (SEEK.has(use.name)) return isAbsolute(use) && (isStatement(use) || removableSeek(use) !== undefined);
    return !MOVES_ON.has(use.name) || hasOwnSeek(use.node, use.operands[0]!.text);
  });
}

function isStatement({ node }: FunctionCall): boolean {
  return node.parent?.type === 'expression_statement';
}

/** Whether the offset means the same in front of a statement and where the access in it is made. */
function isSteady(offset: Node, statement: Node, access: FunctionCall): boolean {
  const names = offset.type === 'identifier' ? [offset.text] : identifiersIn(offset);
  const scope = enclosingFunction(offset);
  if (scope === null || names.some((name) => isAddressed(name, scope))) return false;
  if (offset.descendantsOfType(['field_expression', 'subscript_expression', 'pointer_expression']).length > 0)
    return false;
  const before = statement
    .descendantsOfType(['call_expression', 'assignment_expression', 'update_expression'])
    .filter((node) => node.startIndex < access.node.startIndex && node.endIndex < access.node.startIndex);
  const inside = access.operands.some((operand) => !isPure(operand));
  const changed = statement
    .descendantsOfType(['assignment_expression', 'update_expression'])
    .some((node) => names.includes((node.childForFieldName('left') ?? node.childForFieldName('argument'))?.text ?? ''));
  return before.length === 0 && !inside && !changed;
}

/** Whether a seek that fails and an access that fails lead to the same code. */
function failsAlike(seek: Node, access: FunctionCall): boolean {
  const test = access.node.parent;
  const answer = test?.parent?.parent;
  const branch = seek.childForFieldName('consequence');
  if (branch === null || answer?.type !== 'if_statement' || test?.type !== 'binary_expression') return false;
  if (test.childForFieldName('left')?.id !== access.node.id) return false;
  const operator = test.childForFieldName('operator')?.text ?? '';
  const isError =
    operator === '!=' || (operator === '<' && !(test.childForFieldName('right')?.text ?? '-').startsWith('-'));
  const own = answer.childForFieldName('consequence');
  return isError && own !== null && codeOf(own) === codeOf(branch);
}

/** The code of a branch without blanks and comments. */
function codeOf(branch: Node): string {
  const statements = branch.type === 'compound_statement' ? branch.namedChildren : [branch];
  const code = statements.filter(({ type }) => type !== 'comment').map(({ text }) => text);
  return code.join(' ').replaceAll(/\s+/g, ' ');
}

function isAbsolute({ operands }: FunctionCall): boolean {
  return operands.length === 3 && operands[2]!.text === 'SEEK_SET';
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
  if (before === null || LOOPS.includes(before.type) || before.type.startsWith('preproc')) return false;
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

const HARMLESS = new Set('perror fprintf printf puts fputs close fclose free exit _exit'.split(' '));
const LEAVING = ['return_statement', 'goto_statement', 'continue_statement', 'break_statement'];

/** Whether a branch does nothing but report an error and leave: an access that fails leads to the same. */
function onlyLeaves(branch: Node): boolean {
  const statements = branch.type === 'compound_statement' ? branch.namedChildren : [branch];
  return statements.every((statement) => {
    if (statement.type === 'comment') return true;
    if (LEAVING.includes(statement.type)) return statement.namedChildren.every(isPure);
    const only = statement.type === 'expression_statement' ? statement.namedChildren[0] : undefined;
    return callsOf(statement, HARMLESS).some(({ node }) => node.id === only?.id);
  });
}
