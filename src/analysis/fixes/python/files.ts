import type { Node } from 'web-tree-sitter';
import { ancestorOfType, type ParsedSource } from '../c/syntax.ts';
import type { FixRequest } from '../fix.ts';
import { fullName, happensBeside, namesOfProgram, runsWith, unknownCall, type ProgramNames } from './calls.ts';
import { touchesElsewhere } from '../recorded-touch.ts';
import { nodesOf } from '../tree-nodes.ts';
import { calleeOf, keywordsOf, namesIn, operandsOf, plainString, scopeOf, soleCall, statementsOf } from './syntax.ts';

/** Where a file is open, and whether anything there may see how far it is written. */

export interface OpenFile {
  /** `open(…)` */
  readonly call: Node;
  /** What runs while it is open: the body of its `with`, or the statements up to its `close`. */
  readonly region: readonly Node[];
  readonly name: string;
}

const PLAIN = new Set(['file', 'mode', 'buffering', 'encoding', 'errors', 'newline']);

const NAMES = /^(str|os\.path\.join|(pathlib\.)?Path)$/;

/** Whether an open goes to a device, to a descriptor that others have, or through a function of its own. */
function isSpecial(open: Node): boolean {
  const path = operandsOf(open)[0];
  const isDevice =
    path?.type === 'integer' ||
    (path?.type === 'call' && !NAMES.test(calleeOf(path))) ||
    /^\/(dev|proc|sys)\//.test(plainString(path) ?? '');
  return isDevice || [...keywordsOf(open).keys()].some((name) => !PLAIN.has(name));
}

/** The files that a name can stand for at a place; undefined where that is not known for certain. */
export function openFilesOf(name: string, at: Node, all: readonly ParsedSource[], depth = 0): OpenFile[] | undefined {
  const root = at.tree.rootNode;
  const isShared = root
    .descendantsOfType(['global_statement', 'nonlocal_statement'])
    .some((statement) => statement.namedChildren.some(({ text }) => text === name));
  if (isShared || depth > 4) return undefined;
  const around = withAround(name, at);
  if (around !== undefined) return bindings(around.region, name).length === 1 ? [around] : undefined;
  const scope = scopeOf(at);
  const bound = bindings([scope], name).filter((node) => scopeOf(node).id === scope.id);
  if (bound.length === 1) return assignedFile(bound[0]!, name, at);
  if (bound.length > 1) return undefined;
  if (scope.type !== 'function_definition') return undefined;
  if (parametersOf(scope).includes(name)) return passedFiles(scope, name, all, depth);
  return fileOfModule(name, root);
}

/** The `with` around a place that opened a name. */
function withAround(name: string, at: Node): OpenFile | undefined {
  const scope = scopeOf(at);
  for (let node = at.parent; node !== null && node.id !== scope.id; node = node.parent) {
    if (node.type !== 'with_statement') continue;
    const file = fileOfWith(node, name);
    if (file !== undefined) return file;
  }
  return undefined;
}

function fileOfWith(statement: Node, name: string): OpenFile | undefined {
  const clause = statement.namedChildren.find(({ type }) => type === 'with_clause');
  for (const item of clause?.descendantsOfType('as_pattern') ?? []) {
    const [call] = item.namedChildren;
    if (item.descendantsOfType('as_pattern_target')[0]?.text !== name || !isOpen(call)) continue;
    return { call: call!, region: [clause!, statement.childForFieldName('body')!], name };
  }
  return undefined;
}

function isOpen(node: Node | undefined | null): boolean {
  return node?.type === 'call' && calleeOf(node) === 'open';
}

/** What gives a name a value in some code. */
function bindings(code: readonly Node[], name: string): Node[] {
  const isName = (target: Node | null): boolean =>
    target !== null &&
    (target.text === name || (target.type !== 'attribute' && target.namedChildren.some((child) => isName(child))));
  return code.flatMap((node) =>
    node
      .descendantsOfType([
        ...['assignment', 'augmented_assignment', 'for_statement', 'for_in_clause', 'named_expression'],
        ...['as_pattern', 'delete_statement', 'import_statement', 'import_from_statement', 'except_clause'],
      ])
      .filter((binding) => {
        if (binding.type === 'as_pattern') return binding.descendantsOfType('as_pattern_target')[0]?.text === name;
        if (/^(delete|import|except)/.test(binding.type))
          return binding.namedChildren.some(({ text }) => text.split(/\W+/).includes(name));
        return isName(binding.childForFieldName('left') ?? binding.childForFieldName('name'));
      }),
  );
}

/** `name = open(…)` and `name.close()` in one block, with a place between them, and no way out but by the close. */
function assignedFile(binding: Node, name: string, at: Node | undefined): OpenFile[] | undefined {
  const call = binding.childForFieldName('right');
  const statement = binding.parent;
  if (binding.type !== 'assignment' || !isOpen(call) || statement?.type !== 'expression_statement') return undefined;
  const siblings = statementsOf(statement.parent);
  const start = siblings.findIndex(({ id }) => id === statement.id);
  const end = siblings.findIndex((sibling, i) => {
    const closing = i > start ? soleCall(sibling) : undefined;
    return closing !== undefined && calleeOf(closing) === `${name}.close`;
  });
  if (start < 0 || end < 0) return undefined;
  const region = siblings.slice(start + 1, end);
  const leaves = region.some((node) => node.descendantsOfType(['return_statement', 'raise_statement']).length > 0);
  const isInside =
    at === undefined ||
    region.some(({ startIndex, endIndex }) => at.startIndex >= startIndex && at.endIndex <= endIndex);
  if (leaves || !isInside || ancestorOfType(statement, ['try_statement']) !== null) return undefined;
  return [{ call: call!, region, name }];
}

/** A file that the module opened, used by its name in a function. */
function fileOfModule(name: string, root: Node): OpenFile[] | undefined {
  const bound = bindings([root], name).filter((node) => scopeOf(node).type === 'module');
  const [only] = bound;
  if (only === undefined || bound.length > 1) return undefined;
  if (only.type !== 'as_pattern') return assignedFile(only, name, undefined);
  const file = fileOfWith(ancestorOfType(only, ['with_statement'])!, name);
  return file === undefined ? undefined : [file];
}

function parametersOf(definition: Node): string[] {
  const list = definition.childForFieldName('parameters')?.namedChildren ?? [];
  return list.map((parameter) =>
    parameter.type === 'identifier'
      ? parameter.text
      : (parameter.childForFieldName('name')?.text ?? parameter.namedChildren[0]?.text ?? ''),
  );
}

/** What a script passes to a function of the program: the file that each of its calls hands over. */
function passedFiles(
  definition: Node,
  name: string,
  all: readonly ParsedSource[],
  depth: number,
): OpenFile[] | undefined {
  const roots = all.map(({ tree }) => tree.rootNode);
  const called = definition.childForFieldName('name')!;
  const uses = roots
    .flatMap((root) => nodesOf(root, ['identifier']))
    .filter((use) => use.id !== called.id && use.text === called.text && !isImported(use));
  if (definition.parent?.type !== 'module' || uses.length === 0 || !roots.some(isScript)) return undefined;
  const files: OpenFile[] = [];
  for (const use of uses) {
    const callee = use.parent?.type === 'attribute' ? use.parent : use;
    const call = callee.parent;
    const isCall = call?.type === 'call' && call.childForFieldName('function')?.id === callee.id;
    const given = isCall ? givenFor(call, definition, name) : undefined;
    const found = given?.type === 'identifier' ? openFilesOf(given.text, given, all, depth + 1) : undefined;
    if (found === undefined) return undefined;
    files.push(...found);
  }
  return files;
}

/** `from writer import write_record`, by its own name. */
function isImported(use: Node): boolean {
  return use.parent?.type === 'dotted_name' && use.parent.parent?.type === 'import_from_statement';
}

/** Whether a module does something itself: one that only defines is used by others. */
function isScript(root: Node): boolean {
  return root.namedChildren.some(
    ({ type, namedChildren }) =>
      /^(with|for|while|if|try)_statement$/.test(type) ||
      (type === 'expression_statement' && namedChildren[0]?.type === 'call'),
  );
}

function givenFor(call: Node, definition: Node, name: string): Node | undefined {
  const operands = operandsOf(call);
  if (operands.some(({ type }) => type.includes('splat'))) return undefined;
  const named = keywordsOf(call).get(name)?.childForFieldName('value');
  return named ?? operands[parametersOf(definition).indexOf(name)];
}

/**
 * What may need a file as far as it is written now, in a few words; undefined where nothing does: all that runs while it is
 * open is known, and writes to it by its name only.
 * @param nodes where the file is open, and the names that it has there
 */
export function needsFileNow(
  request: FixRequest,
  files: readonly OpenFile[],
  all: readonly ParsedSource[],
): string | undefined {
  const names = namesOfProgram(all);
  const isUnread = all.some(({ tree }) => tree.rootNode.hasError) ? 'a source cannot be read as a whole' : undefined;
  const beside = touchesElsewhere(request, all) ?? request.unseen ?? isUnread ?? happensBeside(names);
  if (beside !== undefined) return beside;
  const own = files.map(({ call }) => call);
  if (own.some(isSpecial)) return 'the file may be no plain file of its own';
  for (const file of files) {
    const reason = needsFile(file, names, own);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function needsFile({ region, name, call }: OpenFile, names: ProgramNames, own: readonly Node[]): string | undefined {
  const definition = ancestorOfType(call, ['function_definition']);
  if (definition !== null && isSuspended(definition))
    return 'the function is left and entered again while the file is open';
  const all = runsWith(region, names);
  if (all.slice(region.length).some((code) => own.some((open) => isWithin(open, code))))
    return 'the file may be opened a second time';
  for (const code of all) {
    const unknown = unknownCall(code, names, own);
    if (unknown !== undefined) return `${shortName(unknown)}() may need what was written before`;
    const reason = doesMore(code);
    if (reason !== undefined) return reason;
  }
  return isHandedOn(all, name, names) ? 'the file is handed on to other code' : undefined;
}

function isWithin(node: Node, outer: Node): boolean {
  return node.tree === outer.tree && node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

function shortName(call: Node): string {
  return calleeOf(call).replaceAll(/\s+/g, ' ').slice(0, 40);
}

function isSuspended(definition: Node): boolean {
  return (
    definition.text.startsWith('async') ||
    definition.descendantsOfType(['yield', 'await']).some((node) => scopeOf(node).id === definition.id)
  );
}

const MISTAKES = /^(Value|Key|Index|Type|ZeroDivision|Attribute)Error$/;

/** What a piece of code does besides calling: it waits for input, handles errors, enters something, imports. */
function doesMore(code: Node): string | undefined {
  if (namesIn(code).includes('stdin')) return 'the program waits for input while the file is open';
  if (code.descendantsOfType(['import_statement', 'import_from_statement', 'await']).length > 0)
    return 'other code is loaded or waited for';
  const handles = code.descendantsOfType('except_clause').some((clause) => {
    const [caught] = clause.namedChildren;
    const kinds = caught?.type === 'as_pattern' ? caught.namedChildren[0] : caught;
    const all = kinds?.type === 'tuple' ? kinds.namedChildren : [kinds];
    return !all.every((kind) => kind !== undefined && MISTAKES.test(kind.text));
  });
  if (handles) return 'errors are handled where they happen';
  const enters = code.descendantsOfType('with_item').some((item) => {
    const [value] = item.namedChildren;
    const entered = value?.type === 'as_pattern' ? value.namedChildren[0] : value;
    return !isOpen(entered);
  });
  return enters ? 'something else is entered with the file open' : undefined;
}

const OF_FILE = new Set('write writelines flush close'.split(' '));
const TAKES_FILE = /^(json\.dump|pickle\.dump|csv\.writer|csv\.DictWriter|numpy\.savetxt|os\.fsync|print)$/;

/** Whether a file gets another name than those that are followed, or is asked for more than to write. */
function isHandedOn(all: readonly Node[], name: string, names: ProgramNames): boolean {
  const known = new Set([name]);
  for (const handle of known) {
    const uses = all.flatMap((code) => code.descendantsOfType('identifier')).filter(({ text }) => text === handle);
    for (const use of uses) {
      const next = followed(use, names);
      if (next === undefined) return true;
      if (next !== '') known.add(next);
    }
  }
  return false;
}

/** The name that a file has next by one of its uses: '' where it is written to or declared; undefined for any other use. */
function followed(use: Node, names: ProgramNames): string | undefined {
  const parent = use.parent!;
  if (parent.type === 'as_pattern_target' || /parameters?$/.test(parent.type)) return '';
  if (parent.type === 'attribute') {
    const method = parent.childForFieldName('attribute')!;
    // The name of another's member.
    if (method.id === use.id) return '';
    const call = parent.parent!;
    return call.type === 'call' && (OF_FILE.has(method.text) || isSynchronised(call)) ? '' : undefined;
  }
  const keyword = parent.type === 'keyword_argument' ? parent.childForFieldName('name')! : undefined;
  if (keyword?.id === use.id) return '';
  const list = keyword === undefined ? parent : parent.parent!;
  const call = list.type === 'argument_list' ? list.parent! : undefined;
  if (call?.type !== 'call') return undefined;
  if (TAKES_FILE.test(fullName(call, names.imported))) return '';
  const definitions = names.functions.get(calleeOf(call).split('.').at(-1)!) ?? [];
  const place = operandsOf(call).findIndex(({ id }) => id === use.id);
  return definitions.length === 1 ? (keyword?.text ?? parametersOf(definitions[0]!)[place]) : undefined;
}

/** `os.fsync(file.fileno())` */
function isSynchronised(call: Node): boolean {
  const user = call.parent?.parent;
  return calleeOf(call).endsWith('.fileno') && user?.type === 'call' && calleeOf(user) === 'os.fsync';
}
