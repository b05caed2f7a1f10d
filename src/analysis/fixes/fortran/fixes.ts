import type { Node } from 'web-tree-sitter';
import type { Fixer, FixSources } from '../c/descriptors.ts';
import { indentOf, type ParsedSource } from '../c/syntax.ts';
import type { FixRequest, Refusal, Repair, SourceEdit } from '../fix.ts';
import { inquireOnce } from './ask-once.ts';
import { needsRecordsNow, opensOf } from './calls.ts';
import { keepOpen } from './keep-open.ts';
import { openOutsideLoop } from './open-once.ts';
import {
  bodyOf,
  controls,
  countedLoop,
  declarationOf,
  FORTRAN,
  isFlush,
  isParameter,
  isWithin,
  literal,
  longestLine,
  lower,
  programUnit,
  rankOf,
  statementsOn,
  unitOf,
  usesOf,
} from './syntax.ts';
import { lineEnd, ownLines, remove } from '../statement-lines.ts';

/** What can be tried for each trigger, best first. */
export const FORTRAN_FIXERS: Readonly<Record<string, readonly Fixer[]>> = {
  'posix-small-writes': [writeWholeArray, dropFlush],
  'flush-after-every-record': [writeWholeArray, dropFlush],
  'open-close-in-loop': [openOutsideLoop, keepOpen],
  'repeated-questions': [inquireOnce],
};

/**
 * `do i = 1, n; write(u) a(i, j); end do` to a stream: one write of the section a(1:n, j) has the same bytes, wherever its
 * elements lie. To a sequential file it would not: there each record has marks of its own, or a line of its own.
 */
function writeWholeArray(request: FixRequest, { main: source }: FixSources): Repair | undefined {
  const loop = statementsOn(source, request.place.line, ['write_statement', 'file_position_statement'])[0]?.parent;
  if (loop?.type !== 'do_loop' || hasDirective(loop)) return undefined;
  const count = countedLoop(loop);
  const unit = programUnit(loop);
  const write = elementWrite(loop);
  if (count === undefined || unit === null || write === undefined) return undefined;
  const { array, indices } = write;
  const section = indices.map((index) =>
    lower(index) === count.variable ? `${count.from.text}:${count.to.text}` : index.text,
  );
  const others = indices.filter((index) => lower(index) !== count.variable);
  if (others.length !== indices.length - 1 || !others.every((index) => isScalar(unit, index))) return undefined;
  if (rankOf(unit, lower(array)) !== indices.length || !isFree(unit, loop, count.variable)) return undefined;
  if (!isStream(unit, unitOf(write.statement))) return undefined;
  const lines = ownLines(source, FORTRAN, loop);
  if (lines === undefined) return undefined;
  const head = write.statement.text.slice(0, write.item.startIndex - write.statement.startIndex);
  const statement = `${head}${array.text}(${section.join(', ')})${write.remarks}`;
  if (indentOf(source, loop).length + statement.length > longestLine(source)) return undefined;
  return {
    title: 'Write the elements with one statement',
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

/** Whether a line above tells the compiler what to do with a loop: without the loop it would be wrong. */
function hasDirective(loop: Node): boolean {
  const above = loop.previousNamedSibling;
  return above?.type === 'comment' && /^!(\$|dir\$|dec\$|gcc\$|pgi\$)/i.test(above.text);
}

/** Whether an index is one element's: a number, or a variable without dimensions. */
function isScalar(unit: Node, index: Node): boolean {
  if (index.type === 'number_literal') return true;
  return (
    index.type === 'identifier' && declarationOf(unit, lower(index)) !== undefined && rankOf(unit, lower(index)) === 0
  );
}

interface ElementWrite {
  readonly statement: Node;
  /** `a(i, j)` */
  readonly item: Node;
  readonly array: Node;
  readonly indices: readonly Node[];
  /** Comments behind the statements. */
  readonly remarks: string;
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
  const comments = loop.namedChildren.filter(({ type }) => type === 'comment');
  if (comments.some((comment) => !body.some((each) => isBehind(comment, each)))) return undefined;
  const unit = unitOf(statement);
  const isPlain = [statement, ...flushes].every((each) => unitOf(each) === unit && controls(each).size === 1);
  if (unit === '' || !isPlain) return undefined;
  const list = statement.namedChildren.find(({ type }) => type === 'output_item_list');
  const [item, second] = list?.namedChildren ?? [];
  if (item?.type !== 'call_expression' || second !== undefined) return undefined;
  const [array, operands] = item.namedChildren;
  if (array?.type !== 'identifier' || operands === undefined) return undefined;
  const remarks = comments.map((comment) => ` ${comment.text}`).join('');
  const indices = operands.namedChildren;
  return { statement, item, array, indices, remarks, flushes: [...new Set(flushes.map(({ text }) => text))] };
}

/** Whether a comment stands on the line on which a statement ends. */
function isBehind(comment: Node, statement: Node): boolean {
  return comment.startPosition.row === statement.endPosition.row && comment.startIndex >= statement.endIndex;
}

/** Whether every open of the unit here makes it an unformatted stream. */
function isStream(scope: Node, unit: string): boolean {
  const opens = scope.descendantsOfType('open_statement').filter((open) => unitOf(open) === unit);
  const isChanged = scope
    .descendantsOfType('assignment_statement')
    .some((node) => lower(node.childForFieldName('left')) === unit);
  return (
    opens.length > 0 &&
    !isChanged &&
    opens.every((open) => {
      const all = controls(open);
      const form = all.get('form');
      return literal(all.get('access')) === 'stream' && (form === undefined || literal(form) === 'unformatted');
    })
  );
}

/**
 * Whether nothing but loops of its own uses the variable outside of a loop: nobody then wants its last value. What is
 * declared elsewhere, is a parameter or is shared could be wanted by others.
 */
function isFree(unit: Node, loop: Node, variable: string): boolean {
  const declared = declarationOf(unit, variable);
  if (declared === undefined || isParameter(loop, variable) || /\b(common|equivalence|namelist)\b/i.test(unit.text))
    return false;
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

/** Removes the declaration of a variable that is no longer used: compilers warn of it. */
function undeclare(source: ParsedSource, unit: Node, loop: Node, variable: string): SourceEdit[] {
  const found = declarationOf(unit, variable);
  if (found === undefined || outsideUses(unit, loop, variable).length > 0) return [];
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

function flushOn(request: FixRequest, source: ParsedSource): Node | undefined {
  return statementsOn(source, request.place.line, ['file_position_statement']).find(isFlush);
}

/** A flush after each record, in a loop or in a procedure that a loop calls: the unit is written when it is closed. */
function dropFlush(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main: source } = sources;
  const flush = flushOn(request, source);
  const lines = flush === undefined ? undefined : ownLines(source, FORTRAN, flush);
  if (flush === undefined || lines === undefined || flush.parent?.type === 'if_statement') return undefined;
  if (writeWholeArray(request, sources) !== undefined) return undefined;
  const title = 'Do not flush after each record';
  const note =
    'The run-time library writes when its buffer is full and when the unit is closed (sizes are those of gfortran): then others see it.';
  const isTold = controls(flush).size > 1;
  const reason = isTold ? 'errors are handled where they happen' : needsRecordsNow(request, sources, flush);
  if (reason !== undefined) return { title, note, reason };
  const isBinary = opensOf(flush, sources).some(
    (open) => literal(controls(open).get('form')) !== 'formatted' && hasForm(open),
  );
  return {
    title: `${title}: up to ${isBinary ? '128 KiB' : '8 KiB'} are lost if the program is killed`,
    note,
    edits: [remove(source, lines)],
    method: 'dropped flush',
    kind: 'trade',
  };
}

/** Whether the records of a unit may be other than text. */
function hasForm(open: Node): boolean {
  return controls(open).has('form') || controls(open).has('access');
}
