import type { Node } from 'web-tree-sitter';
import { indentOf } from '../c/syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';
import type { FixSources } from '../c/descriptors.ts';
import { allOf, hasForeignParts, hasProgram, unknownCall } from './calls.ts';
import { opensToAppend, WHO_ELSE_APPENDS } from './open-once.ts';
import {
  controls,
  declarationOf,
  FORTRAN,
  isParameter,
  isWithin,
  literal,
  longestLine,
  lower,
  statementsOn,
  unitOf,
  usesOf,
} from './syntax.ts';
import { touchesElsewhere } from '../recorded-touch.ts';
import { insertLinesBehind, lineEnd, ownLines, remove } from '../statement-lines.ts';

/**
 * `open(newunit=u, …, position='append')` and `close(u)` in a subroutine that is called again and again: it keeps the file
 * open, which the end of the program closes. A flush where the close was puts the records into the file.
 */
export function keepOpen(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main: source } = sources;
  const own = statementsOn(source, request.place.line, ['open_statement', 'close_statement'])[0];
  const scope = own?.parent;
  if (scope?.type !== 'subroutine') return undefined;
  const open = scope.namedChildren.find(({ type }) => type === 'open_statement');
  const close = scope.namedChildren.findLast(({ type }) => type === 'close_statement');
  if (open === undefined || close === undefined || open.startIndex > close.startIndex) return undefined;
  const unit = unitOf(open);
  const declared = declarationOf(scope, unit)?.declaration;
  const [opening, closing] = [open, close].map((statement) => ownLines(source, FORTRAN, statement));
  if (declared === undefined || opening === undefined || closing === undefined) return undefined;
  if (!opensToAppend(open, close) || !isWhole(scope, open, close) || isParameter(open, unit)) return undefined;
  const title = 'Keep the file open from call to call';
  const note = 'A flush where it was closed does what closing it did: the records are in the file.';
  const reason = touchesElsewhere(request, sources.all) ?? request.unseen ?? needsFileClosed(sources, open);
  if (reason !== undefined) return { title, note, reason };
  const [indent, end] = [indentOf(source, open), lineEnd(source)];
  const flag = `${unit}_is_open`;
  const first = `${indent}if (.not. ${flag}) ${open.text}`;
  if (source.text.toLowerCase().includes(flag) || first.split('\n')[0]!.length > longestLine(source)) return undefined;
  return {
    title: `${title} (${WHO_ELSE_APPENDS})`,
    note,
    edits: [
      insertLinesBehind(source, declared, [`save :: ${unit}`, `logical, save :: ${flag} = .false.`]),
      { ...remove(source, opening), text: `${first}${end}${indent}${flag} = .true.${end}` },
      { ...remove(source, closing), text: `${indentOf(source, close)}flush(${unit})${end}` },
    ],
    method: 'opened once',
    kind: 'trade',
  };
}

/** Whether each call of a subroutine comes from its open to its close, and only writes to the unit between them. */
function isWhole(scope: Node, open: Node, close: Node): boolean {
  const moves = ['open_statement', 'close_statement', 'file_position_statement', 'inquire_statement', 'read_statement'];
  const leaves = ['keyword_statement', 'stop_statement', 'internal_procedures'];
  if (scope.descendantsOfType([...moves, ...leaves]).length !== 2) return false;
  if (/\b(pure|elemental|recursive)\b/i.test(scope.namedChildren[0]!.text) || /\bsave\b/i.test(scope.text))
    return false;
  const told = new Set(['advance', 'err', 'iostat', 'asynchronous']);
  const names = scope.descendantsOfType('keyword_argument').map((node) => lower(node.childForFieldName('name')));
  if (names.some((name) => told.has(name))) return false;
  const unit = unitOf(open);
  return usesOf(scope, unit).every((use) => {
    if (isWithin(use, open) || isWithin(use, close)) return true;
    for (let at = use.parent; at !== null && at.id !== scope.id; at = at.parent)
      if (['unit_identifier', 'variable_declaration'].includes(at.type)) return true;
    return false;
  });
}

/** What may need the file closed behind the call, in a few words; undefined where the program does not use it elsewhere. */
function needsFileClosed(sources: FixSources, open: Node): string | undefined {
  const { all } = sources;
  const foreign = hasForeignParts(sources);
  if (foreign !== undefined) return foreign;
  if (!hasProgram(sources)) return 'the main program is not among the sources';
  const unknown = unknownCall(
    all.map(({ tree }) => tree.rootNode),
    sources,
  );
  if (unknown !== undefined) return `${unknown} may need the file closed`;
  if (allOf(all, 'inquire_statement').length > 0) return 'files are asked for their state here';
  const nameOf = (statement: Node): string | undefined => literal(controls(statement).get('file'))?.split('/').at(-1);
  const name = controls(open).has('newunit') ? nameOf(open) : undefined;
  const others = allOf(all, 'open_statement').filter(({ id }) => id !== open.id);
  const areOthers = others.every((other) => nameOf(other) !== undefined && nameOf(other) !== name);
  return name !== undefined && areOthers ? undefined : 'another open may mean the same file';
}
