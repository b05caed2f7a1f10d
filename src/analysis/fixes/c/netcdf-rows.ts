import { countedLoop } from './counted-loop.ts';
import { declarationsOf, identifiersIn, macroValue, isOwnName } from './declarations.ts';
import type { FixSources } from './descriptors.ts';
import { failureOf, statementWith } from './failure-answers.ts';
import {
  callsOf,
  callsOnLine,
  indentOf,
  isPure,
  replace,
  squeezed,
  stepOf,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

const TYPES = 'text schar uchar short int long float double ubyte ushort uint longlong ulonglong'.split(' ');
const CALLS = TYPES.map((type) => `nc_put_var1_${type}`);

/**
 * `for (size_t i = 0; i < n; i++) nc_put_var1_double(file, variable, &i, values + i)`: one `nc_put_vara_double`. The index is
 * one number, so the variable has one dimension.
 */
export function putValuesAtOnce(request: FixRequest, { main, all }: FixSources): Repair | Refusal | undefined {
  const [call, ...more] = callsOnLine(main, request.place.line, CALLS);
  if (call === undefined || more.length > 0 || call.operands.length !== 4) return undefined;
  const statement = statementWith(call, all);
  const counted = statement && countedLoop(main, all, statement.node, false);
  if (statement === undefined || counted === undefined || isOwnName(call.name, all)) return undefined;
  const { loop, variable, start, turns, leftOver } = counted;
  const values = valuesOf(call, variable, all);
  const failure = failureOf(statement, call, { variable, isSize: ({ text }) => /^(NC_NOERR|0)$/.test(text) }, all);
  const isSteady = call.operands
    .slice(0, 2)
    .every((operand) => isPure(operand) && !identifiersIn(operand).includes(variable));
  // Who does not ask goes on behind a value that cannot be written.
  if (values === undefined || failure === undefined || failure === 'unknown' || !isSteady) return undefined;
  const [file, id] = call.operands.map(({ text }) => text);
  const indent = indentOf(main, loop);
  const step = stepOf(main, indent);
  const put = call.name.replace('var1', 'vara');
  const asked = `${put}(${file}, ${id}, &from, &count, ${start === 0 ? values : `${values} + ${start}`})`;
  // Where there is none, nothing was asked.
  const isSome = /^[1-9]\d*$/.test(turns) || (/^\w+$/.test(turns) && declarationsOf(turns, loop, all).length === 0);
  const at = isSome ? indent + step : indent + step + step;
  const put1 = failure.statement(`${asked} != NC_NOERR`, `${asked} == NC_NOERR`, at, step);
  const body = [`size_t from = ${start}, count = ${turns};`, ...(isSome ? [put1] : ['if (count > 0)', step + put1])];
  if (statement.branch?.descendantsOfType('break_statement').length) return undefined;
  if (['from', 'count'].some((name) => identifiersIn(loop).includes(name))) return undefined;
  return {
    title: 'Write the values with one call (where it fails, none of them is written)',
    note: 'The values lie behind each other in memory and in the variable, which has one dimension.',
    edits: [
      ...leftOver,
      replace(main, loop, `{\n${body.map((line) => `${indent}${step}${line}\n`).join('')}${indent}}`),
    ],
    method: 'written at once',
    kind: 'trade',
  };
}

/** `values` of `&i, values + i` and `&i, &values[i]`: an array, or a pointer to its elements; `i` is a size_t. */
function valuesOf(
  { operands, node }: FunctionCall,
  variable: string,
  all: readonly ParsedSource[],
): string | undefined {
  const [, , index, value] = operands;
  if (squeezed(index!.text) !== `&${variable}`) return undefined;
  const base = /^(?:(\w+)\+(\w+)|&(\w+)\[(\w+)\])$/.exec(squeezed(value!.text));
  const [name, by] = [base?.[1] ?? base?.[3], base?.[2] ?? base?.[4]];
  if (name === undefined || by !== variable || macroValue(name, all) !== undefined) return undefined;
  const declared = declarationsOf(name, node, all);
  const isVector = declared.length > 0 && declared.every(({ depth, isVolatile }) => depth === 1 && !isVolatile);
  return isVector && callsOf(node, new Set(CALLS)).length === 1 ? name : undefined;
}
