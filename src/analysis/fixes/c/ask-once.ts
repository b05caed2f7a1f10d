import type { Node } from 'web-tree-sitter';
import { isCheck, endsProgram } from './checks.ts';
import { isClosedWorld } from './closed-world.ts';
import { counterOf, isCode, stepsByOne } from './counted-loop.ts';
import { declarationsOf, identifiersIn, macroValue, type Declared, isOwnName } from './declarations.ts';
import { ONLY_USES, type FixSources } from './descriptors.ts';
import {
  callsOnLine,
  enclosingFunction,
  indentOf,
  insertAt,
  isPure,
  removeStatement,
  stepOf,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

/**
 * A loop whose first statement asks about a file by `stat`, or reads at a fixed place by `pread`, with the same operands in
 * each turn, and where nothing else changes the answer or the file: it is asked in front of the loop.
 */

/** The operand that the answer is put into, if any. */
const QUESTIONS: Readonly<Record<string, number | undefined>> = {
  stat: 1,
  lstat: 1,
  fstat: 1,
  access: undefined,
  pread: 1,
  pread64: 1,
};
/** What may be called in the loop besides: it looks at values alone. */
const LOOKS_ONLY = new Set(
  (
    'sqrt sin cos tan exp log log2 log10 pow fabs floor ceil round fmod fmin fmax atan atan2 hypot cbrt isnan isfinite ' +
    'abs labs isalpha isdigit isspace isalnum isupper islower toupper tolower strlen strcmp strncmp memcmp'
  ).split(' '),
);
/** Known in the rest of the program: none starts a thread, a handler or a child. */
export const KNOWN = (
  'open close read write readv writev pread pread64 pwrite preadv pwritev lseek ftruncate fsync fdatasync fstat stat lstat ' +
  'access dprintf isatty posix_fadvise posix_fallocate mkdir rmdir usleep sleep nanosleep getpid _exit abort assert rename ' +
  'unlink remove symlink chdir getcwd setvbuf setbuf'
).split(' ');
export const JUMPS = [
  'continue_statement',
  'goto_statement',
  'labeled_statement',
  'lambda_expression',
  'throw_statement',
];

const NOTE = 'The answer is kept: nothing in the loop changes the file or what is known of it.';

export function askOnce(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main, all } = sources;
  const [call, ...more] = callsOnLine(main, request.place.line, Object.keys(QUESTIONS));
  if (call === undefined || more.length > 0 || call.operands.length < 2 || isOwnName(call.name, all)) return undefined;
  const statement = askingStatement(call, all);
  const loop = statement === undefined ? undefined : loopBegunBy(statement);
  if (statement === undefined || loop === undefined) return undefined;
  const isRead = call.name.startsWith('pread');
  const title = isRead ? 'Read once, in front of the loop' : 'Ask once, in front of the loop';
  const reason = whyNot(request, sources, { call, loop, statement });
  if (reason !== undefined) return { title, note: NOTE, reason };
  const condition = conditionOf(loop, all);
  if (condition === undefined) return undefined;
  const indent = indentOf(main, loop);
  const text =
    condition === '' ? statement.text : `if (${condition})\n${indent}${stepOf(main, indent)}${statement.text}`;
  return {
    title: `${title} (what another program does to the file meanwhile is not noticed)`,
    note: NOTE,
    edits: [insertAt(main, loop.startIndex, `${text}\n${indent}`), removeStatement(main, statement)],
    method: 'asked once',
    kind: 'trade',
  };
}

/** The statement that is nothing but the call, `if (call …) leave`, or `check(call …)`. */
export function askingStatement({ node }: FunctionCall, all: readonly ParsedSource[]): Node | undefined {
  if (node.parent?.type === 'expression_statement') return node.parent;
  const isCompared = node.parent?.type === 'binary_expression' && node.parent.childForFieldName('left')?.id === node.id;
  const test = isCompared ? node.parent : node;
  if (isCompared && !/^[!=<>]=?$/.test(test.childForFieldName('operator')?.text ?? '')) return undefined;
  if (isCompared && !isPure(test.childForFieldName('right')!)) return undefined;
  const { parent } = test;
  if (parent?.type === 'argument_list') {
    const check = parent.parent?.childForFieldName('function')?.text ?? '';
    const isAll = parent.parent?.parent?.type === 'expression_statement' && parent.namedChildren.length === 1;
    return isAll && isCheck(check, all) ? parent.parent.parent : undefined;
  }
  const branch = parent?.parent?.childForFieldName('consequence');
  const isIf =
    parent?.parent?.type === 'if_statement' && parent.parent.childForFieldName('condition')?.id === parent.id;
  if (!isIf || !branch || parent.parent.childForFieldName('alternative') !== null) return undefined;
  if (branch.text.includes('\n') || branch.descendantsOfType(['break_statement', ...JUMPS]).length > 0)
    return undefined;
  const last = branch.type === 'compound_statement' ? branch.namedChildren.findLast(isCode) : branch;
  return last?.type === 'return_statement' || endsProgram(last) ? parent.parent : undefined;
}

/** The counting loop whose body begins with a statement, and has more; `#if` and jumps within are not followed. */
function loopBegunBy(statement: Node): Node | undefined {
  const body = statement.parent;
  const loop = body?.parent;
  if (body?.type !== 'compound_statement' || loop?.type !== 'for_statement' || loop.hasError) return undefined;
  const code = body.namedChildren.filter(isCode);
  if (code[0]?.id !== statement.id || code.length < 2) return undefined;
  if (loop.parent?.type !== 'compound_statement' || loop.previousNamedSibling?.type === 'preproc_call')
    return undefined;
  const isPlain = loop.descendantsOfType(JUMPS).length === 0 && !/^\s*#/m.test(loop.text);
  return isPlain ? loop : undefined;
}

/** Whether the loop makes a turn: '' where it does for certain; undefined where that cannot be said in front of it. */
export function conditionOf(loop: Node, all: readonly ParsedSource[]): string | undefined {
  const first = counterOf(loop);
  const condition = loop.childForFieldName('condition');
  const bound = condition?.childForFieldName('right');
  const operator = condition?.childForFieldName('operator')?.text ?? '';
  if (first === undefined || !bound || !isPure(bound) || !['<', '<='].includes(operator)) return undefined;
  if (condition?.childForFieldName('left')?.text !== first.name) return undefined;
  if (!stepsByOne(loop.childForFieldName('update'), first.name) || identifiersIn(bound).includes(first.name))
    return undefined;
  const value = Number((macroValue(bound.text, all) ?? bound.text).replaceAll(/^\(|\)$/g, ''));
  if (Number.isInteger(value)) return first.start < value ? '' : undefined;
  return `${first.start} ${operator} ${bound.text}`;
}

interface Question {
  readonly call: FunctionCall;
  readonly loop: Node;
  readonly statement: Node;
}

function whyNot(request: FixRequest, { all }: FixSources, question: Question): string | undefined {
  const known = new Set(all.map(({ file }) => file));
  if (request.threaded || !isClosedWorld(request, all, KNOWN))
    return 'a thread, a handler, a child or unknown code may change the file';
  if (request.touchedAt.some(({ file }) => !known.has(file))) return 'something else touches the file';
  return isSteady(question, all) ? undefined : 'the loop may change the file, its name or the answer';
}

/** Whether nothing in the loop but the question itself gives a value to what it is asked with, or to its answer. */
function isSteady({ call, loop, statement }: Question, all: readonly ParsedSource[]): boolean {
  const scope = enclosingFunction(loop);
  if (scope === null || call.operands.some((operand) => !isPure(operand))) return false;
  const own = new Set(identifiersIn(statement));
  const answer = QUESTIONS[call.name] === undefined ? undefined : call.operands[QUESTIONS[call.name]!];
  if (answer !== undefined && !isOwnAnswer(answer, loop, all)) return false;
  const counter = counterOf(loop)?.name ?? '';
  const bound = loop.childForFieldName('condition')?.childForFieldName('right');
  // In front of the first turn the bound has the value from before.
  if (!bound || identifiersIn(bound).some((name) => own.has(name))) return false;
  if (own.has(counter) || [...own].some((name) => isDeclaredIn(loop, name))) return false;
  const rest = loop.childForFieldName('body')!.namedChildren.filter(({ id }) => id !== statement.id);
  return rest.every(
    (node) =>
      within(node, 'call_expression').every((each) => looksOrEnds(each, all)) &&
      within(node, 'pointer_expression').every(({ text }) => !text.startsWith('&')) &&
      changesOf(node).every((target) => isPlainTarget(target, own, counter, all)),
  );
}

const within = (node: Node, type: string): Node[] => node.descendantsOfType(type);

/** Whether a call takes values alone: it changes nothing, and comes back. */
export function looksOnly(call: Node): boolean {
  return LOOKS_ONLY.has(call.childForFieldName('function')?.text ?? '');
}

function looksOrEnds(call: Node, all: readonly ParsedSource[]): boolean {
  return looksOnly(call) || isCheck(call.childForFieldName('function')?.text ?? '', all);
}

/** What a piece of code gives values to. */
function changesOf(node: Node): Node[] {
  return node
    .descendantsOfType(['assignment_expression', 'update_expression'])
    .map((change) => (change.childForFieldName('left') ?? change.childForFieldName('argument'))!);
}

/** A variable, or an element of an array: what a pointer leads to may be anything. */
function isPlainTarget(target: Node, own: ReadonlySet<string>, counter: string, all: readonly ParsedSource[]): boolean {
  let root = target;
  let indices = 0;
  while (['subscript_expression', 'field_expression'].includes(root.type)) {
    if (root.type === 'subscript_expression') indices++;
    else if (root.childForFieldName('operator')?.text !== '.') return false;
    root = root.childForFieldName('argument')!;
  }
  if (root.type !== 'identifier' || own.has(root.text) || root.text === counter) return false;
  if (macroValue(root.text, all) !== undefined) return false;
  const declared = declarationsOf(root.text, root, all);
  return declared.length > 0 && declared.every((one) => isPlainVariable(one, indices));
}

/** Types whose values C++ gives without calling anything. */
const PLAIN =
  /^(signed |unsigned |long |short )*(int|long|short|char|double|float|bool|signed|unsigned|_Bool|s?size_t|off_t|u?int(8|16|32|64)_t)$/;

function isPlainVariable(declared: Declared, indices: number): boolean {
  const { type, depth, isReference } = declared;
  return PLAIN.test(type) && depth === indices && !isReference && !isPointer(declared);
}

function isPointer({ name, holder }: Declared): boolean {
  for (let at = name.parent; at !== null && at.id !== holder.id; at = at.parent)
    if (at.type === 'pointer_declarator') return true;
  // An array that is a parameter is a pointer.
  return holder.type !== 'declaration' && name.parent?.type === 'array_declarator';
}

/** `&status` or an array: a variable of its own from in front of the loop, which nothing else leads to. */
function isOwnAnswer(answer: Node, loop: Node, all: readonly ParsedSource[]): boolean {
  const isTaken = answer.type === 'pointer_expression' && answer.text.startsWith('&');
  const variable = isTaken ? answer.childForFieldName('argument')! : answer;
  const scope = enclosingFunction(loop);
  if (variable.type !== 'identifier' || scope === null) return false;
  const [declared, ...more] = declarationsOf(variable.text, variable, all);
  if (declared === undefined || more.length > 0 || declared.isVolatile || declared.isReference) return false;
  if (enclosingFunction(declared.holder)?.id !== scope.id || isPointer(declared)) return false;
  if (!isTaken && declared.depth === 0) return false;
  // Where its address was given away, anything may change it.
  return scope
    .descendantsOfType('identifier')
    .filter(({ text, id }) => text === variable.text && id !== declared.name.id)
    .every((use) => isRead(use, variable) || isLentOnly(use, all) || use.startIndex > loop.endIndex);
}

/** Whether a use hands the address to a call of the system, which does not keep it. */
function isLentOnly(use: Node, all: readonly ParsedSource[]): boolean {
  const operand = use.parent?.type === 'pointer_expression' ? use.parent : use;
  const call = operand.parent?.type === 'argument_list' ? operand.parent.parent : null;
  const name = call?.childForFieldName('function')?.text ?? '';
  return (ONLY_USES.has(name) || Object.hasOwn(QUESTIONS, name)) && !isOwnName(name, all);
}

/** `status.st_size`, `table[i]`: a use that takes a value; or one that asks the same way. */
function isRead(use: Node, question: Node): boolean {
  if (use.id === question.id) return true;
  const { parent } = use;
  if (parent?.type === 'sizeof_expression' || parent?.parent?.type === 'sizeof_expression') return true;
  return ['field_expression', 'subscript_expression'].includes(parent?.type ?? '') &&
    parent!.childForFieldName('argument')?.id === use.id
    ? parent!.parent?.type !== 'pointer_expression'
    : false;
}

function isDeclaredIn(loop: Node, name: string): boolean {
  return loop
    .descendantsOfType(['declaration', 'parameter_declaration'])
    .some((node) =>
      node.childrenForFieldName('declarator').some((one) => identifiersIn(one)[0] === name || one.text === name),
    );
}
