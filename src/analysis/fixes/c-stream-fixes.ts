import type { Node } from 'web-tree-sitter';
import { counted } from '../../base/quantities.ts';
import {
  ASKS_FOR_STATUS,
  callsAny,
  ENDS_AT_ONCE,
  FORKS,
  LOCKS,
  REPLACES_PROCESS,
  SHARES_DESCRIPTOR,
  STARTS_PROCESS,
  type FixSources,
} from './c-descriptors.ts';
import { isRemovable } from './c-placement.ts';
import {
  callsOf,
  callsOnLine,
  enclosingFunction,
  functionDeclarator,
  functionName,
  removeStatement,
  replace,
  type FunctionCall,
  type ParsedSource,
} from './c-syntax.ts';
import type { FixRequest, Repair } from './fix.ts';

/** `fflush(file);` and `stream.flush();` as statements of their own. */
export function dropFlush(request: FixRequest, { main }: FixSources): Repair | undefined {
  const row = request.place.line - 1;
  const flush = main.tree.rootNode.descendantsOfType('call_expression').find((node) => {
    if (node.startPosition.row !== row) return false;
    const callee = node.childForFieldName('function')?.text ?? '';
    return /^(std::)?fflush$/.test(callee) || /(\.|->)flush$/.test(callee);
  });
  const statement = flush?.parent;
  if (statement?.type !== 'expression_statement' || !isRemovable(statement)) return undefined;
  if (isAwaited(main, statement)) return undefined;
  return {
    title: `Do not flush after each record (${counted(request.count, 'write')})`,
    note: 'The stream writes when its buffer is full and when it is closed. Keep a flush where another program waits for the text.',
    edits: [removeStatement(main, statement)],
    method: 'dropped flush',
    kind: 'repair',
  };
}

/** `<< std::endl` writes the line end *and* flushes. */
export function dropEndl(request: FixRequest, { main }: FixSources): Repair | undefined {
  const row = request.place.line - 1;
  const endls = main.tree.rootNode
    .descendantsOfType(['qualified_identifier', 'identifier'])
    .filter((node) => node.startPosition.row === row && /^(std::)?endl$/.test(node.text) && isInserted(node));
  if (endls.length === 0 || endls.some((node) => isAwaited(main, node))) return undefined;
  return {
    title: `Write '\\n' instead of std::endl (${counted(request.count, 'write')})`,
    note: 'std::endl flushes the stream after every line. The stream writes when its buffer is full and when it is closed.',
    edits: endls.map((node) => replace(main, node, "'\\n'")),
    method: 'dropped flush',
    kind: 'repair',
  };
}

/** Whether a node is what `<<` puts into a stream, and no width waits for it: `'\n'` would be padded. */
function isInserted(node: Node): boolean {
  const insertion = node.parent;
  if (insertion?.type !== 'binary_expression' || insertion.childForFieldName('right')?.id !== node.id) return false;
  if (insertion.childForFieldName('operator')?.text !== '<<') return false;
  return !/\bsetw\s*\([^()]*\)$/.test(insertion.childForFieldName('left')?.text ?? '');
}

/**
 * Whether the function of a flush goes on to something that needs it: a look at the file from outside of the stream, a
 * child that would have a copy of the buffer, a read of the same stream.
 */
function isAwaited(source: ParsedSource, flush: Node): boolean {
  if (callsAny(source.tree.rootNode, FORKS)) return true;
  const scope = enclosingFunction(flush);
  if (scope === null) return false;
  const outside = [SHARES_DESCRIPTOR, LOCKS, STARTS_PROCESS, REPLACES_PROCESS, ENDS_AT_ONCE, ASKS_FOR_STATUS];
  if (callsAny(scope, ...outside)) return true;
  const [stream] = callsOf(flush, new Set(['fflush'])).map(({ operands }) => operands[0]?.text);
  return stream !== undefined && callsOf(scope, READS).some((read) => streamOf(read) === stream);
}

/** Where functions of stdio that read are given their stream; without a place it is `stdin`. */
const STREAM_OPERAND: Readonly<Record<string, number | undefined>> = {
  fgetc: 0,
  getc: 0,
  fgetc_unlocked: 0,
  getc_unlocked: 0,
  fscanf: 0,
  fgets: 2,
  getline: 2,
  fread: 3,
  fread_unlocked: 3,
  getdelim: 3,
  getchar: undefined,
  scanf: undefined,
};
const READS = new Set(Object.keys(STREAM_OPERAND));

function streamOf({ name, operands }: FunctionCall): string | undefined {
  const place = STREAM_OPERAND[name];
  return place === undefined ? 'stdin' : operands[place]?.text;
}

/** A stream that was made unbuffered: `setvbuf(file, NULL, _IONBF, 0)`. */
export function letStdioBuffer(request: FixRequest, { main }: FixSources): Repair | undefined {
  const root = main.tree.rootNode;
  const [read] = callsOnLine(main, request.place.line, [...READS]);
  const stream = read === undefined ? undefined : streamOf(read);
  // Who goes on with the descriptor would miss what the buffer has read.
  if (stream === undefined || callsAny(root, SHARES_DESCRIPTOR, FORKS, STARTS_PROCESS, REPLACES_PROCESS))
    return undefined;
  const values = sourcesOf(main, read!.node, stream);
  const statements = callsOf(root, new Set(['setvbuf', 'setbuf']))
    .filter((call) => unbuffers(call) && values.some((value) => isSame(value, call)))
    .map(({ node }) => node.parent);
  const removable = statements.filter((node) => node?.type === 'expression_statement').filter(isRemovable);
  if (removable.length === 0 || removable.length < statements.length) return undefined;
  return {
    title: `Let the stream buffer (${counted(request.count, 'read')})`,
    note: 'The stream was made unbuffered; buffered, it reads 4 KiB or more at once.',
    edits: removable.map((statement) => removeStatement(main, statement)),
    method: 'buffered stream',
    kind: 'repair',
  };
}

function unbuffers({ name, operands }: FunctionCall): boolean {
  if (name === 'setvbuf') return operands[2]?.text === '_IONBF';
  return /^(NULL|nullptr|0)$/.test(operands[1]?.text ?? '');
}

/** An expression, and the function that it stands in. */
interface ValueInFunction {
  readonly text: string;
  readonly scope: Node | null;
}

function isSame(value: ValueInFunction, { node, operands }: FunctionCall): boolean {
  const scope = enclosingFunction(node);
  const shared = scope?.id === value.scope?.id || (!isLocal(value) && !isLocal({ text: value.text, scope }));
  return operands[0]?.text === value.text && shared;
}

/** What an expression may stand for: itself, and where it is a parameter, what the callers of this file give for it. */
function sourcesOf(source: ParsedSource, node: Node, text: string): ValueInFunction[] {
  const values: ValueInFunction[] = [{ text, scope: enclosingFunction(node) }];
  for (const { text: name, scope } of values) {
    const place = scope === null ? -1 : parametersOf(scope).indexOf(name);
    if (place < 0) continue;
    for (const call of callsOf(source.tree.rootNode, new Set([functionName(scope)]))) {
      const given = { text: call.operands[place]?.text ?? '', scope: enclosingFunction(call.node) };
      if (!values.some((known) => known.text === given.text && known.scope?.id === given.scope?.id)) values.push(given);
    }
  }
  return values;
}

function parametersOf(definition: Node): string[] {
  const list = functionDeclarator(definition)?.childForFieldName('parameters');
  return (list?.namedChildren ?? [])
    .filter(({ type }) => type === 'parameter_declaration')
    .map((parameter) => parameter.descendantsOfType('identifier').at(-1)?.text ?? '');
}

function isLocal({ text, scope }: ValueInFunction): boolean {
  if (scope === null) return false;
  const declared = scope.descendantsOfType('declaration').flatMap((node) => node.childrenForFieldName('declarator'));
  const names = declared.flatMap((node) => node.descendantsOfType('identifier')[0]?.text ?? []);
  return [...parametersOf(scope), ...names].includes(text);
}
