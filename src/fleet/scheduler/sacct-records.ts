import { parseJobNumber } from './job-number.ts';
import { linesOf } from './text-lines.ts';
import { durationOf, exitOf, instantOf, textOf } from './values.ts';

/** A row of `sacct -P`: values by the names of their columns in small letters. */
export interface SacctRecord {
  /** From 1. */
  readonly line: number;
  get(column: string): string | undefined;
}

/** Columns that users fill: the separator and the ends of lines may stand within them, and nothing quotes them. */
const FREE_TEXT = new Set([
  'jobname',
  'submitline',
  'workdir',
  'comment',
  'admincomment',
  'systemcomment',
  'container',
  'constraints',
  'extra',
  'stdin',
  'stdout',
  'stderr',
  'wckey',
]);

/** Columns whose values can be told from others, with what they look like. */
const CHECKED: Readonly<Record<string, (value: string) => boolean>> = {
  jobid: (value) => parseJobNumber(value) !== undefined,
  jobidraw: (value) => parseJobNumber(value) !== undefined,
  state: (value) => /^[A-Z_]+( by \S+)?\+?$/.test(value),
  exitcode: (value) => textOf(value) === null || exitOf(value).exit_code !== null,
  elapsed: (value) => textOf(value) === null || durationOf(value) !== null,
  ...Object.fromEntries(
    ['submit', 'eligible', 'start', 'end'].map((name) => [
      name,
      (value: string) => textOf(value) === null || value === '0' || instantOf(value) !== null,
    ]),
  ),
};

const KNOWN = new Set(['state', 'start', 'end', 'submit', 'jobname', 'elapsed', 'elapsedraw', 'nnodes', 'exitcode']);

/** What `squeue -o` calls the columns of sacct. */
const SQUEUE_NAMES: Readonly<Record<string, string>> = {
  cpus: 'ncpus',
  end_time: 'end',
  name: 'jobname',
  nodes: 'nnodes',
  start_time: 'start',
  submit_time: 'submit',
  time: 'elapsed',
  work_dir: 'workdir',
};

interface Header {
  readonly separator: string;
  readonly names: readonly string[];
  /** The column that tells where a row begins. */
  readonly idColumn: number;
}

/** The header of `sacct -P` (or `-p`, with a `--delimiter`, or of `squeue -o` with one); undefined when the line is none. */
export function parseHeader(line: string): Header | undefined {
  const separator = /^[A-Za-z]\w*([^\w\s]+|\t)[A-Za-z]/.exec(line)?.[1];
  if (separator === undefined) return undefined;
  const written = line.trimEnd().toLowerCase().split(separator);
  const names = written.map((name) => SQUEUE_NAMES[name] ?? name);
  if (names.at(-1) === '') names.pop();
  if (!names.every((name) => /^[\w()/:&. ]+$/.test(name))) return undefined;
  const idColumn = names.findIndex((name) => name === 'jobid' || name === 'jobidraw');
  return idColumn >= 0 && names.some((name) => KNOWN.has(name)) ? { separator, names, idColumn } : undefined;
}

/** Rows of one output, or of several one behind the other. */
export function* recordsOf(bytes: Uint8Array, lost: (message: string) => void): Generator<SacctRecord> {
  let header: Header | undefined;
  let pending: { text: string; line: number } | undefined;
  let line = 0;
  function* flush(): Generator<SacctRecord> {
    if (pending === undefined || header === undefined) return;
    const values = splitRow(pending.text, header);
    if (values === undefined)
      lost(`line ${pending.line}: ${header.names.length} columns are expected; the line is left out`);
    else yield recordOf(header, values, pending.line);
    pending = undefined;
  }
  for (const text of linesOf(bytes)) {
    line++;
    const next = parseHeader(text);
    if (next !== undefined) {
      yield* flush();
      header = next;
    } else if (header !== undefined && beginsRow(text, header)) {
      yield* flush();
      pending = { text, line };
    } else if (pending !== undefined) pending.text += `\n${text}`;
    else if (text.trim() !== '') lost(`line ${line}: a row is expected; the line is left out`);
  }
  yield* flush();
}

function beginsRow(text: string, { separator, idColumn }: Header): boolean {
  const id = text.split(separator, idColumn + 1)[idColumn];
  return id !== undefined && parseJobNumber(id.trim()) !== undefined;
}

/** More ways than this to give out surplus separators are not tried. */
const MOST_TRIES = 10_000;

/** Gives surplus pieces to columns of free text so that all others have values of their kind; to the last ones first. */
function splitRow(text: string, { separator, names }: Header): string[] | undefined {
  const pieces = text.replace(/\n+$/, '').split(separator);
  if (pieces.length === names.length + 1 && pieces.at(-1) === '') pieces.pop();
  if (pieces.length <= names.length) return pieces.length === names.length ? pieces : undefined;
  let tries = 0;
  const values: string[] = [];
  const place = (column: number, from: number): boolean => {
    if (column === names.length) return from === pieces.length;
    const rest = names.length - column - 1;
    const most = FREE_TEXT.has(names[column]!) ? pieces.length - from - rest : 1;
    for (let taken = 1; taken <= most && tries++ < MOST_TRIES; taken++) {
      const value = pieces.slice(from, from + taken).join(separator);
      if (CHECKED[names[column]!]?.(value) === false) continue;
      values[column] = value;
      if (place(column + 1, from + taken)) return true;
    }
    return false;
  };
  return place(0, 0) ? values : undefined;
}

function recordOf({ names }: Header, values: readonly string[], line: number): SacctRecord {
  const byName = new Map(names.map((name, index) => [name, values[index]!]));
  return { line, get: (column) => byName.get(column) };
}
