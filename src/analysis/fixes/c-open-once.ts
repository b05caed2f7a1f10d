import type { Node } from 'web-tree-sitter';
import { counted } from '../../base/quantities.ts';
import { callsAny, closesIn, FORKS, ONLY_USES, STARTS_PROCESS, type FixSources } from './c-descriptors.ts';
import { helperEdits, userCode } from './c-placement.ts';
import {
  callsOf,
  callsOnLine,
  enclosingFunction,
  functionName,
  insertAt,
  loopBetween,
  replace,
  type FunctionCall,
  type ParsedSource,
} from './c-syntax.ts';
import type { FixRequest, Repair } from './fix.ts';
import { OPEN_ONCE, openOnceHelper, storageIn } from './helpers.ts';

const OPEN = new Set(['open']);
/** Calls after which a path may lead to another file. */
const REPLACES_FILE = new Set([
  ...'rename renameat renameat2 unlink unlinkat remove symlink symlinkat chdir fchdir chroot'.split(' '),
  ...STARTS_PROCESS,
]);

/** The open and the closes of one function keep the file open instead. */
export function openOnce(request: FixRequest, { main }: FixSources): Repair | undefined {
  const [onLine] = callsOnLine(main, request.place.line, ['open', 'close']);
  if (onLine === undefined || request.threaded) return undefined;
  const scope = enclosingFunction(onLine.node);
  const storage = storageIn(main.file, request.language);
  if (scope === null || storage === undefined || !userCode(main, OPEN_ONCE)(onLine.node)) return undefined;
  const [open, ...more] = callsOf(scope, OPEN).filter(({ operands }) => operands.length >= 2);
  // Every open of O_TMPFILE makes a file of its own.
  if (open === undefined || more.length > 0 || /\bO_TMPFILE\b/.test(open.node.text)) return undefined;
  const descriptor = descriptorOf(open, scope);
  const closes = closesIn(scope).filter(({ operands }) => operands[0]!.text === descriptor);
  if (closes.length === 0 || !isClosedWithin(request, scope) || !isUsedAlone(main, scope)) return undefined;
  // A descriptor that is kept would lead to the file that was removed or replaced.
  if (callsOf(main.tree.rootNode, REPLACES_FILE).some(({ node }) => mayRepeat(node, scope))) return undefined;
  const users = [...callsOf(main.tree.rootNode, OPEN), ...closesIn(main.tree.rootNode)]
    .map(({ node }) => node)
    .filter(userCode(main, OPEN_ONCE));
  const helper = { ...OPEN_ONCE, code: openOnceHelper(storage) };
  const placed = helperEdits(main, helper, users);
  if (placed === undefined) return undefined;
  const mode = open.operands.length === 2 ? [insertAt(main, open.operands[1]!.endIndex, ', 0')] : [];
  return {
    title: `Keep the file open (${counted(request.count, 'open and close', 'opens and closes')})`,
    note: 'The file stays open until the program ends. Not for files that are removed or replaced in between.',
    edits: [
      replace(main, open.callee, 'open_once'),
      ...mode,
      ...closes.map(({ callee }) => replace(main, callee, 'keep_open')),
      ...placed,
    ],
    method: 'opened once',
    kind: 'repair',
  };
}

/** Whether the recording saw the file closed nowhere but in the function. */
function isClosedWithin(request: FixRequest, scope: Node): boolean {
  const { startPosition, endPosition } = scope;
  return request.closedAt.every(
    ({ file, line }) => file === request.place.file && line > startPosition.row && line <= endPosition.row + 1,
  );
}

/** The local variable that holds an open's descriptor; undefined when other code could get hold of it. */
function descriptorOf(open: FunctionCall, scope: Node): string | undefined {
  const { parent } = open.node;
  const holder = parent?.childForFieldName(parent.type === 'init_declarator' ? 'declarator' : 'left');
  if (holder?.type !== 'identifier') return undefined;
  const uses = scope.descendantsOfType('identifier').filter(({ text }) => text === holder.text);
  const stays = uses.every((use) => isDeclarator(use) || isAssigned(use) || isUsedInPlace(use));
  return stays && uses.some(isDeclarator) ? holder.text : undefined;
}

/** `int fd` and `int fd = …` of a variable that ends with its block. */
function isDeclarator(name: Node): boolean {
  const declarator = name.parent?.type === 'init_declarator' ? name.parent : name;
  if (declarator !== name && declarator.childForFieldName('declarator')?.id !== name.id) return false;
  const { parent } = declarator;
  return (
    parent?.type === 'declaration' &&
    parent.childrenForFieldName('declarator').some(({ id }) => id === declarator.id) &&
    !parent.namedChildren.some(({ type }) => type === 'storage_class_specifier')
  );
}

function isAssigned(name: Node): boolean {
  const { parent } = name;
  return (
    parent?.type === 'assignment_expression' &&
    parent.childForFieldName('left')?.id === name.id &&
    parent.childForFieldName('operator')?.text === '=' &&
    isUsedInPlace(parent)
  );
}

const COMPARISONS = ['<', '<=', '>', '>=', '==', '!=', '&&', '||'];
const TESTS = ['if_statement', 'while_statement', 'do_statement', 'for_statement', 'condition_clause'];

/** Whether a value is looked at, or handed to a call that only uses it: nothing keeps it. */
function isUsedInPlace(value: Node): boolean {
  const { parent } = value;
  if (parent === null) return false;
  if (parent.type === 'parenthesized_expression' || parent.type === 'cast_expression') return isUsedInPlace(parent);
  if (parent.type === 'binary_expression')
    return COMPARISONS.includes(parent.childForFieldName('operator')?.text ?? '');
  if (parent.type === 'unary_expression') return parent.childForFieldName('operator')?.text === '!';
  if (parent.type !== 'argument_list') return [...TESTS, 'expression_statement'].includes(parent.type);
  const call = parent.parent;
  return call !== null && [...callsOf(call, ONLY_USES), ...closesIn(call)].some(({ node }) => node.id === call.id);
}

/** Whether no other use of the kept files can come between the open and the close: they would share one offset. */
function isUsedAlone(source: ParsedSource, scope: Node): boolean {
  const root = source.tree.rootNode;
  if (callsAny(root, FORKS)) return false;
  const others = callsOf(root, new Set(['open_once'])).flatMap(({ node }) => enclosingFunction(node) ?? []);
  if (others.some(({ id }) => id === scope.id)) return false;
  const users = [scope, ...others];
  return users.every((user) => {
    const called = calledFrom(user, root);
    return !users.some(({ id }) => called.has(id));
  });
}

/** The functions of a file that a function calls, also by way of others. */
function calledFrom(start: Node, root: Node): Set<number> {
  const all = root.descendantsOfType('function_definition');
  const called = new Set<number>();
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const names = at.descendantsOfType('call_expression').map(calleeName);
    for (const definition of all) {
      if (called.has(definition.id) || !names.includes(functionName(definition).split('::').at(-1)!)) continue;
      called.add(definition.id);
      waiting.push(definition);
    }
  }
  return called;
}

function calleeName(call: Node): string {
  return /\w+$/.exec(call.childForFieldName('function')?.text ?? '')?.[0] ?? '';
}

/** Whether a call can be made between two uses of a function: only `main` outside its loops is sure not to. */
function mayRepeat(call: Node, scope: Node): boolean {
  const within = enclosingFunction(call);
  if (within === null || within.id === scope.id || loopBetween(call, within)) return true;
  return !/\bmain\s*\(/.test(within.childForFieldName('declarator')?.text ?? '');
}
