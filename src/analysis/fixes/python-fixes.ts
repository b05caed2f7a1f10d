import type { Node } from 'web-tree-sitter';
import { counted } from '../../base/quantities.ts';
import { ancestorOfType, indentOf, type ParsedSource } from './c-syntax.ts';
import type { FixRequest, Repair, SourceEdit } from './fix.ts';
import {
  boundNames,
  calleeOf,
  countedLoop,
  keywordsOf,
  LOOPS,
  namesIn,
  operand,
  operandsOf,
  plainString,
  rootName,
  scopeOf,
  soleCall,
  statementsOf,
} from './python-syntax.ts';
import { asksOutside, isSteady, loopToLeave } from './python-loops.ts';
import { insertLinesBehind, lineEnd, ownLines, remove, type LineLanguage } from './statement-lines.ts';

type Fixer = (request: FixRequest, source: ParsedSource) => Repair | undefined;

const PYTHON: LineLanguage = { comment: '#' };

/**
 * What can be tried for each trigger, best first. HDF5 writes its own tables anew with each flush: what Python asks for
 * once shows as many random or repeated writes.
 */
export const PYTHON_FIXERS: Readonly<Record<string, readonly Fixer[]>> = {
  'posix-small-writes': [letPythonBuffer, assignSlice, flushBehindLoop, dropFlush, openOutsideLoop],
  'flush-after-every-record': [flushBehindLoop, dropFlush],
  'hdf5-small-writes': [assignSlice],
  'posix-small-reads': [letPythonBuffer],
  'posix-random-writes': [assignSlice, flushBehindLoop, dropFlush],
  'posix-redundant-writes': [flushBehindLoop, dropFlush, assignSlice],
  'sync-after-every-write': [flushBehindLoop],
  'open-close-in-loop': [openOutsideLoop],
};

function nodesOn(source: ParsedSource, line: number, types: readonly string[]): Node[] {
  return source.tree.rootNode
    .descendantsOfType([...types])
    .filter((node) => node.startPosition.row === line - 1 && !node.hasError);
}

/** `open(path, 'wb', buffering=0)`: without it, Python collects 8 KiB. */
function letPythonBuffer(request: FixRequest, source: ParsedSource): Repair | undefined {
  const open = nodesOn(source, request.place.line, ['call']).find((call) => calleeOf(call) === 'open');
  if (open === undefined) return undefined;
  const size = operand(open, 2, 'buffering');
  const isText = !(plainString(operand(open, 1, 'mode')) ?? 'b').includes('b');
  const unbuffered = size?.text === '0' || (size?.text === '1' && isText);
  // Who asks for the descriptor may go round the buffer.
  if (!unbuffered || source.text.includes('fileno')) return undefined;
  const used = ancestorOfType(open, ['with_statement', 'function_definition']) ?? source.tree.rootNode;
  if (asksOutside(used)) return undefined;
  const named = keywordsOf(open).get('buffering');
  const before = (named ?? size).previousNamedSibling;
  if (before === null || (named === undefined && operandsOf(open).length > 3)) return undefined;
  const operation = request.trigger === 'posix-small-reads' ? 'read' : 'write';
  return {
    title: `Let Python buffer this file (${counted(request.count, operation)} in this recording)`,
    note: 'Python then writes 8 KiB or more at once, and the rest when the file is closed. Keep it unbuffered where another program waits for the data.',
    edits: [{ file: source.file, start: before.endIndex, end: (named ?? size).endIndex, text: '' }],
    method: 'buffered stream',
    kind: 'repair',
  };
}

/** `file.flush()` and `os.fsync(file.fileno())` that follow each other, for one file. */
interface FlushGroup {
  readonly statements: readonly Node[];
  readonly target: Node;
  readonly synchronises: boolean;
}

function flushTarget(statement: Node | null): { target: Node; synchronises: boolean } | undefined {
  const call = statement === null ? undefined : soleCall(statement);
  const callee = call?.childForFieldName('function');
  if (call === undefined || callee === null || callee === undefined) return undefined;
  if (/^os\.(fsync|fdatasync)$/.test(callee.text)) {
    const [file] = operandsOf(call);
    const asked = file?.type === 'call' && calleeOf(file).endsWith('.fileno') ? file : undefined;
    const target = asked === undefined ? file : asked.childForFieldName('function')!.childForFieldName('object');
    return target === null || target === undefined ? undefined : { target, synchronises: true };
  }
  const target = callee.childForFieldName('object');
  if (callee.childForFieldName('attribute')?.text !== 'flush' || target === null) return undefined;
  return operandsOf(call).length > 0 ? undefined : { target, synchronises: false };
}

function flushesOn(request: FixRequest, source: ParsedSource): FlushGroup | undefined {
  const own = nodesOn(source, request.place.line, ['expression_statement']).find((node) => flushTarget(node));
  const found = own === undefined ? undefined : flushTarget(own);
  if (own === undefined || found === undefined || rootName(found.target) === '') return undefined;
  const belongs = (node: Node | null): boolean => flushTarget(node)?.target.text === found.target.text;
  let first = own;
  let last = own;
  while (belongs(first.previousNamedSibling)) first = first.previousNamedSibling!;
  while (belongs(last.nextNamedSibling)) last = last.nextNamedSibling!;
  const statements = [first];
  while (statements.at(-1)!.id !== last.id) statements.push(statements.at(-1)!.nextNamedSibling!);
  const synchronises = statements.some((statement) => flushTarget(statement)!.synchronises);
  return { statements, target: found.target, synchronises };
}

/** HDF5's single writer with many readers: they see what was flushed. */
function hasReaders(source: ParsedSource): boolean {
  return /swmr/i.test(source.text);
}

/** A flush in a loop: once, behind the outermost loop of the function in which the file stays the same. */
function flushBehindLoop(request: FixRequest, source: ParsedSource): Repair | undefined {
  const group = flushesOn(request, source);
  const block = group?.statements[0]!.parent;
  if (group === undefined || block?.type !== 'block' || !LOOPS.includes(block.parent?.type ?? '')) return undefined;
  if (hasReaders(source)) return undefined;
  const loop = loopToLeave(block.parent!, group.target);
  const lines = ownLines(source, PYTHON, group.statements[0]!, group.statements.at(-1));
  if (loop === undefined || lines === undefined || statementsOf(block).length <= group.statements.length)
    return undefined;
  const what = group.synchronises ? 'Synchronise' : 'Flush';
  const amount = group.synchronises ? counted(request.count, 'synchronisation') : counted(request.count, 'write');
  return {
    title: `${what} once, behind the loop (${amount} in this recording)`,
    note: group.synchronises
      ? 'Until then a power failure can lose what was written. Keep a synchronisation where a checkpoint must be safe.'
      : 'The file is written when its buffer is full and when it is closed. Keep a flush where another program waits for the data.',
    edits: [
      remove(source, lines),
      insertLinesBehind(
        source,
        loop,
        group.statements.map(({ text }) => text),
      ),
    ],
    method: group.synchronises ? 'synchronised once' : 'dropped flush',
    kind: 'repair',
  };
}

/** `file.flush()` in a function that is called again and again. A synchronisation stays: it makes a promise. */
function dropFlush(request: FixRequest, source: ParsedSource): Repair | undefined {
  const group = flushesOn(request, source);
  const block = group?.statements[0]!.parent;
  if (group === undefined || group.synchronises || block?.type !== 'block' || hasReaders(source)) return undefined;
  if (statementsOf(block).length <= group.statements.length || ancestorOfType(block, LOOPS) !== null) return undefined;
  const lines = ownLines(source, PYTHON, group.statements[0]!, group.statements.at(-1));
  if (lines === undefined || asksOutside(scopeOf(block))) return undefined;
  return {
    title: `Do not flush after each record (${counted(request.count, 'write')} in this recording)`,
    note: 'The file is written when its buffer is full and when it is closed. Keep a flush where another program waits for the data.',
    edits: [remove(source, lines)],
    method: 'dropped flush',
    kind: 'repair',
  };
}

/** `with open(path, 'a') as file:` as all that a loop does: the loop goes into it. */
function openOutsideLoop(request: FixRequest, source: ParsedSource): Repair | undefined {
  const inner = nodesOn(source, request.place.line, ['with_statement'])[0];
  const loop = inner?.parent?.parent;
  const body = inner?.childForFieldName('body');
  if (inner === undefined || loop?.type !== 'for_statement' || body === null || body === undefined) return undefined;
  const clause = inner.namedChildren.find(({ type }) => type === 'with_clause');
  const items = clause?.namedChildren ?? [];
  const call = items[0]?.descendantsOfType('call')[0];
  const alias = items[0]?.descendantsOfType('as_pattern_target')[0]?.text;
  if (items.length !== 1 || call === undefined || alias === undefined || calleeOf(call) !== 'open') return undefined;
  if (loop.childForFieldName('body')!.namedChildCount !== 1 || loop.childForFieldName('alternative') !== null)
    return undefined;
  if (!/^(a|ab|at)$/.test(plainString(operand(call, 1, 'mode')) ?? '') || !isSteady(loop, call, alias))
    return undefined;
  if (loop.namedChildren.some(({ type }) => type === 'comment')) return undefined;
  // The two heads change places; the lines below keep their depth.
  const headOf = (node: Node): string =>
    source.text.slice(node.startIndex, node.childForFieldName('body')!.startIndex).trimEnd();
  const [outerHead, innerHead] = [headOf(loop), headOf(inner)];
  if (/[#\n]/.test(outerHead) || /[#\n]/.test(innerHead)) return undefined;
  const end = lineEnd(source);
  const edit: SourceEdit = {
    file: source.file,
    start: loop.startIndex,
    end: inner.startIndex + innerHead.length,
    text: `${innerHead}${end}${indentOf(source, inner)}${outerHead}`,
  };
  return {
    title: `Open the file once, around the loop (${counted(request.count, 'open and close', 'opens and closes')} in this recording)`,
    note: 'The lines are in the file when the buffer is full, and at the latest behind the loop. The file is opened even if the loop makes no turn.',
    edits: [edit],
    method: 'opened once',
    kind: 'repair',
  };
}

/** `for i in range(n): dataset[i] = value`: one call of HDF5 for each element, where one for all would do. */
function assignSlice(request: FixRequest, source: ParsedSource): Repair | undefined {
  const [statement] = nodesOn(source, request.place.line, ['for_statement', 'expression_statement']);
  const loop = statement?.type === 'for_statement' ? statement : statement?.parent?.parent;
  const count = loop === undefined || loop === null ? undefined : countedLoop(loop);
  if (loop === undefined || loop === null || count === undefined || loop.childForFieldName('alternative') !== null)
    return undefined;
  const body = loop.childForFieldName('body')!;
  const [assignment] = statementsOf(body)[0]?.namedChildren ?? [];
  if (body.namedChildCount !== 1 || assignment?.type !== 'assignment') return undefined;
  const left = assignment.childForFieldName('left')!;
  const value = assignment.childForFieldName('right');
  const dataset = left.childForFieldName('value');
  const index = left.childrenForFieldName('subscript');
  if (left.type !== 'subscript' || value === null || dataset?.type !== 'identifier') return undefined;
  if (index.length !== 1 || index[0]!.text !== count.variable || !isEvaluatedAlike(value, dataset.text))
    return undefined;
  if (!isVector(source, loop, dataset.text, value) || !isUnread(loop, count.variable)) return undefined;
  const lines = ownLines(source, PYTHON, loop);
  if (lines === undefined || loop.text.includes('#') || value.text.includes('\n')) return undefined;
  const head = source.text.slice(loop.startIndex, loop.childForFieldName('right')!.endIndex);
  return {
    title: `Write the elements with one assignment (${counted(request.count, 'write')} in this recording)`,
    note: 'The values are gathered in a list first: it must fit into memory.',
    edits: [
      {
        file: source.file,
        start: loop.startIndex,
        end: loop.endIndex,
        text: `${dataset.text}[${count.from}:${count.to.text}] = [${value.text} ${head}]`,
      },
    ],
    method: 'written at once',
    kind: 'repair',
  };
}

/** Whether an expression may be evaluated for all elements before the first is written. */
function isEvaluatedAlike(value: Node, dataset: string): boolean {
  const hands = ['yield', 'await', 'named_expression', 'list_splat', 'assignment'];
  return (
    !hands.includes(value.type) && value.descendantsOfType(hands).length === 0 && !namesIn(value).includes(dataset)
  );
}

/**
 * Whether the name is a dataset of one dimension for certain: then an element is one value, and a list of them one part.
 * With two, a list could be taken for a row. The value must not read it.
 */
function isVector(source: ParsedSource, loop: Node, name: string, value: Node): boolean {
  if (!/^\s*(import|from)\s+h5py\b/m.test(source.text)) return false;
  const scope = scopeOf(loop);
  const made = scope
    .descendantsOfType('assignment')
    .filter((node) => node.childForFieldName('left')?.text === name && node.startIndex < loop.startIndex);
  if (made.length === 0 || boundNames(loop).has(name)) return false;
  return made.every((node) => {
    const call = node.childForFieldName('right');
    if (call?.type !== 'call' || !/\.(create|require)_dataset$/.test(calleeOf(call))) return false;
    // By the file that it is in, a value could read the dataset.
    if (namesIn(value).includes(rootName(call.childForFieldName('function')!))) return false;
    const shape = operand(call, 1, 'shape');
    if (shape === undefined || keywordsOf(call).has('data') || operandsOf(call).length > 3) return false;
    return shape.type === 'integer' || (shape.type === 'tuple' && shape.namedChildCount === 1);
  });
}

/** Whether nothing outside of the loop reads its variable: a comprehension has one of its own. */
function isUnread(loop: Node, variable: string): boolean {
  return scopeOf(loop)
    .descendantsOfType('identifier')
    .filter((node) => node.text === variable && (node.startIndex < loop.startIndex || node.endIndex > loop.endIndex))
    .every((node) => {
      for (let at = node.parent; at !== null; at = at.parent) {
        const binds = [at, ...at.namedChildren].some(
          (part) =>
            ['for_statement', 'for_in_clause'].includes(part.type) && part.childForFieldName('left')?.text === variable,
        );
        if (binds && at.id !== loop.parent?.id) return true;
      }
      return false;
    });
}
