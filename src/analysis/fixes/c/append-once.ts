import type { Node } from 'web-tree-sitter';
import { isClosedWorld, reaches } from './closed-world.ts';
import { identifiersIn, isAddressed } from './declarations.ts';
import type { FixSources } from './descriptors.ts';
import { reachOf } from './holders.ts';
import { isAlwaysSame, mayBeReplaced } from './open-once.ts';
import { isRemovable } from './placement.ts';
import {
  callsOf,
  callsOnLine,
  enclosingFunction,
  functionName,
  indentOf,
  insertAt,
  replace,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair, SourceEdit } from '../fix.ts';

/**
 * `FILE *log = fopen(path, "a")` and `fclose(log)`, or a `std::ofstream` that appends, in a loop or in a function that is
 * called again and again: the stream is opened once. A flush where it was closed does what closing it did: the text is in
 * the file, and what is appended goes to its end whoever else appends.
 */

const TITLE = 'Keep the stream open';
const NOTE =
  'The stream is opened with the first use and closed when the program ends; a flush where it was closed puts the text into the file.';
const PROMISE = 'a file that another program removes or replaces meanwhile is not noticed';
/** What is known besides, and changes nothing about where a path leads. */
const KNOWN = 'perror usleep nanosleep getpid unlink remove rename mkdir'.split(' ');
const WRITES = new Set('fprintf fputs fputc putc fwrite fflush'.split(' '));

export function appendOnce(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const use = appendedStream(request, sources);
  if (use === undefined) return undefined;
  const reason = whyNot(request, sources, use);
  if (reason !== undefined) return { title: TITLE, note: NOTE, reason };
  return { title: `${TITLE} (${PROMISE})`, note: NOTE, edits: use.edits, method: 'opened once', kind: 'trade' };
}

/** A stream that is opened, written and closed in one block. */
interface AppendedStream {
  readonly scope: Node;
  /** What opens it: the call of `fopen`, or the declaration of the `std::ofstream`. */
  readonly open: Node;
  readonly name: string;
  readonly path: Node;
  readonly edits: readonly SourceEdit[];
}

function appendedStream(request: FixRequest, { main }: FixSources): AppendedStream | undefined {
  const { line } = request.place;
  const [call] = callsOnLine(main, line, ['fopen', 'fclose']);
  if (call !== undefined) {
    const scope = enclosingFunction(call.node);
    const [open, ...more] = scope === null ? [] : callsOf(scope, new Set(['fopen']));
    return scope === null || open === undefined || more.length > 0 ? undefined : appendedFile(main, scope, open);
  }
  if (request.language !== 'cpp') return undefined;
  const declaration = main.tree.rootNode
    .descendantsOfType('declaration', { row: line - 1, column: 0 }, { row: line, column: 0 })
    .find((node) => /^(std::)?ofstream$/.test(node.childForFieldName('type')?.text ?? ''));
  return declaration === undefined ? undefined : appendedObject(main, declaration);
}

/** `FILE *log = fopen(path, "a");` … `fclose(log);` */
function appendedFile(main: ParsedSource, scope: Node, open: FunctionCall): AppendedStream | undefined {
  const [path, mode] = open.operands;
  const declaration = open.node.parent?.parent;
  const name = open.node.parent?.childForFieldName('declarator')?.childForFieldName('declarator');
  const isPlain = /^FILE \*\w+ = /.test(declaration?.text ?? '') && isListed(declaration);
  if (declaration?.type !== 'declaration' || !isPlain || name?.type !== 'identifier') return undefined;
  if (path === undefined || !/^"ab?"$/.test(mode?.text ?? '')) return undefined;
  const closes = callsOf(scope, new Set(['fclose'])).filter(({ operands }) => operands[0]?.text === name.text);
  const [close, ...more] = closes;
  const statement = close?.node.parent;
  // It is closed on the one way out of the block that has it; who asks the close would be told of other errors.
  if (close === undefined || more.length > 0 || statement?.type !== 'expression_statement') return undefined;
  if (statement.parent?.id !== declaration.parent?.id || !isRemovable(statement)) return undefined;
  if (!isOnlyWritten(scope, name, declaration, close) || leavesBetween(declaration, statement)) return undefined;
  const indent = indentOf(main, declaration);
  const opening = `static FILE *${name.text} = NULL;\n${indent}if (${name.text} == NULL) ${name.text} = ${open.node.text};`;
  return {
    scope,
    open: open.node,
    name: name.text,
    path,
    edits: [replace(main, declaration, opening), replace(main, close.callee, 'fflush')],
  };
}

function isListed(node: Node | null | undefined): node is Node {
  return node?.parent?.type === 'compound_statement' && node.childrenForFieldName('declarator').length === 1;
}

/** Whether a stream is but written to, and compared with NULL. */
function isOnlyWritten(scope: Node, name: Node, declaration: Node, close: FunctionCall): boolean {
  if (isAddressed(name.text, scope) || scope.descendantsOfType('lambda_expression').length > 0) return false;
  const written = callsOf(scope, WRITES).flatMap(({ operands }) => operands.filter(({ text }) => text === name.text));
  const known = new Set([name.id, close.operands[0]!.id, ...written.map(({ id }) => id)]);
  return scope
    .descendantsOfType('identifier')
    .filter((use) => use.text === name.text && !known.has(use.id))
    .every(({ parent }) => {
      const compared = parent?.type === 'binary_expression' && /^(\w+ ?[!=]= ?NULL)$/.test(parent.text);
      return (compared || parent?.text === `!${name.text}`) && parent.startIndex > declaration.endIndex;
    });
}

const LEAVES = ['break_statement', 'continue_statement', 'goto_statement', 'labeled_statement', 'return_statement'];

/** Whether a block may be left between two of its statements, but where nothing was opened. */
function leavesBetween(from: Node, to: Node): boolean {
  return from.parent!.descendantsOfType(LEAVES).some((node) => {
    if (node.startIndex < from.startIndex || node.startIndex > to.endIndex) return false;
    const test = node.parent?.type === 'compound_statement' ? node.parent.parent : node.parent;
    const isOpenTest = test?.type === 'if_statement' && codeBefore(test)?.id === from.id;
    return !isOpenTest || !/^\((!\w+|\w+ == NULL)\)$/.test(test.childForFieldName('condition')?.text ?? '');
  });
}

function codeBefore(statement: Node): Node | null {
  let before = statement.previousNamedSibling;
  while (before?.type === 'comment') before = before.previousNamedSibling;
  return before;
}

/** `std::ofstream log(path, std::ios::app);`, which the end of its block closes. */
function appendedObject(main: ParsedSource, declaration: Node): AppendedStream | undefined {
  const scope = enclosingFunction(declaration);
  const [declarator] = declaration.childrenForFieldName('declarator');
  const name = declarator?.childForFieldName('declarator');
  const given = declarator?.childForFieldName('value')?.namedChildren ?? namedOnly(declarator);
  const [path, mode, ...more] = given;
  if (scope?.type !== 'function_definition' || !isListed(declaration) || name?.type !== 'identifier') return undefined;
  if (path === undefined || more.length > 0 || !/^(std::)?ios(_base)?::app$/.test(mode?.text ?? '')) return undefined;
  const last = declaration.parent!.namedChildren.at(-1)!;
  const uses = scope.descendantsOfType('identifier').filter(({ id, text }) => text === name.text && id !== name.id);
  // It is but written to, in statements of its own.
  const areInsertions = uses.every(
    ({ parent }) => parent?.type === 'binary_expression' && /^\w+ ?<</.test(parent.text),
  );
  if (!areInsertions || leavesBetween(declaration, last) || last.id === declaration.id) return undefined;
  if (scope.descendantsOfType(['lambda_expression', 'try_statement']).length > 0) return undefined;
  const indent = indentOf(main, declaration);
  const opening = [
    `static ${declaration.childForFieldName('type')!.text} ${name.text};`,
    `if (!${name.text}.is_open()) ${name.text}.open(${path.text}, ${mode!.text});`,
    // Each was a stream of its own, which knew of no earlier errors.
    `${name.text}.clear();`,
  ];
  return {
    scope,
    open: declaration,
    name: name.text,
    path,
    edits: [
      replace(main, declaration, opening.join(`\n${indent}`)),
      insertAt(main, last.endIndex, `\n${indent}${name.text}.flush();`),
    ],
  };
}

/**
 * `path` and `std::ios::app` of `std::ofstream log(path, std::ios::app)`, which by its looks declares a function; what is
 * given are variables, as far as they are declared as such.
 */
function namedOnly(declarator: Node | undefined): Node[] {
  if (declarator?.type !== 'function_declarator') return [];
  const parameters = declarator.childForFieldName('parameters')?.namedChildren ?? [];
  return parameters.map((parameter) => (parameter.namedChildCount === 1 ? parameter.namedChildren[0]! : parameter));
}

const LASTS =
  /\b(set\w+|hex|oct|dec|hexfloat|fixed|scientific|defaultfloat|width|precision|fill|left|right|internal|(no)?(show\w+|boolalpha|uppercase|unitbuf)|exceptions|rdbuf|imbue|copyfmt|freopen)\b/;

function whyNot(
  request: FixRequest,
  sources: FixSources,
  { scope, open, name, path }: AppendedStream,
): string | undefined {
  const { all } = sources;
  const known = new Set(all.map(({ file }) => file));
  if (request.threaded || !isClosedWorld(request, all, KNOWN))
    return 'a thread, a handler, a child or unknown code may use or replace the file';
  // A setting for the width or the base would last.
  if (LASTS.test(scope.text)) return 'the stream would keep what is set for it';
  if (request.touchedAt.some(({ file }) => !known.has(file))) return 'something else touches the file';
  if (reaches(scope, functionName(scope), all) || isShadowed(scope, name))
    return 'the function calls itself, or the name is used for another stream';
  if (!isAlwaysSame(reachOf(request, sources), path)) return 'the name of the file varies';
  return mayBeReplaced(all, scope, open) ? 'the file is removed or replaced in between' : undefined;
}

/** Another variable of the stream's name may be meant. */
function isShadowed(scope: Node, name: string): boolean {
  const held = scope.descendantsOfType(['declaration', 'parameter_declaration', 'optional_parameter_declaration']);
  const names = held.flatMap((node) => node.childrenForFieldName('declarator'));
  return names.filter((node) => (node.type === 'identifier' ? node.text : identifiersIn(node)[0]) === name).length > 1;
}
