import type { Node } from 'web-tree-sitter';
import type { FixSources } from '../c/descriptors.ts';
import { indentOf } from '../c/syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';
import { hasForeignParts, runsWith, unknownCall } from './calls.ts';
import {
  bodyOf,
  controls,
  countedLoop,
  declarationOf,
  FORTRAN,
  isWithin,
  longestLine,
  lower,
  programUnit,
  rankOf,
  statementsOn,
  usesOf,
} from './syntax.ts';
import { touchesElsewhere } from '../recorded-touch.ts';
import { insertLinesBefore, ownLines, remove } from '../statement-lines.ts';

const ANSWERS = ['exist', 'size', 'opened'];
/** What may change a file, or stands for what is not followed. */
const MOVES = [
  ...['open_statement', 'close_statement', 'read_statement', 'write_statement', 'print_statement'],
  ...['file_position_statement', 'stop_statement', 'statement_label'],
];

/** `inquire(file=…, exist=there)` as the first statement of a counting loop that does nothing to files: in front of it. */
export function inquireOnce(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main: source } = sources;
  const inquire = statementsOn(source, request.place.line, ['inquire_statement'])[0];
  const loop = inquire?.parent;
  if (inquire === undefined || loop?.type !== 'do_loop') return undefined;
  const body = bodyOf(loop);
  const lines = ownLines(source, FORTRAN, inquire);
  const count = countedLoop(loop);
  const isPlain = body[0]?.id === inquire.id && body.length > 1 && !inquire.text.includes('\n');
  if (!isPlain || lines === undefined || count === undefined || ownLines(source, FORTRAN, loop) === undefined)
    return undefined;
  const [from, to] = [count.from, count.to].map(({ type, text }) => (type === 'number_literal' ? Number(text) : NaN));
  // A loop that makes no turn for certain asks nothing.
  if (from! > to!) return undefined;
  const statement = from! <= to! ? inquire.text : `if (${count.from.text} <= ${count.to.text}) ${inquire.text}`;
  if (indentOf(source, loop).length + statement.length > longestLine(source)) return undefined;
  const title = 'Ask once, in front of the loop';
  const note = 'The answer is kept: nothing in the loop changes the file or what is known of it.';
  const reason =
    touchesElsewhere(request, sources.all) ??
    request.unseen ??
    hasForeignParts(sources) ??
    (isSteady(loop, inquire, sources) ? undefined : 'the loop may change the file, its name or the answer');
  if (reason !== undefined) return { title, note, reason };
  return {
    title: `${title} (what another program does to the file meanwhile is not noticed)`,
    note,
    edits: [insertLinesBefore(source, loop, [statement]), remove(source, lines)],
    method: 'asked once',
    kind: 'trade',
  };
}

/** Whether the loop calls nothing of the program, moves no data, and uses what it asked with and for in no other way. */
function isSteady(loop: Node, inquire: Node, sources: FixSources): boolean {
  const parts = runsWith(loop, sources);
  if (parts.length > 1 || unknownCall(parts, sources) !== undefined) return false;
  if (loop.descendantsOfType(MOVES).length > 0 || /\bgo ?to\b/i.test(loop.text)) return false;
  const all = controls(inquire);
  const answers = [...all].filter(([name]) => ANSWERS.includes(name)).map(([, value]) => value);
  const file = all.get('file');
  const isKnown = [...all.keys()].every((name) => name === 'file' || ANSWERS.includes(name));
  if (!isKnown || file === undefined || answers.length === 0) return false;
  const names = file.type === 'string_literal' ? [] : [file];
  if (!names.every(({ type }) => type === 'identifier')) return false;
  if (![...names, ...answers].every((name) => isOwnVariable(name))) return false;
  const count = countedLoop(loop)!;
  const bounds = [count.from, count.to].filter(({ type }) => type !== 'number_literal');
  if (!bounds.every((bound) => bound.type === 'identifier' && isOwnVariable(bound))) return false;
  const answered = answers.map(lower);
  if ([count.variable, ...bounds.map(lower)].some((name) => answered.includes(name) || names.map(lower).includes(name)))
    return false;
  return [...names, ...answers].every((name) =>
    usesOf(loop, lower(name)).every((use) => isWithin(use, inquire) || isRead(use)),
  );
}

/** A scalar that the program unit declares, which nothing else leads to. */
function isOwnVariable(name: Node): boolean {
  const unit = programUnit(name);
  const declared = unit === null ? undefined : declarationOf(unit, lower(name));
  if (name.type !== 'identifier' || unit === null || declared === undefined || rankOf(unit, lower(name)) > 0)
    return false;
  return !/\b(pointer|target|volatile|asynchronous|common|equivalence)\b/i.test(declared.declaration.text + unit.text);
}

/** Whether a use only takes the value: it stands in a condition, an expression or an index. */
function isRead(use: Node): boolean {
  let at = use;
  while (/^(parenthesized_expression|unary_expression)$/.test(at.parent?.type ?? '')) at = at.parent!;
  if (at.parent?.type === 'assignment_statement') return at.parent.childForFieldName('left')?.id !== at.id;
  return /^(if_statement|elseif_clause|(logical|relational|math)_expression)$/.test(at.parent?.type ?? '');
}
