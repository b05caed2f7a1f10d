import type { Node } from 'web-tree-sitter';
import { isClosedWorld, reaches, runsOnce } from './closed-world.ts';
import { macroValue, declarationsOf, type Declared } from './declarations.ts';
import type { FixSources } from './descriptors.ts';
import { argumentsFor, descriptorOf, reachOf, type Reach } from './holders.ts';
import { isRemovable } from './placement.ts';
import {
  callsOf,
  callsOnLine,
  enclosingFunction,
  functionName,
  indentOf,
  insertAt,
  isPlainDeclaration,
  removeStatement,
  replace,
  stepOf,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair, SourceEdit } from '../fix.ts';

/** Calls on descriptors that change nothing about where a path leads. */
const KNOWN = (
  'open close read write readv writev pread pwrite preadv pwritev lseek ftruncate fsync fdatasync fstat stat dprintf ' +
  'isatty posix_fadvise posix_fallocate mkdir usleep sleep nanosleep getpid _exit abort assert'
).split(' ');
/** Calls after which a path may lead to another file. */
const REPLACES_FILE = 'rename unlink remove symlink chdir'.split(' ');
const FLAGS = /^(O_(RDONLY|WRONLY|RDWR|CREAT|APPEND|CLOEXEC|SYNC|DSYNC)|[\s|()])+$/;

const TITLE = 'Keep the file open';
const NOTE =
  'The file is opened with the first use and closed when the program ends. Not for files that another program removes or replaces meanwhile.';

/** The open of a function, or of a loop's body, is made once: the descriptor stays from one use to the next. */
export function openOnce(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main } = sources;
  const [onLine] = callsOnLine(main, request.place.line, ['open', 'close']);
  const scope = onLine === undefined ? null : enclosingFunction(onLine.node);
  if (scope?.type !== 'function_definition') return undefined;
  const opens = callsOf(scope, new Set(['open']));
  const open = opens.find(
    ({ node }) => node.id === onLine!.node.id || variableOf(node)?.text === onLine!.operands[0]?.text,
  );
  const declaration = open?.node.parent?.parent;
  const variable = open === undefined ? undefined : variableOf(open.node);
  if (open === undefined || open.operands.length < 2) return undefined;
  if (variable?.type !== 'identifier' || !isPlainDeclaration(declaration)) return undefined;
  // Of two variables of one name nobody knows here which is closed.
  if (opens.length > 1 && declarationsOf(variable.text, variable, sources.all).length > 1) return undefined;
  const reason = whyNot(request, sources, open, variable);
  if (reason !== undefined) return { title: TITLE, note: NOTE, reason };
  const indent = indentOf(main, declaration);
  const step = stepOf(main, indent);
  const name = variable.text;
  // What is appended goes to the end anyway; all else begins at the start of the file with each open.
  const again = /\bO_APPEND\b/.test(open.operands[1]!.text)
    ? ''
    : `\n${indent}else\n${indent}${step}lseek(${name}, 0, SEEK_SET);`;
  return {
    title: `${TITLE} (a file that another program removes or replaces meanwhile is not noticed)`,
    note: NOTE,
    edits: [
      {
        file: main.file,
        start: declaration.startIndex,
        end: variable.startIndex,
        text: `static int ${name} = -1;\n${indent}if (${name} < 0)\n${indent}${step}`,
      },
      ...(again === '' ? [] : [insertAt(main, declaration.endIndex, again)]),
      ...callsOf(scope, new Set(['close']))
        .filter(({ operands }) => opens.length === 1 || operands[0]?.text === name)
        .map((close) => keepOpen(main, close)),
    ],
    method: 'opened once',
    kind: 'trade',
  };
}

function variableOf(open: Node): Node | undefined {
  return open.parent?.childForFieldName('declarator') ?? undefined;
}

/** A close that nobody asks goes; another tells the errors that it told before, by a second descriptor. */
function keepOpen(main: ParsedSource, { node, operands }: FunctionCall): SourceEdit {
  const statement = node.parent;
  return statement?.type === 'expression_statement' && isRemovable(statement)
    ? removeStatement(main, statement)
    : replace(main, operands[0]!, `dup(${operands[0]!.text})`);
}

function whyNot(request: FixRequest, sources: FixSources, open: FunctionCall, variable: Node): string | undefined {
  const { all } = sources;
  const reach = reachOf(request, sources);
  if (request.threaded || !isClosedWorld(request, all, [...KNOWN, ...REPLACES_FILE]))
    return 'a thread, a handler, a child or unknown code may use or replace the file';
  const [path, flags] = open.operands;
  const scope = enclosingFunction(open.node)!;
  if (!FLAGS.test(flags!.text)) return 'each open may empty the file, or make a new one';
  const descriptor = descriptorOf(reach, variable);
  const closes = descriptor?.uses.filter(({ name }) => name === 'close') ?? [];
  if (closes.length === 0 || closes.some(({ node }) => enclosingFunction(node)?.id !== scope.id))
    return 'the descriptor is used or closed elsewhere';
  if (!isClosedWithin(request, scope) || reaches(scope, functionName(scope), all) || closesByNumber(all))
    return 'the file is used or closed elsewhere in between';
  if (!isAlwaysSame(reach, path!)) return 'the name of the file varies';
  return mayBeReplaced(all, scope, open.node) ? 'the file is removed or replaced in between' : undefined;
}

/** Whether the recording saw the file closed nowhere but in the function. */
function isClosedWithin(request: FixRequest, scope: Node): boolean {
  const { startPosition, endPosition } = scope;
  return request.closedAt.every(
    ({ file, line }) => file === request.place.file && line > startPosition.row && line <= endPosition.row + 1,
  );
}

/** `for (fd = 3; fd < 99; fd++) close(fd);` closes what is kept as well. */
function closesByNumber(all: readonly ParsedSource[]): boolean {
  return all.some(({ tree }) =>
    callsOf(tree.rootNode, new Set(['close'])).some(({ node, operands }) =>
      enclosingFunction(node)
        ?.descendantsOfType('update_expression')
        .some((update) => update.childForFieldName('argument')?.text === operands[0]?.text),
    ),
  );
}

/** Whether a path is the same text in the whole run. */
export function isAlwaysSame(reach: Reach, path: Node, depth = 4): boolean {
  const { all } = reach;
  // What such a file has may be made with its opening.
  if (path.type === 'string_literal') return !/^"\/(dev|proc|sys)\//.test(path.text);
  if (path.type === 'subscript_expression') return /^argv ?\[\d+\]$/.test(path.text);
  if (path.type === 'conditional_expression')
    return (
      runsOnce(path, all) &&
      ['consequence', 'alternative'].every((field) => isAlwaysSame(reach, path.childForFieldName(field)!, depth))
    );
  // A name that stands where a type could.
  if (!['identifier', 'type_identifier'].includes(path.type) || depth === 0) return false;
  const macro = macroValue(path.text, all);
  if (macro !== undefined) return /^"[^"]*"$/.test(macro);
  const [declared, ...more] = declarationsOf(path.text, path, all);
  if (declared === undefined || more.length > 0) return false;
  if (declared.name.parent?.type === 'array_declarator')
    return isConstantText(declared) || isPrintedAlike(reach, path, depth);
  if (isChanged(path.text, all, declared)) return false;
  const { holder, value } = declared;
  const scope = enclosingFunction(holder);
  if (holder.type === 'parameter_declaration') {
    const given = scope === null ? undefined : argumentsFor(reach, scope, holder);
    return given?.length === 1 && isAlwaysSame(reach, given[0]!, depth - 1);
  }
  return value !== null && isAlwaysSame(reach, value, depth - 1);
}

/** `static const char path[] = "run.log";` */
function isConstantText({ holder, value, depth }: Declared): boolean {
  const isConstant = /^(static\s+)?(const\s+char|char\s+const)\b/.test(holder.text);
  return isConstant && depth === 1 && value?.type === 'string_literal' && !/^"\/(dev|proc|sys)\//.test(value.text);
}

/** `snprintf(path, sizeof path, "%s/log", folder)` in front of the open, and nothing else that changes the array. */
function isPrintedAlike(reach: Reach, path: Node, depth: number): boolean {
  const scope = enclosingFunction(path)!;
  const prints = callsOf(scope, new Set(['snprintf'])).filter(({ operands }) => operands[0]?.text === path.text);
  const uses = scope.descendantsOfType('identifier').filter(({ text }) => text === path.text);
  const [print, ...more] = prints;
  if (print === undefined || more.length > 0 || print.node.startIndex > path.startIndex) return false;
  const inPlace = uses.filter(
    (use) =>
      use.id === path.id ||
      use.id === print.operands[0]!.id ||
      use.parent?.type === 'sizeof_expression' ||
      use.parent?.type === 'array_declarator',
  );
  const [, , format, ...values] = print.operands;
  if (inPlace.length < uses.length || print.node.parent?.type !== 'expression_statement') return false;
  if (print.node.parent.parent?.id !== scope.childForFieldName('body')?.id) return false;
  return format?.type === 'string_literal' && values.every((value) => isAlwaysSame(reach, value, depth - 1));
}

/** Whether a variable is more than a name for a constant text, or is given another value. */
function isChanged(name: string, all: readonly ParsedSource[], declared: Declared): boolean {
  const { holder, depth, isReference } = declared;
  if (!/^(static )?(const char|char const)\b/.test(holder.text) || depth !== 1 || isReference) return true;
  const roots =
    enclosingFunction(holder) === null ? all.map(({ tree }) => tree.rootNode) : [enclosingFunction(holder)!];
  return roots.some((root) =>
    root
      .descendantsOfType(['assignment_expression', 'update_expression', 'pointer_expression'])
      .some((node) =>
        node.type === 'pointer_expression'
          ? node.text === `&${name}`
          : (node.childForFieldName('left') ?? node.childForFieldName('argument'))?.text === name,
      ),
  );
}

/** Whether the file may be removed or replaced between two uses: before the first and behind the last it does no harm. */
export function mayBeReplaced(all: readonly ParsedSource[], scope: Node, open: Node): boolean {
  const roots = all.map(({ tree }) => tree.rootNode);
  const replacing = roots.flatMap((root) => callsOf(root, new Set(REPLACES_FILE))).map(({ node }) => node);
  return replacing.some((call) => {
    const within = enclosingFunction(call);
    if (within === null || !runsOnce(call, all)) return true;
    if (within.descendantsOfType('labeled_statement').length > 0) return true;
    const own = functionName(scope);
    const uses = within.id === scope.id ? [open] : usesIn(within, own, all);
    // Whoever calls the one may call the other before or behind it.
    if (functionName(within) !== 'main' && within.id !== scope.id) return true;
    return uses.some((use) => use.startIndex < call.startIndex) && uses.some((use) => use.startIndex > call.startIndex);
  });
}

/** The calls of a function that lead to another. */
function usesIn(from: Node, name: string, all: readonly ParsedSource[]): Node[] {
  const definitions = all.flatMap(({ tree }) => tree.rootNode.descendantsOfType('function_definition'));
  return from.descendantsOfType('call_expression').filter((call) => {
    const callee = call.childForFieldName('function')?.text;
    if (callee === name) return true;
    return definitions.some((one) => functionName(one) === callee && reaches(one, name, all));
  });
}
