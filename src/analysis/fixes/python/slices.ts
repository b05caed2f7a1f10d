import type { Node } from 'web-tree-sitter';
import type { FixSources } from '../c/descriptors.ts';
import type { ParsedSource } from '../c/syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';
import { openFilesOf } from './files.ts';
import {
  boundNames,
  calleeOf,
  countedLoop,
  keywordsOf,
  namesIn,
  nodesOn,
  operand,
  operandsOf,
  plainString,
  PYTHON,
  scopeOf,
  soleCall,
  statementsOf,
} from './syntax.ts';
import { ownLines } from '../statement-lines.ts';

/** Loops that write element by element, or row by row, where one call writes all. */

interface SingleLoop {
  readonly loop: Node;
  readonly statement: Node;
}

/** The loop on a line, or around it, that consists of one statement on lines of its own. */
function singleLoop(request: FixRequest, source: ParsedSource): SingleLoop | undefined {
  const [found] = nodesOn(source, request.place.line, ['for_statement', 'expression_statement']);
  const loop = found?.type === 'for_statement' ? found : found?.parent?.parent;
  if (loop?.type !== 'for_statement' || loop.childForFieldName('alternative') !== null) return undefined;
  const body = loop.childForFieldName('body')!;
  const [statement] = statementsOf(body);
  if (body.namedChildCount !== 1 || statement === undefined || ownLines(source, PYTHON, loop) === undefined)
    return undefined;
  return loop.text.includes('#') || loop.text.startsWith('async') ? undefined : { loop, statement };
}

const NO_VECTOR = 'that the dataset has one dimension, or what its values are, is not seen here';

/** `for i in range(n): dataset[i] = value`: one call of HDF5 for each element, where one for all would do. */
export function assignSlice(request: FixRequest, { main: source }: FixSources): Repair | Refusal | undefined {
  const { loop, statement } = singleLoop(request, source) ?? {};
  const [assignment] = statement?.namedChildren ?? [];
  if (loop === undefined || assignment?.type !== 'assignment') return undefined;
  const variable = loop.childForFieldName('left')!.text;
  const left = assignment.childForFieldName('left')!;
  const value = assignment.childForFieldName('right');
  const dataset = left.childForFieldName('value');
  const index = left.childrenForFieldName('subscript');
  if (left.type !== 'subscript' || value === null || dataset?.type !== 'identifier' || value.text.includes('\n'))
    return undefined;
  if (!/^\s*(import|from)\s+h5py\b/m.test(source.text) || index.length !== 1 || index[0]!.text !== variable)
    return undefined;
  const title = 'Write the elements with one assignment';
  const shape = shapeOf(loop, dataset.text, (call) => /\.(create|require)_dataset$/.test(calleeOf(call)), 1, 'shape');
  const range = rangeOver(loop, shape);
  const text = range === undefined ? undefined : valuesOf(loop, value, variable, range);
  const note = 'The values are in memory together then.';
  if (text === undefined || !isUnread(loop, variable)) return { title, note, reason: NO_VECTOR };
  return {
    title,
    note,
    edits: [
      { file: source.file, start: loop.startIndex, end: loop.endIndex, text: `${dataset.text}[${range!}] = ${text}` },
    ],
    method: 'written at once',
    kind: 'repair',
  };
}

/** `for i, row in enumerate(table): dataset[i] = row`, where the data set was made with the shape of the table. */
export function assignRows(request: FixRequest, { main: source }: FixSources): Repair | Refusal | undefined {
  const { loop, statement } = singleLoop(request, source) ?? {};
  const [assignment] = statement?.namedChildren ?? [];
  const right = loop?.childForFieldName('right');
  if (loop === undefined || assignment?.type !== 'assignment' || right?.type !== 'call') return undefined;
  const names = loop.childForFieldName('left')!.namedChildren.map(({ text }) => text);
  const left = assignment.childForFieldName('left')!;
  const [index, ...others] = left.childrenForFieldName('subscript');
  const dataset = left.childForFieldName('value');
  const [table, ...more] = operandsOf(right);
  const isRow = index?.text === names[0] && assignment.childForFieldName('right')?.text === names[1];
  if (calleeOf(right) !== 'enumerate' || names.length !== 2 || !isRow || others.length + more.length > 0)
    return undefined;
  if (table?.type !== 'identifier' || dataset?.type !== 'identifier' || keywordsOf(right).size > 0) return undefined;
  if (!/^\s*(import|from)\s+h5py\b/m.test(source.text) || [...names, dataset.text].includes(table.text))
    return undefined;
  const title = 'Write the rows with one assignment';
  const note = 'The data set has the shape of the table.';
  const isUnused = names.every((name) => isUnread(loop, name));
  if (!isArray(loop, table.text) || !isUnused || !hasShapeOf(loop, dataset.text, table.text))
    return { title, note, reason: 'that table and data set have the same shape is not seen here' };
  const text = `${dataset.text}[...] = ${table.text}`;
  return {
    title,
    note,
    edits: [{ file: source.file, start: loop.startIndex, end: loop.endIndex, text }],
    method: 'written at once',
    kind: 'repair',
  };
}

/** Whether a data set is made once in the function, with the shape of a table. */
function hasShapeOf(loop: Node, dataset: string, table: string): boolean {
  const scope = scopeOf(loop);
  const made = scope.descendantsOfType('assignment').filter((node) => node.childForFieldName('left')?.text === dataset);
  const call = made[0]?.childForFieldName('right');
  if (made.length !== 1 || made[0]!.startIndex > loop.startIndex || call?.type !== 'call') return false;
  if (!calleeOf(call).endsWith('.create_dataset') || keywordsOf(call).has('data')) return false;
  const bound = scope.descendantsOfType(['as_pattern_target', 'parameters', 'global_statement', 'for_statement']);
  const isBoundElse = bound.some((node) => namesIn(node.childForFieldName('left') ?? node).includes(dataset));
  return !isBoundElse && operand(call, 1, 'shape')?.text === `${table}.shape`;
}

/**
 * The number of elements of a vector, as the one call that made it has it; undefined for what has more dimensions, or is
 * made elsewhere. With two dimensions, a list could be taken for a row.
 */
function shapeOf(
  loop: Node,
  name: string,
  makes: (call: Node) => boolean,
  place: number,
  keyword: string,
): Node | undefined {
  const scope = scopeOf(loop);
  const made = scope.descendantsOfType('assignment').filter((node) => node.childForFieldName('left')?.text === name);
  const call = made[0]?.childForFieldName('right');
  const bound = [...scope.descendantsOfType(['as_pattern_target', 'parameters', 'for_statement', 'global_statement'])];
  const isBoundElse = bound.some((node) =>
    (node.type === 'for_statement' ? [node.childForFieldName('left')!] : [node]).some((part) =>
      namesIn(part).includes(name),
    ),
  );
  if (made.length !== 1 || made[0]!.startIndex > loop.startIndex || isBoundElse) return undefined;
  if (call?.type !== 'call' || !makes(call) || keywordsOf(call).has('data') || operandsOf(call).length > place + 2)
    return undefined;
  const shape = operand(call, place, keyword);
  if (shape?.type === 'tuple') return shape.namedChildCount === 1 ? shape.namedChildren[0] : undefined;
  return shape?.type === 'integer' || shape?.type === 'identifier' ? shape : undefined;
}

/** `0:n` where a loop's range lies in a vector of n elements for certain. */
function rangeOver(loop: Node, size: Node | undefined): string | undefined {
  const count = countedLoop(loop);
  if (count === undefined || size === undefined) return undefined;
  const [from, to, most] = [Number(count.from), numberOf(count.to, loop), numberOf(size, loop)];
  const isInside = count.from === '0' && count.to.text === size.text && isSteady(loop, size);
  return isInside || (from < to && to <= most) ? `${count.from}:${count.to.text}` : undefined;
}

/** A number, or the one that a name has; NaN for all else. */
function numberOf(node: Node, loop: Node): number {
  if (node.type === 'integer') return Number(node.text);
  const given = scopeOf(loop)
    .descendantsOfType('assignment')
    .find((assignment) => assignment.childForFieldName('left')?.text === node.text);
  const value = given?.childForFieldName('right');
  return node.type === 'identifier' && value?.type === 'integer' && isSteady(loop, node)
    ? Number(value.text)
    : Number.NaN;
}

/** Whether a name keeps its value in a function: it is a number, a parameter, or was given a value once. */
function isSteady(loop: Node, size: Node): boolean {
  const scope = scopeOf(loop);
  const names = namesIn(size);
  const values = scope
    .descendantsOfType(['assignment', 'augmented_assignment', 'for_statement', 'named_expression', 'global_statement'])
    .filter((node) => {
      const target = node.childForFieldName('left') ?? node.childForFieldName('name') ?? node;
      return (target.type === 'identifier' ? [target.text] : namesIn(target)).some((name) => names.includes(name));
    });
  const isParameter =
    scope.childForFieldName('parameters')?.namedChildren.some(({ text }) => text === size.text) === true;
  return size.type === 'integer' || values.length + (isParameter ? 1 : 0) === 1;
}

/** Modules and functions whose results are numbers of one type. */
const NUMBER_TYPES = new Set([
  'integer',
  'float',
  'identifier',
  'binary_operator',
  'unary_operator',
  'parenthesized_expression',
  'call',
  'argument_list',
  'attribute',
]);
const FLOATS = /^(math\.(sin|cos|fabs|pi|e)|float)$/;

/** What a loop assigns, as one value: a slice of an array of numpy, or a list of numbers of one type. */
function valuesOf(loop: Node, value: Node, variable: string, range: string): string | undefined {
  if (value.type === 'subscript') {
    const array = value.childForFieldName('value')!;
    const index = value.childrenForFieldName('subscript');
    if (array.type !== 'identifier' || index.length !== 1 || index[0]!.text !== variable) return undefined;
    const size = shapeOf(loop, array.text, makesArray, 0, 'shape');
    return rangeOver(loop, size) === range ? `${array.text}[${range}]` : undefined;
  }
  if (!isNumber(value, loop, variable)) return undefined;
  const head = loop.text.slice(0, loop.childForFieldName('right')!.endIndex - loop.startIndex);
  return `[${value.text} ${head}]`;
}

/** Whether numpy has one of the names under which all import it. */
function hasNumpy({ tree }: Node): boolean {
  return /^\s*import numpy( as np)?\s*$/m.test(tree.rootNode.text);
}

/** Of complex numbers HDF5 takes single ones where it takes no array of them. */
const NUMBERS = /^(int|float|(np|numpy)\.(float|int|uint)\d*|["'][<>=]?[fiu]\d*["'])$/;

/** `numpy.zeros(n)` and its kin, of numbers: vectors of n elements. */
function makesArray(call: Node): boolean {
  const keywords = keywordsOf(call);
  const type = keywords.get('dtype')?.childForFieldName('value')?.text ?? 'float';
  const isPlain = operandsOf(call).length === 1 && !keywords.has('like') && NUMBERS.test(type);
  return isPlain && hasNumpy(call) && /^(np|numpy)\.(zeros|ones|empty|arange)$/.test(calleeOf(call));
}

/** Whether an expression is a number of the same type in every turn: made of numbers, the loop's variable and functions of `math`. */
function isNumber(value: Node, loop: Node, variable: string): boolean {
  return allNamed(value).every((part) => {
    if (!NUMBER_TYPES.has(part.type)) return false;
    if (part.type === 'integer') return Math.abs(Number(part.text)) < 2 ** 31;
    if (part.type === 'binary_operator') return isSound(part);
    if (part.type === 'call') return FLOATS.test(calleeOf(part)) && !boundNames(scopeOf(loop)).has('math');
    if (part.type !== 'identifier') return true;
    return part.text === variable || isPartOfCall(part) || isFloat(part.text, loop);
  });
}

/** Whether an operation fails in no turn. */
function isSound(operation: Node): boolean {
  const operator = operation.childForFieldName('operator')?.text ?? '';
  return (
    ['+', '-', '*'].includes(operator) || (operator === '/' && Number(operation.childForFieldName('right')!.text) > 0)
  );
}

function isPartOfCall(name: Node): boolean {
  const { parent } = name;
  return parent?.type === 'attribute' ? FLOATS.test(parent.text) : parent?.type === 'call' && name.text === 'float';
}

function allNamed(node: Node): Node[] {
  return [node, ...node.namedChildren.flatMap((child) => allNamed(child))];
}

/** A name that has one number as its value. */
function isFloat(name: string, loop: Node): boolean {
  const given = scopeOf(loop)
    .descendantsOfType(['assignment', 'augmented_assignment'])
    .filter((node) => node.childForFieldName('left')?.text === name);
  return given.length === 1 && ['float', 'integer'].includes(given[0]!.childForFieldName('right')?.type ?? '');
}

/** `for row in array: row.tofile(file)`: the array at once has the same bytes, as it is written in the order of its rows. */
export function writeRowsAtOnce(request: FixRequest, { main: source, all }: FixSources): Repair | Refusal | undefined {
  const { loop, statement } = singleLoop(request, source) ?? {};
  const call = statement === undefined ? undefined : soleCall(statement);
  const callee = call?.childForFieldName('function');
  if (loop === undefined || callee?.childForFieldName('attribute')?.text !== 'tofile') return undefined;
  const [file, ...more] = operandsOf(call!);
  const array = rowsOf(loop, callee.childForFieldName('object')!);
  if (file?.type !== 'identifier' || more.length > 0 || keywordsOf(call!).size > 0) return undefined;
  const title = 'Write all rows with one call';
  const note = 'tofile writes an array in the order of its rows: the bytes are the same.';
  const files = openFilesOf(file.text, statement!, all);
  const binary = files?.every(({ call: open }) => /^[wax]b$/.test(plainString(operand(open, 1, 'mode')) ?? ''));
  if (array === undefined || binary !== true || !isUnread(loop, loop.childForFieldName('left')!.text))
    return { title, note, reason: 'that it is an array of numpy and a file of bytes is not seen here' };
  return {
    title,
    note,
    edits: [{ file: source.file, start: loop.startIndex, end: loop.endIndex, text: `${array}.tofile(${file.text})` }],
    method: 'written at once',
    kind: 'repair',
  };
}

/** The array whose rows a loop goes through, all of them: `for row in a`, `a[i]` in `range(len(a))` or `range(a.shape[0])`. */
function rowsOf(loop: Node, row: Node): string | undefined {
  const left = loop.childForFieldName('left')!;
  const right = loop.childForFieldName('right')!;
  const count = countedLoop(loop);
  const array = count === undefined ? right : row.childForFieldName('value');
  if (left.type !== 'identifier' || array?.type !== 'identifier' || array.text === left.text) return undefined;
  if (count === undefined && row.text !== left.text) return undefined;
  if (count !== undefined) {
    const index = row.childrenForFieldName('subscript');
    if (row.type !== 'subscript' || index.length !== 1 || index[0]!.text !== left.text || count.from !== '0')
      return undefined;
    if (![`len(${array.text})`, `${array.text}.shape[0]`].includes(count.to.text)) return undefined;
  }
  return isArray(loop, array.text) ? array.text : undefined;
}

/** Whether a name is an array of numpy for certain: it was made as one, once, in this function. */
function isArray(loop: Node, name: string): boolean {
  const scope = scopeOf(loop);
  const isParameter = scope.descendantsOfType('parameters').some((list) => namesIn(list).includes(name));
  const made = scope.descendantsOfType('assignment').filter((node) => node.childForFieldName('left')?.text === name);
  const call = made[0]?.childForFieldName('right');
  const others = [
    ...scope.descendantsOfType(['for_statement', 'as_pattern_target', 'named_expression', 'global_statement']),
  ];
  const isOther = others.some((node) =>
    namesIn(node.childForFieldName('left') ?? node.childForFieldName('name') ?? node).includes(name),
  );
  if (isParameter || isOther || made.length !== 1 || made[0]!.startIndex > loop.startIndex) return false;
  return call?.type === 'call' && isMade(call);
}

/** `np.arange(6.0).reshape(2, 3)` as well. */
function isMade(call: Node): boolean {
  const callee = call.childForFieldName('function')!;
  const object = callee.childForFieldName('object');
  if (object?.type === 'call')
    return ['reshape', 'astype', 'copy'].includes(callee.childForFieldName('attribute')!.text) && isMade(object);
  return (
    makesArray(call) || (hasNumpy(call) && /^(np|numpy)\.(full|linspace|random\.(rand|random))$/.test(calleeOf(call)))
  );
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
