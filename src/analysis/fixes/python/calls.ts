import type { Node } from 'web-tree-sitter';
import type { ParsedSource } from '../c/syntax.ts';
import { nodesOf } from '../tree-nodes.ts';
import { boundNames, calleeOf, keywordsOf, namesIn, operandsOf, plainString, rootName } from './syntax.ts';

/** Which calls in a Python file are known to leave files, processes and signals alone. All others may do anything. */

const BUILTINS = new Set(
  [
    'abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter float format frozenset hex id int',
    'isinstance issubclass iter len list map max memoryview min next oct ord pow print range repr reversed round set slice',
    'sorted str sum tuple type zip super object property ValueError RuntimeError KeyError TypeError SystemExit',
  ].flatMap((names) => names.split(' ')),
);

/** Modules whose functions compute: by full name. */
const COMPUTES =
  /^(math|cmath|random|statistics|itertools|functools|operator|string|struct|decimal|fractions|datetime|json|csv|re|textwrap|copy|collections|array|uuid|hashlib|zlib|base64|bisect|heapq|enum|dataclasses|typing|time|numpy)\./;
const DOES_MORE =
  /\.(sleep|load|save\w*|fromfile|memmap|genfromtxt|loadtxt|tofile|DataSource|open_memmap|frompyfunc|vectorize)$/;
const HARMLESS = /^(os\.path\.(join|basename|dirname|splitext)|os\.(getpid|getcwd|urandom|fsync)|sys\.exit)$/;

/** Methods of strings, collections, arrays, dates and tables; no class of the standard library moves files by these names. */
const METHODS = new Set(
  [
    'format join strip lstrip rstrip split rsplit splitlines encode decode upper lower title startswith endswith find index',
    'count zfill ljust rjust center isdigit hex append extend insert pop popleft appendleft get keys values items update add',
    'discard clear sort reverse copy setdefault tobytes tolist sum mean min max std astype reshape ravel flatten any all dot',
    'round item fill transpose random normal uniform integers isoformat strftime timestamp total_seconds writerow writerows',
    'writeheader write writelines flush close fileno',
  ].flatMap((names) => names.split(' ')),
);

/** What a module can import so that something happens beside, or behind, what stands in the text. */
const BESIDE = new Set(
  [
    'subprocess multiprocessing threading _thread concurrent asyncio signal atexit ctypes cffi mmap socket selectors pty',
    'pexpect sh joblib dask ray trio gevent watchdog importlib runpy builtins mpi4py sched inspect gc weakref',
  ].flatMap((names) => names.split(' ')),
);
const LEAVES =
  /^os\.(system|popen|fork|forkpty|_exit|abort|kill|killpg|exec\w+|spawn\w+|posix_spawn\w*|register_at_fork|dup2?)$/;
const INDIRECT = new Set(['exec', 'eval', 'compile', '__import__', 'globals', 'locals', 'vars', 'setattr']);

/** What the names of a program's files stand for. A name that two files have stands for both. */
export interface ProgramNames {
  readonly roots: readonly Node[];
  /** Modules that are files of the program. */
  readonly modules: ReadonlySet<string>;
  /** `np` → `numpy`, `sleep` → `time.sleep`. */
  readonly imported: ReadonlyMap<string, string>;
  /** What is given a value anywhere in the file, or is a parameter. */
  readonly bound: ReadonlySet<string>;
  /** Functions and methods by name. */
  readonly functions: ReadonlyMap<string, readonly Node[]>;
  readonly classes: ReadonlyMap<string, Node>;
}

const known = new WeakMap<readonly ParsedSource[], ProgramNames>();

export function namesOfProgram(all: readonly ParsedSource[]): ProgramNames {
  const names = known.get(all) ?? findNames(all);
  known.set(all, names);
  return names;
}

function findNames(all: readonly ParsedSource[]): ProgramNames {
  const roots = all.map(({ tree }) => tree.rootNode);
  const modules = new Set(all.map(({ file }) => moduleOf(file)));
  const functions = new Map<string, Node[]>();
  for (const node of roots.flatMap((root) => nodesOf(root, ['function_definition']))) {
    const name = node.childForFieldName('name')!.text;
    functions.set(name, [...(functions.get(name) ?? []), node]);
  }
  const classes = roots
    .flatMap((root) => nodesOf(root, ['class_definition']))
    .map((node) => [node.childForFieldName('name')!.text, node] as const);
  const bound = new Set(roots.flatMap((root) => [...boundNames(root)]));
  for (const parameters of roots.flatMap((root) => nodesOf(root, ['parameters', 'lambda_parameters'])))
    for (const name of parameters.descendantsOfType('identifier')) bound.add(name.text);
  for (const name of [...functions.keys(), ...classes.map(([own]) => own)]) bound.delete(name);
  const imported = new Map<string, string>();
  // What two files import by one name is neither.
  for (const [name, full] of roots.flatMap((root) => [...importsOf(root, modules, functions, classes)]))
    imported.set(name, (imported.get(name) ?? full) === full ? full : '?');
  return { roots, modules, imported, bound, functions, classes: new Map(classes) };
}

/** `writer` of `/x/writer.py`, the package of `/x/writer/__init__.py`. */
function moduleOf(file: string): string {
  const [name, folder] = file.replace(/\.py$/, '').split('/').reverse();
  return name === '__init__' ? (folder ?? '') : name!;
}

/** Functions and classes of the program's own modules are known by themselves, unless they get another name. */
function importsOf(
  root: Node,
  modules: ReadonlySet<string>,
  functions: ReadonlyMap<string, unknown>,
  classes: readonly (readonly [string, Node])[],
): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of nodesOf(root, ['import_statement', 'import_from_statement'])) {
    const from = statement.childForFieldName('module_name')?.text;
    const isOwn = from !== undefined && modules.has(from.split('.').at(-1)!);
    if (statement.descendantsOfType('wildcard_import').length > 0) found.set('*', `${from}.*`);
    for (const name of statement.childrenForFieldName('name')) {
      const full = name.type === 'aliased_import' ? name.childForFieldName('name')!.text : name.text;
      const known = name.childForFieldName('alias')?.text;
      const isDefined = functions.has(full) || classes.some(([own]) => own === full);
      if (isOwn && known === undefined && isDefined) continue;
      if (from !== undefined) found.set(known ?? full, `${from}.${full}`);
      else if (known === undefined) found.set(full.split('.')[0]!, full.split('.')[0]!);
      else found.set(known, full);
    }
  }
  return found;
}

/** What a file does beside the code in question, in a few words; undefined where nothing can happen beside it. */
export function happensBeside({ roots, imported, bound }: ProgramNames): string | undefined {
  const modules = [...imported.values()].map((full) => full.split('.')[0]!);
  if (imported.size > 0 && modules.includes('?')) return 'a name means another thing in another file';
  const beside = modules.find((name) => BESIDE.has(name));
  if (beside !== undefined) return `${beside} is used in the program`;
  if (imported.has('*')) return 'names come from import *';
  if (bound.has('open') || imported.has('open')) return 'open is a name of its own here';
  for (const call of roots.flatMap((root) => nodesOf(root, ['call']))) {
    const callee = fullName(call, imported);
    if (LEAVES.test(callee) || INDIRECT.has(callee)) return `${callee} is used in the program`;
  }
  return undefined;
}

/** The name of what is called, with its module where it was imported. */
export function fullName(call: Node, imported: ProgramNames['imported']): string {
  const callee = calleeOf(call);
  const [first, ...rest] = callee.split('.');
  return [imported.get(first!) ?? first, ...rest].join('.');
}

/**
 * The first call in a piece of code that may do more than compute, or write to files that it was given.
 * @param own calls of `open` that are known: others must open other files
 */
export function unknownCall(code: Node, names: ProgramNames, own: readonly Node[]): Node | undefined {
  const unknown = code
    .descendantsOfType('call')
    .find((call) => !own.some(({ id }) => id === call.id) && !(isKnown(call, names, own) && takesKnown(call, names)));
  return unknown ?? unknownTurns(code, names, own);
}

/** What calls a function that it is given. */
const CALLS_BACK = /^(map|filter|sorted|min|max|functools\.\w+|itertools\.\w+)$/;

/** Whether no operand is a function that may do more: it is called where its name does not stand. */
function takesKnown(call: Node, names: ProgramNames): boolean {
  const operands = [...operandsOf(call), ...keywordsOf(call).values()];
  const callsBack = CALLS_BACK.test(fullName(call, names.imported));
  return operands.every(({ type, text }) => {
    if (type !== 'identifier') return !callsBack || type !== 'attribute';
    const imported = names.imported.get(text);
    if (imported !== undefined && !names.bound.has(text)) return isHarmless(imported);
    return !callsBack || isContainer(text, names) || names.functions.has(text) || BUILTINS.has(text);
  });
}

/** What a loop goes through and may do anything at each turn: a generator that somebody hands in, say. */
function unknownTurns(code: Node, names: ProgramNames, own: readonly Node[]): Node | undefined {
  const heads = code
    .descendantsOfType(['for_statement', 'for_in_clause'])
    .map((loop) => loop.childForFieldName('right')!);
  return heads.find((head) => {
    if (head.type === 'call') return !isKnown(head, names, own);
    return !VALUES.has(head.type) && !(head.type === 'identifier' && isContainer(head.text, names));
  });
}

const VALUES = new Set(
  'list tuple set dictionary string list_comprehension set_comprehension dictionary_comprehension'.split(' '),
);

/** Whether a name stands for a collection wherever it gets a value. */
function isContainer(name: string, names: ProgramNames): boolean {
  const { roots, imported } = names;
  const assigned = [
    ...roots
      .flatMap((root) => nodesOf(root, ['assignment']))
      .filter((assignment) => assignment.childForFieldName('left')?.text === name)
      .map((assignment) => assignment.childForFieldName('right')),
    ...givenAs(name, names),
  ];
  return (
    assigned.length > 0 &&
    assigned.every((value) => {
      if (value === null || VALUES.has(value.type)) return value !== null;
      return value.type === 'call' && /^(list|tuple|set|dict|sorted|range|numpy\.\w+)$/.test(fullName(value, imported));
    })
  );
}

/** What the calls of this file give for a parameter; null where one may give anything. */
function givenAs(name: string, { roots, functions }: ProgramNames): (Node | null)[] {
  const lambdas = roots.flatMap((root) => nodesOf(root, ['lambda_parameters']));
  if (lambdas.some((list) => namesIn(list).includes(name))) return [null];
  return [...functions].flatMap(([called, definitions]) =>
    definitions.flatMap((definition) => {
      const parameters = definition.childForFieldName('parameters')!.namedChildren;
      const place = parameters.findIndex((parameter) => namesIn(parameter).includes(name));
      if (place < 0) return [];
      const calls = roots
        .flatMap((root) => nodesOf(root, ['call']))
        .filter((call) => calleeOf(call).split('.').at(-1) === called);
      const isPlain = parameters[place]!.type === 'identifier' && calls.length > 0;
      return isPlain ? calls.map((call) => operandsOf(call)[place] ?? null) : [null];
    }),
  );
}

function isKnown(call: Node, names: ProgramNames, own: readonly Node[]): boolean {
  const callee = call.childForFieldName('function')!;
  if (keywordsOf(call).has('flush')) return false;
  if (callee.type === 'identifier') {
    const name = callee.text;
    if (name === 'open') return own.every((known) => opensAnother(call, known));
    if (names.bound.has(name)) return false;
    const imported = names.imported.get(name);
    if (imported !== undefined) return isHarmless(imported);
    return names.functions.has(name) || isOwn(names.classes.get(name), names) || BUILTINS.has(name);
  }
  const object = callee.childForFieldName('object');
  const method = callee.childForFieldName('attribute')?.text;
  if (callee.type !== 'attribute' || object === null || method === undefined) return false;
  if (names.imported.has(rootName(object)) && !names.bound.has(rootName(object))) {
    // `writer.write_record(…)`, with `import writer`.
    const isOwn = names.modules.has(object.text) && names.imported.get(object.text) === object.text;
    return isOwn ? names.functions.has(method) : isHarmless(fullName(call, names.imported));
  }
  if (names.functions.has(method)) return hasMethod(object, method, names);
  // `str.replace` has two operands, a path's one: that renames.
  return method === 'replace' ? operandsOf(call).length > 1 : METHODS.has(method);
}

/** Whether a class has nothing of classes that are not in this file. */
function isOwn(definition: Node | undefined, names: ProgramNames): boolean {
  const bases = definition?.childForFieldName('superclasses')?.namedChildren ?? [];
  return definition !== undefined && bases.every(({ text }) => text === 'object' || names.classes.has(text));
}

function isHarmless(full: string): boolean {
  return HARMLESS.test(full) || (COMPUTES.test(full) && !DOES_MORE.test(full));
}

/** Whether two opens name different files for certain. */
function opensAnother(call: Node, known: Node): boolean {
  const [one, other] = [call, known].map((open) => plainString(operandsOf(open)[0])?.split('/').at(-1));
  return one !== undefined && other !== undefined && one !== other;
}

/** Whether an object is of a class of this file, by itself or as it was made, which defines the method. */
function hasMethod(object: Node, method: string, { roots, classes, functions }: ProgramNames): boolean {
  const defines = (definition: Node | undefined): boolean =>
    definition !== undefined && functions.get(method)!.some((one) => one.parent?.parent?.id === definition.id);
  if (object.text === 'self') {
    for (let at = object.parent; at !== null; at = at.parent) if (at.type === 'class_definition') return defines(at);
  }
  const made = roots
    .flatMap((root) => nodesOf(root, ['assignment']))
    .filter((assignment) => assignment.childForFieldName('left')?.text === object.text);
  const value = made[0]?.childForFieldName('right');
  return object.type === 'identifier' && made.length === 1 && value?.type === 'call'
    ? defines(classes.get(calleeOf(value)))
    : false;
}

/**
 * Everything that may run while a piece of code does: functions of the file that it names, by way of others too, and what
 * runs without being called by its name (generators, operators, properties, lambdas).
 */
export function runsWith(code: readonly Node[], { roots, functions }: ProgramNames): Node[] {
  const unnamed = [...functions.values()]
    .flat()
    .filter(
      (definition) =>
        /^__\w+__$/.test(definition.childForFieldName('name')!.text) ||
        definition.parent?.type === 'decorated_definition' ||
        definition.descendantsOfType('yield').length > 0,
    );
  const all = [...code, ...unnamed, ...roots.flatMap((root) => nodesOf(root, ['lambda', 'generator_expression']))];
  const known = new Set(all.map(({ id }) => id));
  for (let next = 0; next < all.length; next++) {
    for (const { text } of all[next]!.descendantsOfType('identifier')) {
      for (const definition of functions.get(text) ?? []) {
        if (known.has(definition.id)) continue;
        known.add(definition.id);
        all.push(definition);
      }
    }
  }
  return all;
}
