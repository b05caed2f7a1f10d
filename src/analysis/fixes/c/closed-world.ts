import type { Node } from 'web-tree-sitter';
import { identifiersIn } from './declarations.ts';
import { callsOf, enclosingFunction, functionName, LOOPS, loopBetween, type ParsedSource } from './syntax.ts';
import type { FixLanguage } from '../fix.ts';

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

export function isClosedWorld(
  all: readonly ParsedSource[],
  language: FixLanguage,
  alsoKnown: readonly string[] = [],
): boolean {
  const defined = new Set([...alsoKnown, ...all.flatMap(definedNames)]);
  const isKnown = (name: string): boolean => KNOWN_FUNCTIONS.has(name) || defined.has(name);
  if (!defined.has('main') || all.some(({ tree }) => tree.rootNode.hasError)) return false;
  return all.every(({ tree, text }) => {
    const root = tree.rootNode;
    // A pointer to a function may have the name of one that is known.
    if (/\(\s*\*\s*\w+\s*(\[[^\]]*\]\s*)?\)\s*\(/.test(text)) return false;
    if (/#\s*pragma\s+omp|\b(virtual|std::function)\b/.test(text)) return false;
    // An operator that is only declared here does what another file says.
    if (/\boperator\s*[^\s\w(]+\s*\([^;{}]*\)[^;{}]*;/.test(text)) return false;
    return (
      root.descendantsOfType(REFUSED_CODE).length === 0 &&
      root.descendantsOfType('call_expression').every((call) => isKnownCall(call, isKnown, defined, language)) &&
      macroCalls(root).every(isKnown) &&
      root.descendantsOfType(LOOPS.slice()).every(canEnd) &&
      includesAreGiven(root, all) &&
      (language === 'c' || typesAreKnown(root, defined))
    );
  });
}

/** Functions, classes, types and template parameters of a source. */
function definedNames({ tree }: ParsedSource): string[] {
  const root = tree.rootNode;
  const functions = root.descendantsOfType('function_definition').map((node) => functionName(node).split('::').at(-1)!);
  const types = root
    .descendantsOfType([
      'class_specifier',
      'struct_specifier',
      'union_specifier',
      'enum_specifier',
      'alias_declaration',
    ])
    .map((node) => node.childForFieldName('name')?.text ?? '');
  const others = root
    .descendantsOfType(['type_definition', 'type_parameter_declaration'])
    .flatMap((node) => node.descendantsOfType('type_identifier').map(({ text }) => text));
  return [...functions, ...types, ...others];
}

function isKnownCall(
  call: Node,
  isKnown: (name: string) => boolean,
  defined: ReadonlySet<string>,
  language: FixLanguage,
): boolean {
  const callee = call.childForFieldName('function');
  if (callee === null) return false;
  if (callee.type === 'field_expression') {
    const name = callee.childForFieldName('field')?.text ?? '';
    return language === 'cpp' && (KNOWN_METHODS.has(name) || defined.has(name));
  }
  if (!['identifier', 'qualified_identifier', 'template_function', 'primitive_type'].includes(callee.type))
    return false;
  const path = callee.text.replaceAll(/<[^]*>/g, '').split('::');
  const isOwn = path.length === 1 || path[0] === '' || path[0] === 'std' || defined.has(path[0]!);
  return isOwn && (callee.type === 'primitive_type' || isKnown(path.at(-1)!));
}

function macroCalls(root: Node): string[] {
  return root
    .descendantsOfType(['preproc_def', 'preproc_function_def'])
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

function includesAreGiven(root: Node, all: readonly ParsedSource[]): boolean {
  return root.descendantsOfType('preproc_include').every((include) => {
    const path = include.childForFieldName('path')?.text ?? '';
    const name = path.replaceAll('"', '').split('/').at(-1);
    return path.startsWith('<') || all.some(({ file }) => file.split('/').at(-1) === name);
  });
}

function typesAreKnown(root: Node, defined: ReadonlySet<string>): boolean {
  return root.descendantsOfType('type_identifier').every(({ text }) => KNOWN_TYPES.has(text) || defined.has(text));
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
    .flatMap((root) => root.descendantsOfType('function_declarator'))
    .filter((node) => node.childForFieldName('declarator')?.text === name).length;
  return calls.length === 1 && mentioned === declared + 1 && runsOnce(calls[0]!.node, all, depth - 1);
}

/** Whether a function calls another, also by way of others. */
export function reaches(from: Node, name: string, all: readonly ParsedSource[]): boolean {
  const definitions = all.flatMap(({ tree }) => tree.rootNode.descendantsOfType('function_definition'));
  const waiting = [from];
  // Grows while it is walked through.
  for (const scope of waiting)
    for (const callee of scope.descendantsOfType('call_expression').map((call) => call.childForFieldName('function'))) {
      if (callee?.text === name) return true;
      const next = definitions.find((one) => functionName(one) === callee?.text);
      if (next !== undefined && !waiting.some(({ id }) => id === next.id)) waiting.push(next);
    }
  return false;
}
