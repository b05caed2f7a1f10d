import type { MpiDatatype, ReplayNode, ReplayOperation, ReplayProgram, ReplaySeries } from '../program.ts';
import { isSeries } from '../run/task-program.ts';
import { attributeText } from './attribute-texts.ts';
import { DATATYPE_KINDS, DATATYPE_START, FILE_POOL, INPUT, OPERATIONS, type AttributeRule } from './dialect.ts';

/**
 * A program as DIOS XML (docs/dios-xml.md): `readDios` gives it back.
 * @throws RangeError for names that XML cannot hold (control characters), and modes without a word.
 */
export function writeDios(program: ReplayProgram): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<iotest dialect="iolens-1">'];
  for (const pool of program.pools) lines.push(`  ${element('filepool', FILE_POOL, pool, true)}`);
  for (const input of program.inputs) lines.push(`  ${element('input', INPUT, input, true)}`);
  for (const datatype of program.datatypes) lines.push(`  ${datatypeElement(datatype)}`);
  for (const task of program.tasks) {
    lines.push(`  <task ranks="${escaped(task.ranks)}">`);
    writeBody(task.body, undefined, 4, lines);
    lines.push('  </task>');
  }
  lines.push('</iotest>', '');
  return lines.join('\n');
}

type SeriesKind = ReplaySeries['operation'];

/**
 * Writes nodes where a kind of series allows them; what it does not, goes into a series without a count, which only groups.
 * @param within undefined: directly in a task, which holds only series.
 */
function writeBody(
  nodes: readonly ReplayNode[],
  within: SeriesKind | undefined,
  indent: number,
  lines: string[],
): void {
  const blanks = ' '.repeat(indent);
  for (let i = 0; i < nodes.length;) {
    const node = nodes[i]!;
    if (isSeries(node)) {
      writeSeries(node, indent, lines);
      i++;
    } else if (fits(node, within)) {
      lines.push(blanks + operationElement(node));
      i++;
    } else {
      const end = groupEnd(nodes, i);
      const group = nodes.slice(i, end);
      const kind: SeriesKind = group.some((one) => familyOf(one) === 'mpi') ? 'mpi_series' : 'series';
      lines.push(`${blanks}<${kind}>`);
      writeBody(group, kind, indent + 2, lines);
      lines.push(`${blanks}</${kind}>`);
      i = end;
    }
  }
}

/** Behind the last of the operations from here on that one kind of series holds. */
function groupEnd(nodes: readonly ReplayNode[], begin: number): number {
  let family = 'both';
  let end = begin;
  for (; end < nodes.length && !isSeries(nodes[end]!); end++) {
    const its = familyOf(nodes[end]!);
    if (its !== 'both' && family !== 'both' && its !== family) break;
    if (its !== 'both') family = its;
  }
  return end;
}

function familyOf(node: ReplayNode): string {
  return OPERATIONS[node.operation]?.family ?? 'both';
}

function fits(node: ReplayOperation, within: SeriesKind | undefined): boolean {
  const family = familyOf(node);
  return within !== undefined && (family === 'both' || (family === 'mpi') === (within === 'mpi_series'));
}

/** A series of nothing does nothing: it is left out, the grammar has none. */
function writeSeries(series: ReplaySeries, indent: number, lines: string[]): void {
  const inner: string[] = [];
  writeBody(series.body, series.operation, indent + 2, inner);
  if (inner.length === 0) return;
  const blanks = ' '.repeat(indent);
  const variable = series.variable === '' ? '' : ` variable="${escaped(series.variable)}"`;
  lines.push(`${blanks}<${series.operation} count="${escaped(String(series.count))}"${variable}>`);
  for (const line of inner) lines.push(line);
  lines.push(`${blanks}</${series.operation}>`);
}

function operationElement(operation: ReplayOperation): string {
  const tag = operation.operation === 'poolunlink' ? 'unlink' : operation.operation;
  return element(tag, OPERATIONS[operation.operation]!.attributes, operation, false);
}

function datatypeElement(datatype: MpiDatatype): string {
  return element('mpi_datatype', [...DATATYPE_START, ...DATATYPE_KINDS[datatype.kind]!], datatype, true);
}

/** @param inFull also what is as it would be if it were left out. */
function element(tag: string, rules: readonly AttributeRule[], of: object, inFull: boolean): string {
  const fields = of as Readonly<Record<string, unknown>>;
  let text = `<${tag}`;
  for (const rule of rules) {
    const value = fields[rule.field];
    if (value === undefined) continue;
    const isDefault = typeof rule.otherwise === 'object' && rule.otherwise.value === value;
    if (inFull || !isDefault) text += ` ${rule.name}="${escaped(attributeText(rule, value))}"`;
  }
  return `${text}/>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What XML 1.0 has no way to write. */
// oxlint-disable-next-line no-control-regex
const IMPOSSIBLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

function escaped(text: string): string {
  if (IMPOSSIBLE.test(text)) throw new RangeError(`${JSON.stringify(text)} has characters that XML cannot hold`);
  return text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`);
}
