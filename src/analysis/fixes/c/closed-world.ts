import type { Node, Tree } from 'web-tree-sitter';
import { identifiersIn } from './declarations.ts';
import { callsOf, enclosingFunction, functionName, LOOPS, loopBetween, type ParsedSource } from './syntax.ts';
import type { FixLanguage, FixRequest } from '../fix.ts';
import { nodesOf } from '../tree-nodes.ts';

/**
 * Whether sources tell all that a program does: it has its `main`, and calls nothing but itself and functions of the
 * language's library that start no process and no thread, end nothing at once, and look at no file behind a stream's back.
 */

const names = (...lists: readonly string[]): Set<string> => new Set(lists.flatMap((list) => list.split(' ')));

const KNOWN_FUNCTIONS = names(
  'printf fprintf puts fputs putchar putc fputc fwrite snprintf sprintf vfprintf vprintf vsnprintf perror',
  'fopen fclose fflush fgets fgetc getc fscanf fread sscanf getline',
  'memcpy memset memmove memcmp strlen strcpy strncpy strcat strncat strcmp strncmp strchr strrchr strstr strdup strtok',
  'strerror malloc calloc realloc free atoi atof atol strtol strtod strtoul rand srand qsort bsearch abs labs exit getenv',
  'sqrt sin cos tan exp log log2 log10 pow fabs floor ceil round fmod fmin fmax atan atan2 hypot cbrt isnan isfinite',
  'isalpha isdigit isspace isalnum isupper islower toupper tolower',
  'time clock clock_gettime gettimeofday localtime gmtime strftime difftime',
  'min max swap sort stable_sort fill iota accumulate for_each transform to_string stoi stol stod setw setprecision',
  'setfill begin end now duration_cast make_pair make_tuple get size flush endl',
);
const KNOWN_METHODS = names(
  'size empty push_back emplace_back pop_back back front begin end cbegin cend data c_str str at clear resize reserve',
  'substr append find insert emplace erase count length first second flush close open is_open put write precision width',
  'setf unsetf fill time_since_epoch',
);
const KNOWN_TYPES = names(
  'FILE size_t ssize_t ptrdiff_t off_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t time_t clock_t va_list',
  'string string_view vector array map unordered_map set unordered_set pair tuple optional deque list ofstream ifstream',
  'ostream istream ios ios_base ostringstream istringstream stringstream exception seconds milliseconds duration',
  'steady_clock system_clock timespec timeval tm',
);
/** What ends a program in another way than by its end, or starts what these functions do not show. */
const REFUSED_CODE = ['new_expression', 'throw_statement', 'gnu_asm_expression', 'co_await_expression'];

/** Whether sources are all of a program, and what it calls is known: of itself, of the library, or of `alsoKnown`. */
export function isClosedWorld(
  { language, unseen }: Pick<FixRequest, 'language' | 'unseen'>,
  all: readonly ParsedSource[],
  alsoKnown: readonly string[] = [],
): boolean {
  if (!isWhole({ unseen }, all)) return false;
  const facts = all.map(factsOf);
  const defined = new Set([...alsoKnown, ...facts.flatMap((one) => one.defined)]);
  const isKnown = (name: string): boolean => KNOWN_FUNCTIONS.has(name) || defined.has(name);
  return facts.every(
    ({ isRefused, callees, called, types }) =>
      !isRefused &&
      callees.every((callee) => isKnownCallee(callee, isKnown, defined, language)) &&
      called.every(isKnown) &&
      (language === 'c' || types.every((type) => KNOWN_TYPES.has(type) || defined.has(type))),
  );
}

/** Whether sources are all of a program: one `main`, all that they include of their own, and nothing that cannot be parsed. */
export function isWhole({ unseen }: { readonly unseen?: string | undefined }, all: readonly ParsedSource[]): boolean {
  if (unseen !== undefined) return false;
  const facts = all.map(factsOf);
  const mains = facts.flatMap(({ defined }) => defined).filter((name) => name === 'main').length;
  const names = new Set(all.map(({ file }) => file.split('/').at(-1)!));
  return mains === 1 && facts.every(({ hasError, includes }) => !hasError && includes.every((name) => names.has(name)));
}

/** What a source has of what decides this. */
interface SourceFacts {
  readonly hasError: boolean;
  /** Functions, classes, types and template parameters. */
  readonly defined: readonly string[];
  readonly callees: readonly Callee[];
  /** What its macros call. */
  readonly called: readonly string[];
  /** Headers in quotes. */
  readonly includes: readonly string[];
  readonly types: readonly string[];
  /** It has what is never known. */
  readonly isRefused: boolean;
}

/** What is called, as far as the type of its node and its text tell. */
interface Callee {
  readonly type: string;
  readonly text: string;
}

const known = new WeakMap<Tree, SourceFacts>();

function factsOf(source: ParsedSource): SourceFacts {
  const facts = known.get(source.tree) ?? findFacts(source);
  known.set(source.tree, facts);
  return facts;
}

function findFacts({ tree, text }: ParsedSource): SourceFacts {
  const root = tree.rootNode;
  const calls = nodesOf(root, ['call_expression']).map((call) => call.childForFieldName('function'));
  const isRefused =
    // A pointer to a function may have the name of one that is known.
    /\(\s*\*\s*\w+\s*(\[[^\]]*\]\s*)?\)\s*\(/.test(text) ||
    /#\s*pragma\s+omp|\b(virtual|std::function)\b/.test(text) ||
    // What the loader runs.
    /(con|de)structor(__)?\s*[(),\]]/.test(text) ||
    // An operator that is only declared here does what another file says.
    /\boperator\s*[^\s\w(]+\s*\([^;{}]*\)[^;{}]*;/.test(text) ||
    nodesOf(root, REFUSED_CODE).length > 0 ||
    !nodesOf(root, LOOPS).every(canEnd) ||
    calls.includes(null);
  return {
    hasError: root.hasError,
    defined: definedNames(root),
    callees: calls.flatMap((callee) => (callee === null ? [] : [calleeOf(callee)])),
    called: macroCalls(root),
    includes: includesOf(root),
    types: nodesOf(root, ['type_identifier'])
      .filter((type) => !isArgument(type))
      .map((type) => type.text),
    isRefused,
  };
}

/** `path` of `std::ofstream log(path, mode);` in a function: by its looks the type of a parameter. */
function isArgument(type: Node): boolean {
  const parameter = type.parent?.type === 'qualified_identifier' ? outermost(type) : type;
  const list = parameter.parent?.type === 'parameter_declaration' ? parameter.parent.parent : null;
  const declaration = list?.parent?.parent;
  return (
    parameter.parent?.namedChildCount === 1 &&
    list?.parent?.type === 'function_declarator' &&
    declaration?.type === 'declaration' &&
    enclosingFunction(declaration) !== null
  );
}

function outermost(name: Node): Node {
  let at = name;
  while (at.parent?.type === 'qualified_identifier') at = at.parent;
  return at;
}

function calleeOf(callee: Node): Callee {
  const isMember = callee.type === 'field_expression';
  return { type: callee.type, text: isMember ? (callee.childForFieldName('field')?.text ?? '') : callee.text };
}

/** Functions, classes, types and template parameters of a source. */
function definedNames(root: Node): string[] {
  const functions = nodesOf(root, ['function_definition']).map((node) => functionName(node).split('::').at(-1)!);
  const types = nodesOf(root, [
    'class_specifier',
    'struct_specifier',
    'union_specifier',
    'enum_specifier',
    'alias_declaration',
  ])
    // `struct stat status;` only names one.
    .filter((node) => node.type === 'alias_declaration' || node.childForFieldName('body') !== null)
    .map((node) => node.childForFieldName('name')?.text ?? '');
  const others = nodesOf(root, ['type_definition', 'type_parameter_declaration']).flatMap((node) =>
    node.descendantsOfType('type_identifier').map(({ text }) => text),
  );
  return [...functions, ...types, ...others];
}

function isKnownCallee(
  { type, text }: Callee,
  isKnown: (name: string) => boolean,
  defined: ReadonlySet<string>,
  language: FixLanguage,
): boolean {
  if (type === 'field_expression') return language === 'cpp' && (KNOWN_METHODS.has(text) || defined.has(text));
  if (!['identifier', 'qualified_identifier', 'template_function', 'primitive_type'].includes(type)) return false;
  const path = text.replaceAll(/<[^]*>/g, '').split('::');
  const isOwn = path.length === 1 || path[0] === '' || path[0] === 'std' || defined.has(path[0]!);
  return isOwn && (type === 'primitive_type' || isKnown(path.at(-1)!));
}

function macroCalls(root: Node): string[] {
  return nodesOf(root, ['preproc_def', 'preproc_function_def'])
    .map((macro) => macro.childForFieldName('value')?.text ?? '')
    .flatMap((value) => [...value.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].map(([, name]) => name!))
    .filter((name) => !/^(if|while|for|switch|sizeof|return|do)$/.test(name));
}

/** What loops for ever is ended from outside, and then loses what its streams hold. */
function canEnd(loop: Node): boolean {
  const condition = loop.childForFieldName('condition')?.text ?? '';
  const isEndless = loop.type === 'for_range_loop' ? false : /^\(?(1|true)?\)?$/.test(condition.trim());
  return !isEndless || loop.descendantsOfType(['break_statement', 'return_statement', 'goto_statement']).length > 0;
}

function includesOf(root: Node): string[] {
  const paths = nodesOf(root, ['preproc_include']).map((node) => node.childForFieldName('path')?.text ?? '');
  return paths.filter((path) => !path.startsWith('<')).map((path) => path.replaceAll('"', '').split('/').at(-1)!);
}

/** Whether a place is reached at most once in a run: in `main` outside of loops, or in what is called once from there. */
export function runsOnce(at: Node, all: readonly ParsedSource[], depth = 4): boolean {
  const scope = enclosingFunction(at);
  if (scope === null) return true;
  if (scope.type !== 'function_definition' || loopBetween(at, scope) || depth === 0) return false;
  const name = functionName(scope);
  if (name === 'main') return true;
  const roots = all.map(({ tree }) => tree.rootNode);
  const calls = roots.flatMap((root) => callsOf(root, new Set([name])));
  const mentioned = roots.flatMap(identifiersIn).filter((text) => text === name).length;
  // Its definition, perhaps its declaration, and the call: a name more may be its address.
  const declared = roots
    .flatMap((root) => nodesOf(root, ['function_declarator']))
    .filter((node) => node.childForFieldName('declarator')?.text === name).length;
  return calls.length === 1 && mentioned === declared + 1 && runsOnce(calls[0]!.node, all, depth - 1);
}

/** Whether a function calls another, also by way of others. */
export function reaches(from: Node, name: string, all: readonly ParsedSource[]): boolean {
  const definitions = all.flatMap(({ tree }) => nodesOf(tree.rootNode, ['function_definition']));
  const waiting = [from];
  // Grows while it is walked through.
  for (const scope of waiting)
    for (const callee of scope.descendantsOfType('call_expression').map((call) => call.childForFieldName('function'))) {
      if (callee?.text === name) return true;
      for (const next of definitions.filter((one) => functionName(one) === callee?.text))
        if (!waiting.some(({ id, tree }) => id === next.id && tree === next.tree)) waiting.push(next);
    }
  return false;
}
