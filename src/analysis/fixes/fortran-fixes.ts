import type { Node } from 'web-tree-sitter';
import { counted } from '../../base/quantities.ts';
import { indentOf, type ParsedSource } from './c-syntax.ts';
import type { FixRequest, Repair, SourceEdit } from './fix.ts';
import {
  bodyOf,
  controls,
  countedLoop,
  declarationOf,
  isFlush,
  literal,
  lower,
  programUnit,
  rankOf,
  unitOf,
  usesOf,
} from './fortran-syntax.ts';
import { asksOutside, callsAway, keepsName, keepsUnit } from './fortran-loops.ts';
import {
  insertLinesBefore,
  insertLinesBehind,
  lineEnd,
  ownLines,
  remove,
  standsOn,
  type LineLanguage,
} from './statement-lines.ts';

type Fixer = (request: FixRequest, source: ParsedSource) => Repair | undefined;

const FORTRAN: LineLanguage = { comment: '!' };

/** Characters of a line; the rest is cut off. */
const LONGEST_LINE = 132;

/** What can be tried for each trigger, best first. */
export const FORTRAN_FIXERS: Readonly<Record<string, readonly Fixer[]>> = {
  'posix-small-writes': [writeWholeArray, flushBehindLoop, dropFlush, openOutsideLoop],
  'flush-after-every-record': [flushBehindLoop, dropFlush],
  'open-close-in-loop': [openOutsideLoop],
};

/** Statements on a line that could be parsed whole. */
function statementsOn(source: ParsedSource, line: number, types: readonly string[]): Node[] {
  return source.tree.rootNode
    .descendantsOfType([...types])
    .filter((node) => standsOn(node, line) && !node.hasError && node.parent?.hasError === false);
}

/**
 * `do i = 1, n; write(u) a(i); end do` to a stream: one write of the section a(1:n) has the same bytes. To a sequential
 * file it would not: there each record has marks of its own.
 */
function writeWholeArray(request: FixRequest, source: ParsedSource): Repair | undefined {
  const loop = statementsOn(source, request.place.line, ['write_statement', 'file_position_statement'])[0]?.parent;
  if (loop?.type !== 'do_loop') return undefined;
  const count = countedLoop(loop);
  const unit = programUnit(loop);
  const write = elementWrite(loop);
  if (count === undefined || unit === null || write === undefined) return undefined;
  const { array, index } = write;
  if (lower(index) !== count.variable || rankOf(unit, lower(array)) !== 1) return undefined;
  if (!isStream(unit, unitOf(write.statement)) || !isFree(unit, loop, count.variable)) return undefined;
  const lines = ownLines(source, FORTRAN, loop);
  if (lines === undefined) return undefined;
  const section = `${array.text}(${count.from.text}:${count.to.text})`;
  const statement = `${write.statement.text.slice(0, write.item.startIndex - write.statement.startIndex)}${section}`;
  if (indentOf(source, loop).length + statement.length > LONGEST_LINE) return undefined;
  return {
    title: `Write the array at once instead of element by element (${counted(request.count, 'write')})`,
    note: 'The bytes in the file are the same: the unit is a stream, which has no marks between records.',
    edits: [
      {
        file: source.file,
        start: loop.startIndex,
        end: loop.endIndex,
        text: [statement, ...write.flushes].join(`${lineEnd(source)}${indentOf(source, loop)}`),
      },
      ...undeclare(source, unit, loop, count.variable),
    ],
    method: 'written at once',
    kind: 'repair',
  };
}

interface ElementWrite {
  readonly statement: Node;
  /** `a(i)` */
  readonly item: Node;
  readonly array: Node;
  readonly index: Node;
  /** Flushes of the same unit in the loop: they come behind the write. */
  readonly flushes: readonly string[];
}

/** The one unformatted write of one element that a loop consists of. */
function elementWrite(loop: Node): ElementWrite | undefined {
  const body = bodyOf(loop);
  const writes = body.filter(({ type }) => type === 'write_statement');
  const flushes = body.filter(isFlush);
  const [statement] = writes;
  if (statement === undefined || writes.length > 1 || writes.length + flushes.length < body.length) return undefined;
  if (loop.namedChildren.some(({ type }) => type === 'comment')) return undefined;
  const unit = unitOf(statement);
  if (unit === '' || controls(statement).size !== 1 || flushes.some((flush) => unitOf(flush) !== unit))
    return undefined;
  const list = statement.namedChildren.find(({ type }) => type === 'output_item_list');
  const [item, second] = list?.namedChildren ?? [];
  if (item?.type !== 'call_expression' || second !== undefined) return undefined;
  const [array, operands] = item.namedChildren;
  const index = operands?.namedChildren[0];
  if (array?.type !== 'identifier' || index === undefined || operands!.namedChildCount > 1) return undefined;
  return { statement, item, array, index, flushes: [...new Set(flushes.map(({ text }) => text))] };
}

/** Whether every open of the unit here makes it an unformatted stream. */
function isStream(scope: Node, unit: string): boolean {
  const opens = scope.descendantsOfType('open_statement').filter((open) => unitOf(open) === unit);
  return (
    opens.length > 0 &&
    opens.every((open) => {
      const all = controls(open);
      const form = all.get('form');
      return literal(all.get('access')) === 'stream' && (form === undefined || literal(form) === 'unformatted');
    })
  );
}

/** Whether nothing but loops of its own uses the variable outside of a loop: nobody then wants its last value. */
function isFree(unit: Node, loop: Node, variable: string): boolean {
  return outsideUses(unit, loop, variable).every((use) => {
    for (let at = use.parent; at !== null && at.id !== unit.id; at = at.parent)
      if (at.type === 'do_loop' && countedLoop(at)?.variable === variable) return true;
    return false;
  });
}

function outsideUses(unit: Node, loop: Node, variable: string): Node[] {
  const declared = declarationOf(unit, variable)?.declaration;
  return usesOf(unit, variable).filter((use) => !isWithin(use, loop) && (!declared || !isWithin(use, declared)));
}

function isWithin(node: Node, outer: Node): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** Removes the declaration of a variable that is no longer used: compilers warn of it. */
function undeclare(source: ParsedSource, unit: Node, loop: Node, variable: string): SourceEdit[] {
  const found = declarationOf(unit, variable);
  if (found?.declarator.type !== 'identifier' || outsideUses(unit, loop, variable).length > 0) return [];
  const { declaration, declarator } = found;
  const all = declaration.childrenForFieldName('declarator');
  if (all.length === 1) {
    const lines = ownLines(source, FORTRAN, declaration);
    return lines === undefined ? [] : [remove(source, lines)];
  }
  const at = all.findIndex(({ id }) => id === declarator.id);
  const [start, end] =
    at === 0 ? [declarator.startIndex, all[1]!.startIndex] : [all[at - 1]!.endIndex, declarator.endIndex];
  return [{ file: source.file, start, end, text: '' }];
}

/** `flush(u)` in a loop: once, behind the outermost loop in which the unit stays what it is. */
function flushBehindLoop(request: FixRequest, source: ParsedSource): Repair | undefined {
  const flush = flushOn(request, source);
  if (flush?.parent?.type !== 'do_loop' || writeWholeArray(request, source) !== undefined) return undefined;
  const unit = unitOf(flush);
  const loop = outermost(flush.parent, (candidate) => keepsUnit(candidate, unit));
  const lines = ownLines(source, FORTRAN, flush);
  if (loop === undefined || lines === undefined || unit === '' || controls(flush).size > 1) return undefined;
  if (ownLines(source, FORTRAN, loop) === undefined || bodyOf(flush.parent).length < 2) return undefined;
  return {
    title: `Flush once, behind the loop (${counted(request.count, 'write')} from here)`,
    note: 'The run-time library writes when its buffer is full. Keep a flush where another program waits for the data.',
    edits: [remove(source, lines), insertLinesBehind(source, loop, [flush.text])],
    method: 'dropped flush',
    kind: 'repair',
  };
}

function flushOn(request: FixRequest, source: ParsedSource): Node | undefined {
  return statementsOn(source, request.place.line, ['file_position_statement']).find(isFlush);
}

/** The outermost of nested loops that all meet a condition. */
function outermost(loop: Node, holds: (loop: Node) => boolean): Node | undefined {
  let best: Node | undefined;
  for (let at: Node | null = loop; at?.type === 'do_loop' && holds(at); at = at.parent) best = at;
  return best;
}

/** A flush that stands in no loop here: its procedure is called from one. The unit is written when it is closed. */
function dropFlush(request: FixRequest, source: ParsedSource): Repair | undefined {
  const flush = flushOn(request, source);
  const lines = flush === undefined ? undefined : ownLines(source, FORTRAN, flush);
  if (lines === undefined || flush!.parent?.type === 'if_statement') return undefined;
  if (asksOutside(programUnit(flush!) ?? source.tree.rootNode)) return undefined;
  if (flushBehindLoop(request, source) !== undefined || writeWholeArray(request, source) !== undefined)
    return undefined;
  return {
    title: `Do not flush after each record (${counted(request.count, 'write')})`,
    note: 'The unit is written when its buffer is full and when it is closed. Keep a flush where another program waits for the data.',
    edits: [remove(source, lines)],
    method: 'dropped flush',
    kind: 'repair',
  };
}

/** `open(…, position='append')` and `close` in a loop: in front of it and behind it. */
function openOutsideLoop(request: FixRequest, source: ParsedSource): Repair | undefined {
  const own = statementsOn(source, request.place.line, ['open_statement', 'close_statement'])[0];
  if (own?.parent?.type !== 'do_loop') return undefined;
  const body = bodyOf(own.parent);
  const open = body.find(({ type }) => type === 'open_statement');
  const close = body.findLast(({ type }) => type === 'close_statement');
  if (open === undefined || close === undefined || open.startIndex > close.startIndex) return undefined;
  const loop = outermost(own.parent, (candidate) => mayStayOpen(candidate, open, close));
  const opening = ownLines(source, FORTRAN, open);
  const closing = ownLines(source, FORTRAN, close);
  if (loop === undefined || opening === undefined || closing === undefined) return undefined;
  if (ownLines(source, FORTRAN, loop) === undefined) return undefined;
  return {
    title: `Open the file before the loop and close it behind it (${counted(request.count, 'open and close', 'opens and closes')})`,
    note: 'The records are in the file when the buffer is full, and at the latest when it is closed. The file is opened even if the loop makes no turn.',
    edits: [
      insertLinesBefore(source, loop, [open.text]),
      remove(source, opening),
      remove(source, closing),
      insertLinesBehind(source, loop, [close.text]),
    ],
    method: 'opened once',
    kind: 'repair',
  };
}

/** Controls of an open that do not depend on where it stands. */
const STEADY = new Set(['unit', 'newunit', 'file', 'position', 'action', 'status', 'access', 'form']);
const LEAVES = ['keyword_statement', 'stop_statement'];
const CHANGES = ['file_position_statement', 'inquire_statement', 'read_statement'];

/** Whether one open in front of a loop does what the open of each turn did: append to one and the same file. */
function mayStayOpen(loop: Node, open: Node, close: Node): boolean {
  const all = controls(open);
  const status = all.get('status');
  const action = all.get('action');
  if ([...all.keys()].some((name) => !STEADY.has(name)) || literal(all.get('position')) !== 'append') return false;
  if (status !== undefined && !['old', 'unknown'].includes(literal(status) ?? '')) return false;
  if (action !== undefined && !['write', 'readwrite'].includes(literal(action) ?? '')) return false;
  if (unitOf(open) === '' || unitOf(open) !== unitOf(close) || controls(close).size !== 1) return false;
  if (loop.descendantsOfType(['open_statement', 'close_statement']).length !== 2) return false;
  if (loop.descendantsOfType([...LEAVES, ...CHANGES]).length > 0) return false;
  // What was begun with advance='no' is ended by a close.
  const partial = loop
    .descendantsOfType('keyword_argument')
    .some((node) => lower(node.childForFieldName('name')) === 'advance');
  const moves = ['open_statement', 'close_statement', ...CHANGES];
  if (partial || callsAway(loop, unitOf(open), moves)) return false;
  return isSteady(loop, open, all.get('file')) && keepsName(loop, unitOf(open));
}

const PURE = new Set(['trim', 'adjustl']);

/** Whether the file's name is the same in every turn: made of literals and of names that the loop does not use otherwise. */
function isSteady(loop: Node, open: Node, file: Node | undefined): boolean {
  if (file === undefined) return false;
  const names = file.type === 'identifier' ? [file] : file.descendantsOfType('identifier');
  return names.every((node) => {
    const name = lower(node);
    return PURE.has(name) || usesOf(loop, name).every((use) => isWithin(use, open));
  });
}
