import type { Node, Tree } from 'web-tree-sitter';
import { groupBy } from '../../../base/grouping.ts';
import type { ParsedSource } from '../c/syntax.ts';
import type { FixSources } from '../c/descriptors.ts';
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

/** What whole files have of some kinds: a walk through a large file takes long, so there is one for all kinds. */
export function allOf(all: readonly ParsedSource[], ...kinds: readonly string[]): Node[] {
  return all.flatMap(({ tree }) => {
    const found = known.get(tree) ?? groupBy(tree.rootNode.descendantsOfType(KINDS), ({ type }) => type);
    known.set(tree, found);
    return kinds.flatMap((kind) => found.get(kind) ?? []);
  });
}

/** The procedures of the program by name; those of an interface block are elsewhere. */
function proceduresOf(all: readonly ParsedSource[]): Map<string, Node[]> {
  const found = new Map<string, Node[]>();
  for (const procedure of allOf(all, ...PROCEDURES)) {
    if (ancestorOfType(procedure, ['interface']) !== null) continue;
    const name = lower(procedure.namedChildren[0]?.childForFieldName('name'));
    found.set(name, [...(found.get(name) ?? []), procedure]);
  }
  return found;
}

/** A piece of code, and the procedures of the program that it calls, by way of others too. */
export function runsWith(code: Node, sources: FixSources): Node[] {
  const procedures = proceduresOf(sources.all);
  const parts = [code];
  for (const part of parts)
    for (const call of callsIn(part, sources.all))
      for (const procedure of procedures.get(calleeOf(call)) ?? [])
        if (!parts.some(({ id }) => id === procedure.id)) parts.push(procedure);
  return parts;
}

const CALLS = ['subroutine_call', 'call_expression'];

function callsIn(part: Node, all: readonly ParsedSource[]): Node[] {
  const whole = part.parent === null ? all.find(({ tree }) => tree === part.tree) : undefined;
  return whole === undefined ? part.descendantsOfType(CALLS) : allOf([whole], ...CALLS);
}

function calleeOf(call: Node): string {
  return lower(call.childForFieldName('subroutine') ?? call.namedChildren[0]);
}

const FOREIGN =
  /^\s*(!\$|#)|\bbind\s*\(\s*c|\b(sync\s+(all|images|memory)|codimension|equivalence|entry|external)\b|^\s*include\b|\bprocedure\s*\(/im;

/** What a program has besides Fortran of its own, in a few words: threads, images, C, modules and texts that are not here. */
export function hasForeignParts({ main, all }: FixSources): string | undefined {
  const part = all.map(({ text }) => FOREIGN.exec(text)?.[0].trim()).find((found) => found !== undefined);
  if (part !== undefined) return part === '!$' ? 'threads may run this' : `${part} brings in what is not seen here`;
  if (all.some(({ tree }) => tree !== main.tree && tree.rootNode.hasError)) return 'a source cannot be read as a whole';
  const own = new Set(allOf(all, 'module_statement').map((head) => lower(head.namedChildren[0])));
  const used = allOf(all, 'use_statement').map((use) =>
    lower(use.namedChildren.find(({ type }) => type === 'module_name')),
  );
  const other = used.find((name) => !own.has(name) && !MODULES.test(name));
  return other === undefined ? undefined : `the module ${other} is not among the sources`;
}

/** Whether the sources have the main program, and there is no other. */
export function hasProgram({ all }: FixSources): boolean {
  const mains = all.flatMap(({ tree }) => tree.rootNode.namedChildren.filter(({ type }) => type === 'program'));
  return mains.length === 1;
}

/** The first call of what is neither of the language nor of the program, as `name()`. */
export function unknownCall(parts: readonly Node[], { all }: FixSources): string | undefined {
  const procedures = proceduresOf(all);
  const arrays = arraysOf(all);
  const hasMethods = allOf(all, 'procedure_statement').length > 0;
  for (const call of parts.flatMap((part) => callsIn(part, all))) {
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
function arraysOf(all: readonly ParsedSource[]): Set<string> {
  const names = new Set<string>();
  for (const declaration of allOf(all, 'variable_declaration')) {
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
export function opensOf(statement: Node, { all }: FixSources): Node[] {
  const unit = unitOf(statement);
  const opens = allOf(all, 'open_statement');
  return unit === '' ? [] : isParameter(statement, unit) ? opens : opens.filter((open) => unitOf(open) === unit);
}

const TOLD = new Set(['iostat', 'iomsg', 'err', 'id', 'asynchronous']);

/** What may need a unit's records in the file as they are written, in a few words; undefined where nothing does. */
export function needsRecordsNow(request: FixRequest, sources: FixSources, statement: Node): string | undefined {
  const { all } = sources;
  const elsewhere = touchesElsewhere(request, all) ?? request.unseen ?? hasForeignParts(sources);
  if (elsewhere !== undefined) return elsewhere;
  const opens = opensOf(statement, sources);
  const closes = allOf(all, 'close_statement');
  if (!hasProgram(sources) || opens.length === 0 || closes.length === 0 || opens.some(isDevice))
    return 'where the file is opened and closed is not seen here';
  const unknown = unknownCall(
    all.map(({ tree }) => tree.rootNode),
    sources,
  );
  if (unknown !== undefined) return `${unknown} may need what was written before`;
  if (allOf(all, 'inquire_statement').length > 0) return 'files are asked for their state here';
  if (allOf(all, 'read_statement').some(waits)) return 'the program waits for input while the file is open';
  const writes = allOf(all, 'write_statement', 'open_statement', 'close_statement');
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
