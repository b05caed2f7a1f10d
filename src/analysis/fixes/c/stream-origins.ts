import type { Node } from 'web-tree-sitter';
import { isClosedWorld, reaches, runsOnce } from './closed-world.ts';
import type { FixSources } from './descriptors.ts';
import { declarationsOf, fieldsOf, isAddressed, type Declared } from './declarations.ts';
import {
  ancestorOfType,
  callsOf,
  enclosingFunction,
  functionDeclarator,
  functionName,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest } from '../fix.ts';

/**
 * Where streams come from. A flush can be left out only where the stream is a file that the program alone writes, in the
 * order of one stream, and where all that the program does is known.
 */

/** Why a flush of a stream must stay; undefined where nothing in the program may need it. */
export function needsFlush(
  request: FixRequest,
  { all }: FixSources,
  stream: Node,
  alsoKnown: readonly string[] = [],
): string | undefined {
  // Who feeds the program may wait for what it has written.
  if (all.some(({ text }) => /\b(stdin|cin)\b/.test(text))) return 'who gives the input may wait for the text';
  if (request.threaded) return 'another thread may need each flush';
  if (!isClosedWorld(request, all, alsoKnown)) return 'a reader, a child process or an _exit may need each flush';
  if (request.touchedAt.some(({ file }) => all.every((source) => source.file !== file)))
    return 'something else touches the file between two flushes';
  const opens = opensOf(stream, all);
  if (opens === undefined || !areAlone(opens, all)) return 'the stream may be no file of its own';
  if (request.language === 'cpp' && (mayExit(opens, all) || isTested(all)))
    return 'the program asks whether the stream has failed, or ends by exit';
  if (request.language === 'c' && !callsAt(all, 'fclose')) return 'the stream is not closed';
  return undefined;
}

/** Whether `exit` may be called while one of the streams lives: nobody closes a local one then. */
function mayExit(opens: readonly Open[], all: readonly ParsedSource[]): boolean {
  if (!callsAt(all, 'exit')) return false;
  return opens.some(({ node }) => {
    const scope = enclosingFunction(node);
    return scope?.type !== 'function_definition' || reaches(scope, 'exit', all) || reaches(scope, 'std::exit', all);
  });
}

function callsAt(all: readonly ParsedSource[], name: string): boolean {
  return all.some(({ tree }) => callsOf(tree.rootNode, new Set([name])).length > 0);
}

/** A place that opens a file for a stream. */
interface Open {
  readonly node: Node;
  /** The operand that names the file; undefined where it is given elsewhere. */
  readonly path: Node | undefined;
}

/** The places that open what a stream stands for; undefined where it may be something else than a file written here. */
function opensOf(stream: Node, all: readonly ParsedSource[], depth = 4): Open[] | undefined {
  const isMember = stream.type === 'field_expression';
  if ((!isMember && stream.type !== 'identifier') || depth === 0) return undefined;
  const name = isMember ? (stream.childForFieldName('field')?.text ?? '') : stream.text;
  const declared = isMember ? fieldsOf(name, all) : declarationsOf(name, stream, all);
  const [first] = declared;
  const byLooks = first === undefined && !isMember ? streamByLooks(stream) : undefined;
  if (byLooks !== undefined)
    return runsOnce(byLooks, all) ? [{ node: byLooks, path: pathByLooks(byLooks) }] : undefined;
  if (first === undefined || declared.length > 1) return undefined;
  if (/^(std::)?(ofstream|ostream)$/.test(first.type) && first.depth === 0)
    return first.holder.type === 'parameter_declaration' ? givenOpens(first, all, depth) : classOpens(first, name, all);
  if (first.type !== 'FILE' || first.depth !== 1) return undefined;
  return first.holder.type === 'parameter_declaration' ? givenOpens(first, all, depth) : fileOpens(first, name, all);
}

/** `std::ofstream log(path);`, which by its looks declares a function. */
function streamByLooks(use: Node): Node | undefined {
  return enclosingFunction(use)
    ?.descendantsOfType('declaration')
    .find(
      (node) =>
        isStreamByLooks(node) &&
        node.childForFieldName('declarator')!.childForFieldName('declarator')?.text === use.text,
    );
}

function isStreamByLooks(declaration: Node): boolean {
  const isStream = /^(std::)?[io]?fstream$/.test(declaration.childForFieldName('type')?.text ?? '');
  return isStream && declaration.childForFieldName('declarator')?.type === 'function_declarator';
}

function pathByLooks(declaration: Node): Node | undefined {
  return declaration.childForFieldName('declarator')!.childForFieldName('parameters')?.namedChildren[0];
}

/** What all callers give for a parameter. */
function givenOpens({ holder }: Declared, all: readonly ParsedSource[], depth: number): Open[] | undefined {
  const scope = enclosingFunction(holder);
  const declarator = scope === null ? undefined : functionDeclarator(scope);
  const parameters = declarator
    ?.childForFieldName('parameters')
    ?.namedChildren.filter(({ type }) => type !== 'comment');
  const place = parameters?.findIndex(({ id }) => id === holder.id) ?? -1;
  if (scope?.type !== 'function_definition' || place < 0) return undefined;
  const name = functionName(scope);
  const calls = all.flatMap(({ tree }) => callsOf(tree.rootNode, new Set([name])));
  const values = all
    .flatMap(({ tree }) => tree.rootNode.descendantsOfType('identifier'))
    .filter(
      (use) =>
        use.text === name &&
        use.parent?.type !== 'function_declarator' &&
        !calls.some(({ callee }) => callee.id === use.id),
    );
  if (calls.length === 0 || values.length > 0) return undefined;
  const given = calls.map(({ operands }) => (operands[place] ? opensOf(operands[place], all, depth - 1) : undefined));
  return given.every((opens) => opens !== undefined) ? given.flat() : undefined;
}

/** `FILE *log = fopen(…)` and assignments to it. */
function fileOpens(declared: Declared, name: string, all: readonly ParsedSource[]): Open[] | undefined {
  const scope = enclosingFunction(declared.holder);
  const isField = declared.holder.type === 'field_declaration';
  const roots = scope === null ? all.map(({ tree }) => tree.rootNode) : [scope];
  if (roots.some((root) => isAddressed(name, root)) || declared.isReference) return undefined;
  const listed = roots.flatMap((root) => root.descendantsOfType('initializer_list'));
  if (isField && listed.some((list) => list.descendantsOfType('identifier').length > 0)) return undefined;
  const assigned = roots
    .flatMap((root) => root.descendantsOfType('assignment_expression'))
    .filter((node) => {
      const left = node.childForFieldName('left');
      return (left?.type === 'field_expression' ? left.childForFieldName('field') : left)?.text === name;
    })
    .map((node) => node.childForFieldName('right')!);
  const values = [...(declared.value === null ? [] : [declared.value]), ...assigned].filter(
    ({ text }) => !/^(NULL|nullptr|0)$/.test(text),
  );
  const opens = values.flatMap((value) =>
    callsOf(value, new Set(['fopen'])).filter(({ node }) => node.id === value.id),
  );
  const isWritten = opens.every(({ operands }) => /^"wb?"$/.test(operands[1]?.text ?? ''));
  if (opens.length === 0 || opens.length < values.length || !isWritten) return undefined;
  return opens.every(({ node }) => isOneAtATime(node, scope, name, all))
    ? opens.map(({ node, operands }) => ({ node, path: operands[0] }))
    : undefined;
}

/** Whether two streams of one `fopen` never live at the same time: they could write the same file in turns. */
function isOneAtATime(open: Node, scope: Node | null, name: string, all: readonly ParsedSource[]): boolean {
  if (runsOnce(open, all)) return true;
  if (scope === null || enclosingFunction(open)?.id !== scope.id) return false;
  const closes = callsOf(scope, new Set(['fclose'])).some(({ operands }) => operands[0]?.text === name);
  return closes && !reaches(scope, functionName(scope), all);
}

/** An `std::ofstream`: a variable, or the member of a class of which there is one object. */
function classOpens({ holder, value, type }: Declared, name: string, all: readonly ParsedSource[]): Open[] | undefined {
  if (!type.endsWith('ofstream')) return undefined;
  const owner = ancestorOfType(holder, ['class_specifier', 'struct_specifier']);
  if (owner !== null && enclosingFunction(holder) === null) {
    const object = objectOf(owner.childForFieldName('name')?.text ?? '', all);
    return object !== undefined && runsOnce(object, all) ? [{ node: holder, path: undefined }] : undefined;
  }
  const given = value?.namedChildren.find(({ type: kind }) => kind !== 'comment');
  const isOnce = runsOnce(holder, all) || enclosingFunction(holder) === null;
  if (given !== undefined) return isOnce ? [{ node: holder, path: given }] : undefined;
  const scope = enclosingFunction(holder) ?? all[0]!.tree.rootNode;
  const [open, ...more] = scope
    .descendantsOfType('call_expression')
    .filter((call) => call.childForFieldName('function')?.text === `${name}.open`);
  const path = open?.childForFieldName('arguments')?.namedChildren[0];
  return open !== undefined && more.length === 0 && runsOnce(open, all) ? [{ node: open, path }] : undefined;
}

/** The only declaration of an object of a class. */
function objectOf(type: string, all: readonly ParsedSource[]): Node | undefined {
  const uses = all
    .flatMap(({ tree }) => tree.rootNode.descendantsOfType('type_identifier'))
    .filter((use) => use.text === type && !/^(class|struct)_specifier$/.test(use.parent?.type ?? ''));
  const [object, ...more] = uses.filter(({ parent }) => parent?.type !== 'parameter_declaration');
  const isPlain =
    object?.parent?.type === 'declaration' && object.parent.childrenForFieldName('declarator').length === 1;
  return isPlain && more.length === 0 ? object.parent : undefined;
}

/** Whether nothing else in the sources opens the files. */
function areAlone(opens: readonly Open[], all: readonly ParsedSource[]): boolean {
  const own = new Set(opens.map(({ node }) => node.id));
  const others = all.flatMap(pathsOpened).filter(({ node }) => !own.has(node.id));
  // What is named elsewhere may be any file.
  if (opens.some(({ path }) => path?.type !== 'string_literal')) return opens.length === 1 && others.length === 0;
  const paths = opens.map(({ path }) => path!.text);
  if (paths.some((path) => /^"\/(dev|proc|sys)\//.test(path))) return false;
  if (new Set(paths.map(lastPart)).size < own.size) return false;
  return others.every(
    ({ path }) => path?.type === 'string_literal' && !paths.some((known) => lastPart(known) === lastPart(path.text)),
  );
}

function lastPart(path: string): string {
  return path.replaceAll('"', '').split('/').at(-1)!;
}

/** Every place of a source that opens a file, by the library's streams. */
function pathsOpened({ tree }: ParsedSource): Open[] {
  const root = tree.rootNode;
  const calls = root.descendantsOfType('call_expression').filter((call) => {
    const callee = call.childForFieldName('function')?.text ?? '';
    return /^(std::)?fopen$|(\.|->)open$/.test(callee);
  });
  const streams = root
    .descendantsOfType('declaration')
    .filter((node) => /^(std::)?[io]?fstream$/.test(node.childForFieldName('type')?.text ?? ''));
  return [
    ...calls.map((node) => ({ node, path: node.childForFieldName('arguments')?.namedChildren[0] })),
    ...streams
      .filter((node) => node.childForFieldName('declarator')?.type === 'init_declarator')
      .map((node) => ({
        node,
        path: node.childForFieldName('declarator')?.childForFieldName('value')?.namedChildren[0],
      })),
    ...streams
      .filter((node) => isStreamByLooks(node) && enclosingFunction(node) !== null)
      .map((node) => ({ node, path: pathByLooks(node) })),
  ];
}

const STREAM_TYPE = /^(std::)?o(f)?stream$/;

/** Whether the program asks an output stream for its state, but directly behind its declaration: errors would come later. */
function isTested(all: readonly ParsedSource[]): boolean {
  return all.some(({ tree }) =>
    tree.rootNode.descendantsOfType('identifier').some((use) => {
      if (!isAsked(use)) return false;
      const [declared] = declarationsOf(use.text, use, all);
      const holder = declared?.holder ?? streamByLooks(use);
      if (holder === undefined || !STREAM_TYPE.test(holder.childForFieldName('type')?.text ?? '')) return false;
      const test = ancestorOfType(use, ['if_statement']);
      let before = test?.previousNamedSibling;
      while (before?.type === 'comment') before = before.previousNamedSibling;
      return before?.id !== holder.id;
    }),
  );
}

/** `!log`, `if (log)`, `if (log << 1)`. */
function isAsked(use: Node): boolean {
  let at: Node = use;
  while (at.parent !== null && isInsertion(at.parent) && at.parent.childForFieldName('left')?.id === at.id)
    at = at.parent;
  const { parent } = at;
  if (parent === null) return false;
  if (
    ['parenthesized_expression', 'condition_clause', 'unary_expression', 'conditional_expression'].includes(parent.type)
  )
    return true;
  return parent.type === 'binary_expression' && !isInsertion(parent);
}

function isInsertion(node: Node): boolean {
  return node.type === 'binary_expression' && node.childForFieldName('operator')?.text === '<<';
}
