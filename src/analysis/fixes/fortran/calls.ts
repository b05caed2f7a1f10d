import type { Node, Tree } from 'web-tree-sitter';
import { groupBy } from '../../../base/grouping.ts';
import type { ParsedSource } from '../c/syntax.ts';
import type { FixRequest } from '../fix.ts';
import { ancestorOfType } from '../c/syntax.ts';
import { controls, isParameter, literal, lower, unitOf } from './syntax.ts';
import { touchesElsewhere } from '../recorded-touch.ts';

/** What a Fortran file calls, and whether any of it may need what was written so far. All that is not known may. */

const FUNCTIONS = new Set(
  [
    'abs achar acos acosh adjustl adjustr aimag aint all allocated anint any asin asinh associated atan atan2 atanh bit_size btest',
    'ceiling char cmplx conjg cos cosh count cshift dble dim dot_product dprod eoshift epsilon erf erfc exp exponent floor',
    'fraction gamma hypot huge iachar iand ibclr ibits ibset ichar ieor index int ior ishft kind lbound len len_trim log',
    'log10 logical matmul max maxexponent maxloc maxval merge min minexponent minloc minval mod modulo nearest nint norm2',
    'not pack precision present product radix range real repeat reshape scale scan selected_int_kind selected_real_kind shape',
    'sign sin sinh size spacing spread sqrt storage_size sum tan tanh tiny transfer transpose trim ubound unpack verify',
  ].flatMap((names) => names.split(' ')),
);
const SUBROUTINES = new Set(
  'random_number random_seed cpu_time system_clock date_and_time move_alloc get_command_argument'.split(' '),
);
const MODULES = /^(iso_fortran_env|ieee_\w+)$/;
const PROCEDURES = ['subroutine', 'function'];

const KINDS = [
  ...PROCEDURES,
  ...['subroutine_call', 'call_expression', 'module_statement', 'use_statement', 'procedure_statement'],
  ...['open_statement', 'close_statement', 'inquire_statement', 'read_statement', 'write_statement'],
  'variable_declaration',
];
const known = new WeakMap<Tree, ReadonlyMap<string, readonly Node[]>>();

/** What a whole file has of some kinds: a walk through a large file takes long, so there is one for all kinds. */
export function allOf(root: Node, ...kinds: readonly string[]): Node[] {
  let found = known.get(root.tree);
  if (found === undefined) {
    found = groupBy(root.descendantsOfType(KINDS), ({ type }) => type);
    known.set(root.tree, found);
  }
  return kinds.flatMap((kind) => found.get(kind) ?? []);
}

/** The procedures of a file by name; those of an interface block are elsewhere. */
function proceduresOf(root: Node): Map<string, Node[]> {
  const found = new Map<string, Node[]>();
  for (const procedure of allOf(root, ...PROCEDURES)) {
    if (ancestorOfType(procedure, ['interface']) !== null) continue;
    const name = lower(procedure.namedChildren[0]?.childForFieldName('name'));
    found.set(name, [...(found.get(name) ?? []), procedure]);
  }
  return found;
}

/** A piece of code, and the procedures of its file that it calls, by way of others too. */
export function runsWith(code: Node): Node[] {
  const procedures = proceduresOf(code.tree.rootNode);
  const all = [code];
  for (const part of all)
    for (const call of callsIn(part))
      for (const procedure of procedures.get(calleeOf(call)) ?? [])
        if (!all.some(({ id }) => id === procedure.id)) all.push(procedure);
  return all;
}

const CALLS = ['subroutine_call', 'call_expression'];

function callsIn(part: Node): Node[] {
  const root = part.tree.rootNode;
  return part.id === root.id ? allOf(root, ...CALLS) : part.descendantsOfType(CALLS);
}

function calleeOf(call: Node): string {
  return lower(call.childForFieldName('subroutine') ?? call.namedChildren[0]);
}

const FOREIGN =
  /^\s*(!\$|#)|\bbind\s*\(\s*c|\b(sync\s+(all|images|memory)|codimension|equivalence|entry|external)\b|^\s*include\b|\bprocedure\s*\(/im;

/** What a file has besides Fortran of its own, in a few words: threads, images, C, modules and texts of other files. */
export function hasForeignParts({ tree, text }: ParsedSource): string | undefined {
  const part = FOREIGN.exec(text)?.[0].trim();
  if (part !== undefined) return part === '!$' ? 'threads may run this' : `${part} brings in what is not seen here`;
  const root = tree.rootNode;
  const own = new Set(allOf(root, 'module_statement').map((head) => lower(head.namedChildren[0])));
  const used = allOf(root, 'use_statement').map((use) =>
    lower(use.namedChildren.find(({ type }) => type === 'module_name')),
  );
  const other = used.find((name) => !own.has(name) && !MODULES.test(name));
  return other === undefined ? undefined : `the module ${other} is not in this file`;
}

/** The first call of what is neither of the language nor of this file, as `name()`. */
export function unknownCall(parts: readonly Node[]): string | undefined {
  const root = parts[0]!.tree.rootNode;
  const procedures = proceduresOf(root);
  const arrays = arraysOf(root);
  const hasMethods = allOf(root, 'procedure_statement').length > 0;
  for (const call of parts.flatMap(callsIn)) {
    const name = calleeOf(call);
    const isSubroutine = call.type === 'subroutine_call';
    const isKnown = name.includes('%')
      ? !isSubroutine && !hasMethods
      : procedures.has(name) ||
        (isSubroutine ? SUBROUTINES : FUNCTIONS).has(name) ||
        (!isSubroutine && arrays.has(name));
    if (!isKnown) return `${name.replaceAll(/\s+/g, '')}()`;
  }
  return undefined;
}

/** What is declared with dimensions, or as text of which a part can be taken. */
function arraysOf(root: Node): Set<string> {
  const names = new Set<string>();
  for (const declaration of allOf(root, 'variable_declaration')) {
    const isText = lower(declaration.namedChildren[0]).startsWith('character');
    const isArray = declaration.namedChildren.some(
      (child) => child.type === 'type_qualifier' && lower(child).startsWith('dimension'),
    );
    for (const declarator of declaration.childrenForFieldName('declarator')) {
      const sized =
        declarator.type === 'sized_declarator' || declarator.descendantsOfType('sized_declarator').length > 0;
      const named = declarator.type === 'identifier' ? declarator : declarator.descendantsOfType('identifier')[0];
      if (isText || isArray || sized) names.add(lower(named));
    }
  }
  return names;
}

/** The opens that a unit's name can stand for: those of that name, or all where it is passed to a procedure. */
export function opensOf(statement: Node): Node[] {
  const unit = unitOf(statement);
  const all = allOf(statement.tree.rootNode, 'open_statement');
  return unit === '' ? [] : isParameter(statement, unit) ? all : all.filter((open) => unitOf(open) === unit);
}

const TOLD = new Set(['iostat', 'iomsg', 'err', 'id', 'asynchronous']);

/** What may need a unit's records in the file as they are written, in a few words; undefined where nothing does. */
export function needsRecordsNow(request: FixRequest, source: ParsedSource, statement: Node): string | undefined {
  const root = source.tree.rootNode;
  const elsewhere = touchesElsewhere(request) ?? hasForeignParts(source);
  if (elsewhere !== undefined) return elsewhere;
  const opens = opensOf(statement);
  const closes = allOf(root, 'close_statement');
  if (
    !root.namedChildren.some(({ type }) => type === 'program') ||
    opens.length === 0 ||
    closes.length === 0 ||
    opens.some(isDevice)
  )
    return 'where the file is opened and closed is not seen here';
  const unknown = unknownCall([root]);
  if (unknown !== undefined) return `${unknown} may need what was written before`;
  if (allOf(root, 'inquire_statement').length > 0) return 'files are asked for their state here';
  if (allOf(root, 'read_statement').some(waits)) return 'the program waits for input while the file is open';
  const writes = allOf(root, 'write_statement', 'open_statement', 'close_statement');
  const isTold = writes.some((each) => [...controls(each).keys()].some((name) => TOLD.has(name)));
  return isTold ? 'errors are handled where they happen' : undefined;
}

/** Pipes and terminals have no size: what is written there is read at once. */
function isDevice(open: Node): boolean {
  const file = controls(open).get('file');
  return file === undefined || /^\/(dev|proc)\//.test(literal(file) ?? '');
}

/** Whether a read takes its input from a person or another program, again and again. */
function waits(read: Node): boolean {
  const unit = lower(controls(read).get('unit')) || '*';
  return ['*', '5', 'input_unit'].includes(unit) && ancestorOfType(read, ['do_loop', ...PROCEDURES]) !== null;
}
