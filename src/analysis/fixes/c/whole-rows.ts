import type { Node } from 'web-tree-sitter';
import { callsAnywhere, type FixSources } from './descriptors.ts';
import { countedLoop, type CountedLoop } from './counted-loop.ts';
import { failureOf, statementWith, type Failure } from './failure-answers.ts';
import { descriptorOf, reachOf } from './holders.ts';
import { declarationsOf, fieldsOf, identifiersIn, isAddressed, macroValue, type Declared } from './declarations.ts';
import {
  callsOnLine,
  enclosingFunction,
  functionName,
  indentOf,
  isPure,
  replace,
  squeezed,
  stepOf,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

/**
 * A loop that moves the elements of an array one by one, and nothing else, becomes one call. What `write` and `read` leave
 * over is asked for again, so that errors, `errno` and large arrays are as before.
 */

const MOVES = ['write', 'read', 'fwrite', 'fread'];
/** Calls after which a descriptor may lead to something that tells one message from the next. */
const MESSAGES = new Set(
  'socket socketpair accept accept4 connect mkfifo mkfifoat mknod mknodat pipe eventfd timerfd_create inotify_init inotify_init1 pipe2 ioctl memfd_create mq_open'.split(
    ' ',
  ),
);
const NO_PLAIN_FILE = /\bO_(NONBLOCK|NDELAY|DIRECT)\b|"\/(dev|proc|sys)\//;

export function moveRow(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main, all } = sources;
  const [call, ...more] = callsOnLine(main, request.place.line, MOVES);
  if (call === undefined || more.length > 0 || isNotTheSystems(call.name, all)) return undefined;
  const statement = statementWith(call, all);
  const isRead = call.name.endsWith('read');
  const counted = statement && countedLoop(main, all, statement.node, isRead);
  if (statement === undefined || counted === undefined) return undefined;
  const row = rowOf(call, counted, all, isRead);
  const failure = row && failureOf(statement, call, { variable: counted.variable, isSize: row.isSize }, all);
  if (row === undefined || failure === 'unknown' || !isSteady(main, call, counted, all)) return undefined;
  const title = `${isRead ? 'Read' : 'Write'} the row with one call`;
  const note = 'The elements lie behind each other in memory. What fails leads to the same as before.';
  if (!isPlainFile(request, sources, call))
    return { title, note, reason: 'where elements go, each may be a message of its own' };
  const { loop, leftOver } = counted;
  const indent = indentOf(main, loop);
  const isAsked = statement.test !== undefined;
  const code =
    call.name.startsWith('f') && isAsked
      ? streamCall(main, call, counted, row, failure)
      : elementLoop(main, call, counted, row, failure);
  if (code === undefined) return undefined;
  const kept = failure?.branch?.descendantsOfType('comment').map(({ id }) => id) ?? [];
  const comments = loop.descendantsOfType('comment').filter(({ id }) => !kept.includes(id));
  return {
    title,
    note,
    edits: [...leftOver, replace(main, loop, comments.map(({ text }) => `${text}\n${indent}`).join('') + code)],
    method: 'written at once',
    kind: 'repair',
  };
}

/** The same for a file whose writes wait for the storage, each by itself. */
export function moveSynchronousRow(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const row = moveRow(request, sources);
  if (row === undefined || !('edits' in row)) return row;
  return { ...row, kind: 'trade', title: `${row.title} (it is safe as a whole, no longer element by element)` };
}

/** Whether the sources have a function or a macro of that name, or descriptors that are no plain files. */
function isNotTheSystems(name: string, all: readonly ParsedSource[]): boolean {
  if (macroValue(name, all) !== undefined || callsAnywhere(all, MESSAGES)) return true;
  if (all.some(({ text }) => NO_PLAIN_FILE.test(text) || /\b(class|struct)\s+(vector|array)\b/.test(text))) return true;
  return all.some(({ tree }) =>
    tree.rootNode.descendantsOfType('function_definition').some((node) => functionName(node) === name),
  );
}

/**
 * Whether a descriptor leads to a file, where only bytes count: by the recording, or as the sources opened it. A socket or a
 * pipe that somebody hands in may tell one message from the next.
 */
function isPlainFile(request: FixRequest, sources: FixSources, { name, operands }: FunctionCall): boolean {
  if (request.plainFiles || name.startsWith('f')) return true;
  const [descriptor] = operands;
  const opened = descriptor === undefined ? undefined : descriptorOf(reachOf(request, sources), descriptor);
  // What the library opens to read and write by its path may be a pipe with a name.
  return opened?.opens.every(({ operands: [, flags] }) => /\bO_(TRUNC|EXCL)\b/.test(flags?.text ?? '')) === true;
}

interface Row {
  /** A pointer to the first element. */
  readonly first: string;
  /** The size of one element as the call gives it, for the first; '1' for characters. */
  readonly size: string;
  readonly isSize: (expression: Node) => boolean;
}

/** The array whose element the call moves; undefined where the next element may not lie behind it. */
function rowOf(call: FunctionCall, loop: CountedLoop, all: readonly ParsedSource[], isRead: boolean): Row | undefined {
  const isStream = call.name.startsWith('f');
  const [address, size] = isStream ? call.operands : call.operands.slice(1);
  if (call.operands.length !== (isStream ? 4 : 3) || (isStream && call.operands[2]?.text !== '1')) return undefined;
  const element = elementAt(withoutCast(address!), loop.variable);
  if (element === undefined || !isPure(element.base)) return undefined;
  const type = elementType(element.base, all);
  if (type === undefined || (isRead && !isOwnMemory(element.base, type, all))) return undefined;
  const { base, offset, isRow } = element;
  if (isRow === true && !isTable(base, all)) return undefined;
  const names = [`${base.text}[${element.index}]`, `${base.text}[0]`, `*${base.text}`].map(squeezed);
  const isSize = (expression: Node): boolean => {
    const operand = sizeofOperand(expression);
    if (operand === undefined) return type.isCharacter && expression.text === '1';
    return [...names, squeezed(type.text)].includes(squeezed(operand.text));
  };
  if (size === undefined || !isSize(size)) return undefined;
  const skipped = [...(offset === undefined ? [] : [offset]), ...(loop.start === 0 ? [] : [String(loop.start)])];
  const operand = sizeofOperand(size);
  const isExpression = operand !== undefined && squeezed(operand.text) !== squeezed(type.text);
  const skipsRows = skipped.length > 0 ? ` + ${skipped.join(' + ')}` : '';
  return {
    first:
      isRow === true
        ? base.text + skipsRows
        : type.isContainer
          ? [`${base.text}.data()`, ...skipped].join(' + ')
          : `&${base.text}[${skipped.join(' + ') || '0'}]`,
    size: isExpression ? `sizeof ${base.text}[0]` : size.text,
    isSize,
  };
}

function withoutCast(node: Node): Node {
  if (node.type === 'parenthesized_expression') return withoutCast(node.namedChildren[0]!);
  return node.type === 'cast_expression' ? withoutCast(node.childForFieldName('value')!) : node;
}

/** What `sizeof` is asked about; undefined where the expression is none, also behind a cast. */
function sizeofOperand(expression: Node): Node | undefined {
  const node = withoutCast(expression);
  if (node.type !== 'sizeof_expression') return undefined;
  return node.childForFieldName('type') ?? withoutCast(node.childForFieldName('value')!);
}

interface Element {
  readonly base: Node;
  /** The text of the index. */
  readonly index: string;
  /** What the index has beside the loop's variable. */
  readonly offset?: string;
  /** A row of a table, which stands for its own address. */
  readonly isRow?: boolean;
}

/** `&base[j]`, `&base[i * n + j]`, `base + j`, and `table[j]` for a row. */
function elementAt(address: Node, variable: string): Element | undefined {
  if (address.type === 'binary_expression') {
    const [left, right] = [address.childForFieldName('left')!, address.childForFieldName('right')!];
    const isSum = address.childForFieldName('operator')?.text === '+' && right.text === variable;
    return isSum && ['identifier', 'field_expression', 'subscript_expression'].includes(left.type)
      ? elementOf(left, right, variable)
      : undefined;
  }
  const row = address.type === 'subscript_expression' ? subscripted(address, variable) : undefined;
  if (row !== undefined) return { ...row, isRow: true };
  const element = address.childForFieldName('argument');
  if (address.type !== 'pointer_expression' || address.child(0)?.text !== '&') return undefined;
  return element?.type === 'subscript_expression' ? subscripted(element, variable) : undefined;
}

function subscripted(element: Node, variable: string): Element | undefined {
  const indices = element.childForFieldName('indices')?.namedChildren ?? [element.childForFieldName('index')!];
  return indices.length === 1 ? elementOf(element.childForFieldName('argument')!, indices[0]!, variable) : undefined;
}

/** Whether a name is that of arrays in an array, whose rows lie behind each other: no pointers, and no parameter. */
function isTable(base: Node, all: readonly ParsedSource[]): boolean {
  if (base.type !== 'identifier' || macroValue(base.text, all) !== undefined) return false;
  const declared = declarationsOf(base.text, base, all);
  return (
    declared.length > 0 &&
    declared.every(({ name, holder }) => {
      const [inner, outer] = [name.parent, name.parent?.parent];
      const isHeld = holder.type === 'declaration' && outer?.parent?.id === holder.id;
      const isGiven = outer?.parent?.type === 'init_declarator' && outer.parent.parent?.id === holder.id;
      return inner?.type === 'array_declarator' && outer?.type === 'array_declarator' && (isHeld || isGiven);
    })
  );
}

function elementOf(base: Node, index: Node, variable: string): Element | undefined {
  if (identifiersIn(base).includes(variable)) return undefined;
  if (index.text === variable) return { base, index: index.text };
  if (index.type !== 'binary_expression' || index.childForFieldName('operator')?.text !== '+') return undefined;
  const sides = [index.childForFieldName('left')!, index.childForFieldName('right')!];
  const offset = sides.find((side) => side.text !== variable);
  if (offset === undefined || sides.every((side) => side.text !== variable)) return undefined;
  if (identifiersIn(offset).includes(variable) || !isPure(offset)) return undefined;
  return { base, index: index.text, offset: offset.text };
}

interface ElementType {
  readonly text: string;
  readonly isCharacter: boolean;
  /** A `std::vector` or `std::array`. */
  readonly isContainer: boolean;
}

const CHARACTER = /^(signed char|unsigned char|char|(std::)?u?int8_t|std::byte)$/;
const CONTAINER = /^(?:std::)?(?:vector|array)<(.+)>$/;

/** The type of an array's elements, as its declarations say; undefined for what is no real array, or unknown. */
function elementType(base: Node, all: readonly ParsedSource[]): ElementType | undefined {
  let levels = 1;
  let root = base;
  while (root.type === 'subscript_expression') {
    root = root.childForFieldName('argument')!;
    levels++;
  }
  const declared = declaredAt(root, all);
  const types = declared.map((one) => typeBehind(one, levels));
  const [first] = types;
  if (first === undefined || types.some((type) => type?.text !== first.text)) return undefined;
  return declared.some(({ isVolatile }) => isVolatile) ? undefined : first;
}

function declaredAt(root: Node, all: readonly ParsedSource[]): Declared[] {
  if (root.type === 'field_expression') {
    const object = root.childForFieldName('argument')!;
    const isPlain = ['identifier', 'this', 'field_expression', 'subscript_expression'].includes(object.type);
    return isPlain ? fieldsOf(root.childForFieldName('field')?.text ?? '', all) : [];
  }
  if (root.type !== 'identifier' || macroValue(root.text, all) !== undefined) return [];
  return declarationsOf(root.text, root, all);
}

function typeBehind({ type, depth }: Declared, levels: number): ElementType | undefined {
  let text = type;
  let left = levels - depth;
  // Rows of a table, or pointers: only `sizeof` of the element itself says how large they are.
  if (left < 0) return { text: '', isCharacter: false, isContainer: false };
  const isContainer = left > 0;
  for (; left > 0; left--) {
    const inner = CONTAINER.exec(squeezed(text))?.[1]?.replace(/,[^,<>]*$/, '');
    // Its elements have no addresses.
    if (inner === undefined || inner === 'bool') return undefined;
    text = inner;
  }
  return { text, isCharacter: CHARACTER.test(text), isContainer };
}

/** Whether what is read cannot change where it is read to: characters may lie over everything. */
function isOwnMemory(base: Node, type: ElementType, all: readonly ParsedSource[]): boolean {
  const scope = enclosingFunction(base);
  if (base.type !== 'identifier' || scope === null || isAddressed(base.text, scope)) return !type.isCharacter;
  const local = declarationsOf(base.text, base, all).every(({ holder }) => enclosingFunction(holder) !== null);
  return local || !type.isCharacter;
}

/** Whether the operands mean the same in each turn. */
function isSteady(main: ParsedSource, call: FunctionCall, loop: CountedLoop, all: readonly ParsedSource[]): boolean {
  const file = call.operands[call.name.startsWith('f') ? 3 : 0]!;
  if (!isOfType(file, call.name.startsWith('f') ? ['FILE', 1] : ['int', 0], all)) return false;
  const names = call.operands.flatMap(identifiersIn).filter((name) => name !== loop.variable);
  if (!isPure(file) || names.some((name) => macroValue(name, all) !== undefined)) return false;
  return !main.tree.rootNode.hasError || !(enclosingFunction(call.node)?.hasError ?? true);
}

/** Whether a descriptor or a stream is what the system's calls take: another type has functions of its own. */
function isOfType(file: Node, [type, depth]: readonly [string, number], all: readonly ParsedSource[]): boolean {
  if (file.type === 'number_literal') return type === 'int';
  const declared = declaredAt(file, all);
  return declared.length > 0 && declared.every((one) => one.type === type && one.depth === depth);
}

function streamCall(
  main: ParsedSource,
  { name, operands }: FunctionCall,
  { loop, turns }: CountedLoop,
  row: Row,
  failure: Failure,
): string | undefined {
  if (failure === undefined || failure === 'unknown') return undefined;
  const call = `${name}(${row.first}, ${row.size}, ${turns}, ${operands[3]!.text})`;
  const indent = indentOf(main, loop);
  const code = failure.statement(`${call} != ${turns}`, `${call} == ${turns}`, indent, stepOf(main, indent));
  // An else behind the loop is that of another if.
  return failure.branch === undefined || loop.parent?.type === 'compound_statement' ? code : `{ ${code} }`;
}

/** The names of the loop's own variables, which must hide nothing that the code around means. */
const OWN_NAMES = ['done', 'size', 'moved'];

function elementLoop(
  main: ParsedSource,
  { name, operands, node }: FunctionCall,
  { turns, loop }: CountedLoop,
  row: Row,
  failure: Failure,
): string | undefined {
  const taken = new Set(identifiersIn(enclosingFunction(node) ?? main.tree.rootNode));
  const suffix = ['', '_bytes', '_of_row'].find((end) => OWN_NAMES.every((own) => !taken.has(own + end)));
  if (suffix === undefined || failure === 'unknown') return undefined;
  const [done, size, moved] = OWN_NAMES.map((own) => own + suffix);
  const indent = indentOf(main, loop);
  const step = stepOf(main, indent);
  const isStream = name.startsWith('f');
  const pointer = name === 'read' ? 'char *' : 'const char *';
  const bytes = row.size === '1' ? turns : `${turns} * ${row.size}`;
  const rest = `${size} - ${done}`;
  const inner = indent + step;
  const call = isStream
    ? `size_t ${moved} = ${name}(${startOf(row)} + ${done}, ${row.size}, ${rest}, ${operands[3]!.text});`
    : `ssize_t ${moved} = ${name}(${operands[0]!.text}, (${pointer})${startOf(row)} + ${done}, ${rest});`;
  // Where nobody asks, the elements behind one that fails are still tried.
  const one = isStream || row.size === '1' ? '1' : row.size;
  const next = failure === undefined ? `${moved} > 0 ? (size_t)${moved} : ${one}` : `(size_t)${moved}`;
  const declared = `size_t ${done} = 0, ${size} = ${isStream ? turns : bytes};`;
  const body = (at: string): string[] => [
    at + call,
    ...(failure === undefined ? [] : [at + failure.statement(`${moved} <= 0`, `${moved} > 0`, at, step)]),
    `${at}${done} += ${next};`,
  ];
  // Names that a loop declares are of C99: what has none may be compiled for less.
  if (DECLARED_BY_LOOP.test(main.text))
    return [`for (${declared} ${done} < ${size};) {`, ...body(inner), `${indent}}`].join('\n');
  const loop89 = [`${inner}${declared}`, `${inner}while (${done} < ${size}) {`, ...body(inner + step), `${inner}}`];
  return ['{', ...loop89, `${indent}}`].join('\n');
}

const DECLARED_BY_LOOP = /\bfor\s*\(\s*\w+[\s*]+\w+\s*=/;

function startOf({ first }: Row): string {
  return first.includes(' + ') && !first.startsWith('&') ? `(${first})` : first;
}
