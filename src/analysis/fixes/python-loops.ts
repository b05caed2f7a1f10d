import type { Node } from 'web-tree-sitter';
import { ancestorOfType } from './c-syntax.ts';
import { boundNames, calleeOf, keywordsOf, LOOPS, namesIn, operandsOf, rootName, scopeOf } from './python-syntax.ts';

/** Whether a flush or an open may leave its loop: what else the loop does with the file, and how it ends. */

/** The outermost loop around a flush behind which it means the same; undefined when there is none. */
export function loopToLeave(loop: Node, target: Node): Node | undefined {
  let best: Node | undefined;
  for (let at: Node | null = loop; at !== null; at = enclosingLoop(at)) {
    const bound = boundNames(at);
    if (bound.has(rootName(target)) || bound.has(target.text) || !endsByItself(at) || !keepsFile(at, target)) break;
    best = at;
  }
  return best;
}

/** The loop whose body a statement stands in directly. */
function enclosingLoop(statement: Node): Node | null {
  const outer = statement.parent?.parent;
  return outer !== undefined && outer !== null && LOOPS.includes(outer.type) ? outer : null;
}

const ENDS_PROGRAM = /^((sys\.)?exit|quit|os\.(_exit|abort|exec\w+))$/;
const ENDLESS = /^(itertools\.)?(count|cycle|repeat)$/;

/** Whether what stands behind a loop comes after its last turn: nothing leaves the function, or hands values out, inside it. */
function endsByItself(loop: Node): boolean {
  if (loop.descendantsOfType(['return_statement', 'yield', 'await', 'raise_statement']).length > 0) return false;
  if (callsIn(loop).some((call) => ENDS_PROGRAM.test(calleeOf(call)))) return false;
  const items = loop.childForFieldName('right');
  const endless =
    items?.type === 'call'
      ? ENDLESS.test(calleeOf(items))
      : loop.type === 'while_statement' && /^(True|1)$/.test(loop.childForFieldName('condition')?.text ?? '');
  return (
    !endless || loop.descendantsOfType('break_statement').some((node) => ancestorOfType(node, LOOPS)?.id === loop.id)
  );
}

/** Whether a file stays open in a loop, and nobody there looks at it but by the stream itself. */
function keepsFile(loop: Node, target: Node): boolean {
  const path = pathOf(target);
  return (
    !goesRound(loop, target.text) && (path === undefined || mentions(loop, path).length === 0) && !reachesFile(loop)
  );
}

/** Whether code uses the number of a file for more than to synchronise it: that goes round the buffer. */
function goesRound(code: Node, file: string): boolean {
  return callsIn(code)
    .filter((call) => calleeOf(call).endsWith('.fileno'))
    .some((call) => {
      const user = call.parent?.parent;
      const synchronises = user?.type === 'call' && /^os\.(fsync|fdatasync)$/.test(calleeOf(user));
      return !synchronises || calleeOf(call) !== `${file}.fileno`;
    });
}

/** The path that a file was opened with, where its name is given in sight. */
function pathOf(target: Node): Node | undefined {
  for (const node of scopeOf(target).descendantsOfType(['assignment', 'as_pattern'])) {
    const alias = node.descendantsOfType('as_pattern_target')[0];
    const name = node.type === 'assignment' ? node.childForFieldName('left') : alias;
    const call = node.type === 'assignment' ? node.childForFieldName('right') : node.namedChildren[0];
    if (name?.text === target.text && call?.type === 'call') return operandsOf(call)[0];
  }
  return undefined;
}

/** Where a piece of code has the same expression. */
function mentions(root: Node, expression: Node): Node[] {
  return root
    .descendantsOfType(expression.type)
    .filter(({ id, text, parent }) => text === expression.text && parent?.childForFieldName('attribute')?.id !== id);
}

/** Whether a loop closes a file that is not its own, or lets others see or move files; also by functions of this module. */
function reachesFile(loop: Node): boolean {
  return [loop, ...calledFrom(loop)].some((code) => closesForeign(code) || asksOutside(code));
}

/** `file.close()` and `with file:` of something that the code was given: it may be the file in question. */
function closesForeign(code: Node): boolean {
  const bound = boundNames(code);
  const closed = callsIn(code)
    .filter((call) => calleeOf(call).endsWith('.close'))
    .map((call) => call.childForFieldName('function')!.childForFieldName('object')!);
  const entered = code
    .descendantsOfType('with_item')
    .flatMap((item) =>
      item.namedChildren.map((value) => (value.type === 'as_pattern' ? value.namedChildren[0]! : value)),
    );
  return [...closed, ...entered].some((file) => rootName(file) !== '' && !bound.has(rootName(file)));
}

const OUTSIDE = new RegExp(
  [
    String.raw`^(subprocess|shutil|fcntl|msvcrt|multiprocessing|portalocker|filelock)\.`,
    String.raw`^os\.(rename|renames|replace|remove|unlink|truncate|link|symlink|l?stat|system|popen|fork|forkpty|lockf)$`,
    String.raw`^os\.(spawn|exec|posix_spawn)\w*$`,
    String.raw`^os\.path\.get(size|mtime)$`,
    String.raw`(^|\.)(rename|renames|unlink|rmtree|flock|lockf|lock|locking|acquire|FileLock|Popen|Process|Pool)$`,
    String.raw`^(replace|remove|system|popen|check_call|check_output|getsize|fork)$`,
  ].join('|'),
);

/** Whether code moves or locks files, asks how large they are, or starts other processes. */
export function asksOutside(code: Node): boolean {
  return callsIn(code).some((call) => OUTSIDE.test(calleeOf(call)));
}

function callsIn(root: Node): Node[] {
  return root.descendantsOfType('call');
}

/** The functions of the module that a piece of code calls, also by way of others; methods are told by their names alone. */
function calledFrom(code: Node): Node[] {
  const all = code.tree.rootNode.descendantsOfType('function_definition');
  const called: Node[] = [];
  for (let at: Node | undefined = code, next = 0; at !== undefined; at = called[next++]) {
    const names = new Set(callsIn(at).map((call) => calleeOf(call).split('.').at(-1)));
    const found = all.filter((definition) => names.has(definition.childForFieldName('name')?.text));
    called.push(...found.filter(({ id }) => !called.some((known) => known.id === id)));
  }
  return called;
}

/** Whether an open means the same file in every turn, nobody else uses the file, and its name is not wanted outside. */
export function isSteady(loop: Node, call: Node, alias: string): boolean {
  const bound = boundNames(loop);
  const path = operandsOf(call)[0];
  if (path === undefined || !['identifier', 'string', 'attribute'].includes(path.type)) return false;
  if (namesIn(path).some((name) => bound.has(name)) || bound.has(path.text)) return false;
  if ([...keywordsOf(call).keys()].some((name) => !['mode', 'encoding', 'newline', 'errors'].includes(name)))
    return false;
  if (namesIn(loop.childForFieldName('right')!).includes(alias)) return false;
  if (loop.descendantsOfType(['return_statement', 'yield', 'await']).length > 0) return false;
  const body = ancestorOfType(call, ['with_statement'])!.childForFieldName('body')!;
  const stays = !boundNames(body).has(alias) && !closesForeign(body) && !goesRound(body, alias);
  return stays && mentions(loop, path).length === 1 && !reachesFile(loop);
}
