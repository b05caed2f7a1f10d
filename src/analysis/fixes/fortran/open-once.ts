import type { Node } from 'web-tree-sitter';
import type { FixSources } from '../c/descriptors.ts';
import { indentOf } from '../c/syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';
import { hasForeignParts, runsWith, unknownCall } from './calls.ts';
import {
  bodyOf,
  controls,
  countedLoop,
  FORTRAN,
  isFlush,
  isWithin,
  literal,
  longestLine,
  lower,
  statementsOn,
  unitOf,
  usesOf,
} from './syntax.ts';
import { touchesElsewhere } from '../recorded-touch.ts';
import { insertLinesBefore, insertLinesBehind, lineEnd, ownLines, remove } from '../statement-lines.ts';

/** An open to append goes to the end once; from there on the unit has a position of its own. */
export const WHO_ELSE_APPENDS = 'what another program appends meanwhile is overwritten';

/**
 * `open(…, position='append')` and `close` in a loop: in front of it and behind it. A flush where the close was does what
 * that did: the records are in the file, and errors are told. Where the loop makes no turn, nothing is opened, as before.
 */
export function openOutsideLoop(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main: source } = sources;
  const own = statementsOn(source, request.place.line, ['open_statement', 'close_statement'])[0];
  if (own?.parent?.type !== 'do_loop') return undefined;
  const body = bodyOf(own.parent);
  const open = body.find(({ type }) => type === 'open_statement');
  const close = body.findLast(({ type }) => type === 'close_statement');
  if (open === undefined || close === undefined || open.startIndex > close.startIndex) return undefined;
  const loops = loopsToLeave(own.parent, open, close, sources);
  const loop = loops.at(-1);
  const [opening, closing] = [open, close].map((statement) => ownLines(source, FORTRAN, statement));
  if (loop === undefined || opening === undefined || closing === undefined) return undefined;
  if (ownLines(source, FORTRAN, loop) === undefined) return undefined;
  const title = 'Open the file before the loop and close it after the loop';
  const note = 'A flush where it was closed does what closing it did: the records are in the file.';
  const unknown = unknownCall(runsWith(loop, sources), sources);
  const reason =
    touchesElsewhere(request, sources.all) ??
    request.unseen ??
    hasForeignParts(sources) ??
    (unknown === undefined ? undefined : `${unknown} may need the file closed`);
  if (reason !== undefined) return { title, note, reason };
  const condition = conditionOf(loops);
  const first = `${indentOf(source, loop)}${condition}${open.text}`.split('\n')[0]!;
  if (first.length > longestLine(source)) return undefined;
  const last = bodyOf(own.parent)[body.findIndex(({ id }) => id === close.id) - 1];
  const isFlushed = last !== undefined && isFlush(last);
  const flush = isFlushed ? '' : `${indentOf(source, close)}flush(${unitOf(open)})${lineEnd(source)}`;
  return {
    title: `${title} (${WHO_ELSE_APPENDS})`,
    note,
    edits: [
      insertLinesBefore(source, loop, [condition + open.text]),
      remove(source, opening),
      { ...remove(source, closing), text: flush },
      insertLinesBehind(source, loop, [condition + close.text]),
    ],
    method: 'opened once',
    kind: 'trade',
  };
}

/** Nested loops, the inner one first, that an open may leave: in front of them all, it is known whether they make a turn. */
function loopsToLeave(inner: Node, open: Node, close: Node, sources: FixSources): Node[] {
  const loops: Node[] = [];
  for (let at: Node | null = inner; at?.type === 'do_loop' && mayStayOpen(at, open, close, sources); at = at.parent) {
    const outer = at;
    if (![...loops, at].every((loop) => isKnownBefore(loop, outer, sources))) break;
    loops.push(at);
  }
  return loops;
}

/** Whether the bounds of a loop are numbers, or names that an outer loop does not change. */
function isKnownBefore(loop: Node, outer: Node, sources: FixSources): boolean {
  const count = countedLoop(loop);
  if (count === undefined) return false;
  return [count.from, count.to].every((bound) => {
    if (bound.type === 'number_literal') return true;
    return bound.type === 'identifier' && isUnchanged(outer, lower(bound), sources);
  });
}

/** Whether nothing that runs in a loop can give a name another value: it is a bound of loops there, and is written. */
function isUnchanged(loop: Node, name: string, sources: FixSources): boolean {
  const uses = runsWith(loop, sources).flatMap((code) => usesOf(code, name));
  return uses.every(({ id, parent }) => {
    if (parent?.type === 'loop_control_expression') return parent.namedChildren[0]?.id !== id;
    return parent?.type === 'output_item_list' || parent?.type === 'relational_expression';
  });
}

/** `if (1 <= n) `, with all that it takes for a turn of the inner loop; '' where they make turns for certain. */
function conditionOf(loops: readonly Node[]): string {
  const bounds = loops.map((loop) => countedLoop(loop)!);
  const unsure = bounds.filter(({ from, to }) => !(Number(from.text) <= Number(to.text)));
  const all = unsure.reverse().map(({ from, to }) => `${from.text} <= ${to.text}`);
  return all.length === 0 ? '' : `if (${all.join(' .and. ')}) `;
}

/** Controls of an open that do not depend on where it stands. */
const STEADY = new Set(['unit', 'newunit', 'file', 'position', 'action', 'status', 'access', 'form']);
const LEAVES = ['keyword_statement', 'stop_statement'];
const CHANGES = ['file_position_statement', 'inquire_statement', 'read_statement', 'open_statement', 'close_statement'];

/** Whether an open appends to a file, whatever it finds there, and a close is the other end of it. */
export function opensToAppend(open: Node, close: Node): boolean {
  const all = controls(open);
  const status = all.get('status');
  const action = all.get('action');
  const unit = unitOf(open);
  if ([...all.keys()].some((name) => !STEADY.has(name)) || literal(all.get('position')) !== 'append') return false;
  if (status !== undefined && !['old', 'unknown'].includes(literal(status) ?? '')) return false;
  if (action !== undefined && !['write', 'readwrite'].includes(literal(action) ?? '')) return false;
  return unit !== '' && unit === unitOf(close) && controls(close).size === 1;
}

/** Whether one open in front of a loop does what the open of each turn did: append to one and the same file. */
function mayStayOpen(loop: Node, open: Node, close: Node, sources: FixSources): boolean {
  if (!opensToAppend(open, close)) return false;
  if (loop.descendantsOfType(LEAVES).length > 0) return false;
  // What was begun with advance='no' is ended by a close; a write that is told of its error may go on.
  const told = new Set(['advance', 'err', 'iostat', 'pos', 'rec', 'asynchronous']);
  const names = loop.descendantsOfType('keyword_argument').map((node) => lower(node.childForFieldName('name')));
  if (names.some((name) => told.has(name))) return false;
  const others = runsWith(loop, sources)
    .flatMap((code) => code.descendantsOfType(CHANGES))
    .filter((node) => node.id !== open.id && node.id !== close.id);
  if (!others.every((node) => isFlush(node) && isWithin(node, loop) && controls(node).size === 1)) return false;
  return isSteady(loop, open, sources) && keepsUnit(loop, open, close, sources);
}

/** Whether the loop gives the unit no other value, and no procedure gets it. */
function keepsUnit(loop: Node, open: Node, close: Node, sources: FixSources): boolean {
  const unit = unitOf(open);
  return runsWith(loop, sources)
    .flatMap((code) => usesOf(code, unit))
    .every((use) => {
      if (isWithin(use, open) || isWithin(use, close)) return true;
      for (let at = use.parent; at !== null && isWithin(at, loop); at = at.parent)
        if (at.type === 'unit_identifier') return true;
      return false;
    });
}

const PURE = new Set(['trim', 'adjustl']);

/** Whether the file's name is the same in every turn: made of literals and of names that the loop does not use otherwise. */
function isSteady(loop: Node, open: Node, sources: FixSources): boolean {
  const file = controls(open).get('file');
  // What a function gives may be another name each time.
  const calls = file === undefined ? [] : [file, ...file.descendantsOfType('call_expression')];
  if (
    file === undefined ||
    calls.some((call) => call.type === 'call_expression' && !PURE.has(lower(call.namedChildren[0])))
  )
    return false;
  const names = file.type === 'identifier' ? [file] : file.descendantsOfType('identifier');
  return names.every((node) => {
    const name = lower(node);
    return (
      PURE.has(name) ||
      runsWith(loop, sources)
        .flatMap((code) => usesOf(code, name))
        .every((use) => isWithin(use, open))
    );
  });
}
