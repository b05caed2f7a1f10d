import type { Node } from 'web-tree-sitter';
import { constantOf, countedLoop } from './counted-loop.ts';
import { declarationsOf, identifiersIn, macroValue, isOwnName } from './declarations.ts';
import { callsAnywhere, type FixSources } from './descriptors.ts';
import { callsOnLine, isPure, replace, squeezed, type ParsedSource } from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

/** Types of one byte: only with these the offset, which counts bytes or elements of the view, moves as far as the row is long. */
const BYTES = /^MPI_(BYTE|CHAR)$/;

/**
 * `for (int i = 0; i < n; i++) MPI_File_write_at(out, begin + i * ROW, rows[i], ROW, MPI_BYTE, …)`, whose result nobody asks
 * for: the rows of a table lie behind each other in memory and in the file, so one call writes them.
 */
export function writeRowsAt(request: FixRequest, { main, all }: FixSources): Repair | Refusal | undefined {
  const [call, ...more] = callsOnLine(main, request.place.line, ['MPI_File_write_at']);
  const statement = call?.node.parent;
  if (call === undefined || more.length > 0 || call.operands.length !== 6 || statement?.type !== 'expression_statement')
    return undefined;
  const counted = countedLoop(main, all, statement, false);
  if (counted?.start !== 0 || isOwnName(call.name, all)) return undefined;
  const { loop, variable, turns, leftOver } = counted;
  const [file, offset, rows, count, type, status] = call.operands;
  const begin = beginOf(offset!, variable, count!);
  const table = tableOf(rows!, variable, count!, all);
  const isSteady = [file!, status!].every((one) => isPure(one) && !identifiersIn(one).includes(variable));
  // What each call found out would be told of the last row only.
  if (begin === undefined || table === undefined || !isSteady || !BYTES.test(type!.text)) return undefined;
  // Counts of MPI are of type int; and a view may count in other pieces than bytes.
  if (!(constantOf(turns, loop, all) * constantOf(count!.text, loop, all) < 2 ** 31)) return undefined;
  if (request.unseen !== undefined || callsAnywhere(all, new Set(['MPI_File_set_view']))) return undefined;
  if (!/^MPI_STATUS_IGNORE$/.test(status!.text)) return undefined;
  const size = `${turns} * ${count!.text}`;
  const text = `${call.name}(${file!.text}, ${begin}, ${table}, ${size}, ${type!.text}, ${status!.text});`;
  return {
    title: 'Write the rows with one call (where it fails, none of them may be written)',
    note: 'The rows lie behind each other in memory and in the file.',
    edits: [...leftOver, replace(main, loop, text)],
    method: 'written at once',
    kind: 'trade',
  };
}

/** `begin` of `begin + i * ROW`, with the count as the factor. */
function beginOf(offset: Node, variable: string, count: Node): string | undefined {
  const [left, right] = ['left', 'right'].map((side) => offset.childForFieldName(side));
  if (offset.type !== 'binary_expression' || offset.childForFieldName('operator')?.text !== '+') return undefined;
  const factors = [`${variable}*${count.text}`, `${count.text}*${variable}`].map(squeezed);
  if (!left || !right || !factors.includes(squeezed(right.text.replace(/^\(MPI_Offset\)/, '')))) return undefined;
  return isPure(left) && !identifiersIn(left).includes(variable) ? left.text : undefined;
}

/** `rows` of `rows[i]` where it is a table of characters with rows of that many. */
function tableOf(row: Node, variable: string, count: Node, all: readonly ParsedSource[]): string | undefined {
  const name = new RegExp(String.raw`^(\w+)\[${variable}\]$`).exec(squeezed(row.text))?.[1];
  if (name === undefined || macroValue(name, all) !== undefined) return undefined;
  const declared = declarationsOf(name, row, all);
  const isTable = declared.every(({ holder, type, depth }) => {
    const text = squeezed(holder.text);
    return (
      depth === 2 &&
      type === 'char' &&
      new RegExp(String.raw`^(static)?char${name}\[\w+\]\[${count.text}\](=|;)`).test(text)
    );
  });
  return declared.length === 1 && isTable && /^\w+$/.test(count.text) ? name : undefined;
}
