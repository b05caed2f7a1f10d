import type { Node } from 'web-tree-sitter';
import { isClosedWorld } from './closed-world.ts';
import type { FixSources } from './descriptors.ts';
import { isRemovable, statementOf } from './placement.ts';
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
} from './syntax.ts';
import { smallBuffer } from './input-buffers.ts';
import { needsFlush } from './stream-origins.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

/** What a stream of the library holds back: st_blksize of usual file systems, and libstdc++'s own size. */
const BUFFER: Readonly<Record<'c' | 'cpp', string>> = { c: '4 KiB', cpp: '8 KiB' };
const NOTE =
  'The stream writes when its buffer is full and when it is closed: then others see the text, and then a full disk is noticed.';

/** `fflush(file);` and `stream.flush();` as statements of their own. */
export function dropFlush(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main } = sources;
  const row = request.place.line - 1;
  const flush = main.tree.rootNode
    .descendantsOfType('call_expression')
    .find((node) => node.startPosition.row === row && flushedStream(node) !== undefined);
  const statement = flush?.parent;
  if (statement?.type !== 'expression_statement' || !isRemovable(statement)) return undefined;
  const isFile = flush!.childForFieldName('function')?.text.endsWith('fflush') === true;
  return trade(request, sources, [flushedStream(flush!)!], isFile ? 'c' : 'cpp', {
    title: 'Do not flush after each record',
    edits: [removeStatement(main, statement)],
  });
}

function flushedStream(call: Node): Node | undefined {
  const callee = call.childForFieldName('function');
  if (/^(std::)?fflush$/.test(callee?.text ?? ''))
    return call.childForFieldName('arguments')?.namedChildren.find(({ type }) => type !== 'comment');
  if (callee?.type !== 'field_expression' || callee.childForFieldName('field')?.text !== 'flush') return undefined;
  return callee.childForFieldName('argument') ?? undefined;
}

/** `<< std::endl` writes the line end *and* flushes. */
export function dropEndl(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main } = sources;
  const row = request.place.line - 1;
  const endls = main.tree.rootNode
    .descendantsOfType(['qualified_identifier', 'identifier'])
    .filter((node) => node.startPosition.row === row && /^(std::)?endl$/.test(node.text) && isInserted(node));
  if (endls.length === 0 || endls.some(isFlushedBesides)) return undefined;
  return trade(request, sources, endls.map(streamOfInsertion), 'cpp', {
    title: "Write '\\n' instead of std::endl",
    edits: endls.map((node) => replace(main, node, "'\\n'")),
  });
}

function trade(
  request: FixRequest,
  sources: FixSources,
  streams: readonly Node[],
  library: 'c' | 'cpp',
  { title, edits }: Pick<Repair, 'title' | 'edits'>,
): Repair | Refusal {
  const reason = streams.map((stream) => needsFlush(request, sources, stream)).find((why) => why !== undefined);
  // Nobody closes the streams of C++ when an exception ends the program: terminate aborts.
  const end = library === 'cpp' ? 'is killed or ends by an exception' : 'is killed';
  const lost = `up to ${BUFFER[library]} of text are lost if the program ${end}`;
  if (reason !== undefined) return { title, note: NOTE, reason };
  return { title: `${title} (${lost})`, note: NOTE, edits, method: 'dropped flush', kind: 'trade' };
}

/** The leftmost operand of `stream << … << std::endl`. */
function streamOfInsertion(endl: Node): Node {
  let at = endl.parent!;
  while (at.type === 'binary_expression') at = at.childForFieldName('left')!;
  return at;
}

/** Whether a node is what `<<` puts into a stream, and no width waits for it: `'\n'` would be padded. */
function isInserted(node: Node): boolean {
  const insertion = node.parent;
  if (insertion?.type !== 'binary_expression' || insertion.childForFieldName('right')?.id !== node.id) return false;
  if (insertion.childForFieldName('operator')?.text !== '<<') return false;
  return !/\bsetw\s*\([^()]*\)$/.test(insertion.childForFieldName('left')?.text ?? '');
}

/** Whether the same statement flushes by another word, which would stay. */
function isFlushedBesides(endl: Node): boolean {
  return /<<\s*(std::)?flush\b/.test(statementOf(endl)?.text ?? '');
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
export function letStdioBuffer(request: FixRequest, { main, all }: FixSources): Repair | Refusal | undefined {
  const [read] = callsOnLine(main, request.place.line, [...READS]);
  const stream = read === undefined ? undefined : streamOf(read);
  if (stream === undefined) return undefined;
  const values = sourcesOf(all, read!.node, stream);
  const statements = all
    .flatMap(({ tree }) => callsOf(tree.rootNode, new Set(['setvbuf', 'setbuf'])))
    .filter((call) => unbuffers(call) || smallBuffer(call) !== undefined)
    .filter((call) => values.some((value) => isSame(value, call)))
    .flatMap((call) => [call.node.parent, ...[smallBuffer(call) ?? []].flat()]);
  const removable = statements
    .filter((node) => /^(expression_statement|declaration)$/.test(node?.type ?? ''))
    .filter(isRemovable);
  if (removable.length === 0 || removable.length < statements.length) return undefined;
  const answer = {
    title: 'Let the stream buffer',
    note: 'The stream was given no buffer, or a small one; with its own it reads 4 KiB or more at once.',
  };
  // Who goes on with the descriptor would miss what the buffer has read, and what is written meanwhile would be missed.
  if (request.threaded || !isClosedWorld(request, all, ['setvbuf', 'setbuf']))
    return { ...answer, reason: 'other code may go on with the file behind what is read' };
  if (!areReadOnly(all, values)) return { ...answer, reason: 'the file may be written while it is read' };
  return {
    ...answer,
    edits: removable.map((statement) =>
      removeStatement(
        all.find(({ tree }) => tree === statement.tree)!,
        statement,
      ),
    ),
    method: 'buffered stream',
    kind: 'repair',
  };
}

/** Whether no stream but the variables themselves, one after the other, is opened for writing. */
function areReadOnly(all: readonly ParsedSource[], values: readonly ValueInFunction[]): boolean {
  return all.every(({ tree, text }) => {
    if (/\b(basic_)?(o|io)?fstream\b/.test(text)) return false;
    return callsOf(tree.rootNode, new Set(['fopen'])).every(({ node, operands }) => {
      if (/^"rb?"$/.test(operands[1]?.text ?? '')) return true;
      const { parent } = node;
      const holder = parent?.childForFieldName(parent.type === 'init_declarator' ? 'declarator' : 'left');
      const name = holder?.text.replace(/^\*\s*/, '');
      return values.some((value) => value.text === name && value.scope?.id === enclosingFunction(node)?.id);
    });
  });
}

const STREAM_WRITES: Readonly<Record<string, number>> = { fputc: 1, putc: 1, fputs: 1, fwrite: 3, fprintf: 0 };

/** The same for a stream that is written, where nobody asks whether each write was made. */
export function letStreamCollect(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main } = sources;
  const [write] = callsOnLine(main, request.place.line, Object.keys(STREAM_WRITES));
  const stream = write?.operands[STREAM_WRITES[write.name]!];
  const scope = write === undefined ? null : enclosingFunction(write.node);
  if (stream?.type !== 'identifier' || scope === null) return undefined;
  const [setting, ...more] = callsOf(scope, new Set(['setvbuf', 'setbuf']))
    .filter((call) => unbuffers(call) && call.operands[0]?.text === stream.text)
    .map(({ node }) => node.parent);
  if (setting?.type !== 'expression_statement' || more.length > 0 || !isRemovable(setting)) return undefined;
  const title = 'Let the stream collect what is written';
  const asked = callsOf(scope, new Set(Object.keys(STREAM_WRITES))).some(
    ({ node }) => node.parent?.type !== 'expression_statement',
  );
  const reason = asked
    ? 'errors are handled where they happen'
    : needsFlush(request, sources, stream, ['setvbuf', 'setbuf']);
  if (reason !== undefined) return { title, note: NOTE, reason };
  return {
    title: `${title} (up to ${BUFFER.c} of text are lost if the program is killed)`,
    note: NOTE,
    edits: [removeStatement(main, setting)],
    method: 'buffered stream',
    kind: 'trade',
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
  const isGlobal = !isLocal(value) && !isLocal({ text: value.text, scope }) && scope?.tree === value.scope?.tree;
  const shared = scope?.id === value.scope?.id || isGlobal;
  return operands[0]?.text === value.text && shared;
}

/** What an expression may stand for: itself, and where it is a parameter, what the callers give for it. */
function sourcesOf(all: readonly ParsedSource[], node: Node, text: string): ValueInFunction[] {
  const values: ValueInFunction[] = [{ text, scope: enclosingFunction(node) }];
  for (const { text: name, scope } of values) {
    const place = scope === null ? -1 : parametersOf(scope).indexOf(name);
    if (place < 0) continue;
    for (const call of all.flatMap(({ tree }) => callsOf(tree.rootNode, new Set([functionName(scope)])))) {
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
