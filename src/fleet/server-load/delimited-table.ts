import type { RecordingFile } from '../../trace/byte-source.ts';

const CHUNK_BYTES = 1 << 18;
/** A longer line is none of a table. */
const MOST_LINE_CHARACTERS = 1 << 16;

/** A row of a table: its values by the names of its columns, in the order that was asked for; undefined: no value. */
export type Fields = readonly (string | undefined)[];

/**
 * The rows of a dump with a header line, separated by tabs (`mysql -B`) or by commas (quoted where a value holds one).
 *
 * @param columns names that are wanted, in upper case; a row has its values in this order. A missing column has no values.
 * @throws Error in words for the user when the first line names none of them, or the file cannot be read.
 */
export async function* tableRows(file: RecordingFile, columns: readonly string[]): AsyncGenerator<Fields> {
  let places: readonly number[] | undefined;
  let split = (line: string): string[] => line.split('\t');
  for await (const line of linesOf(file)) {
    if (line.trim() === '') continue;
    if (places === undefined) {
      if (!line.includes('\t')) split = commaSeparated;
      const names = split(line).map((name) => name.trim().toUpperCase());
      places = columns.map((column) => names.indexOf(column));
      if (places.every((place) => place < 0)) {
        throw new Error(`${file.name}: the first line names none of the columns ${columns.join(', ')}`);
      }
      continue;
    }
    const values = split(line);
    yield places.map((place) => valueOf(values[place]));
  }
}

/** `NULL` and `\N` are how dumps write that there is no value. */
function valueOf(text: string | undefined): string | undefined {
  const value = text?.trim();
  return value === undefined || value === '' || value === 'NULL' || value === '\\N' ? undefined : value;
}

function commaSeparated(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const values: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    values.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
  }
  return values;
}

async function* linesOf(file: RecordingFile): AsyncGenerator<string> {
  const stream = await file.open();
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const decoder = new TextDecoder();
    let rest = '';
    for (let length = await stream.read(chunk); length > 0; length = await stream.read(chunk)) {
      const lines = (rest + decoder.decode(chunk.subarray(0, length), { stream: true })).split('\n');
      rest = lines.pop()!;
      if (rest.length > MOST_LINE_CHARACTERS) throw new Error(`${file.name}: a line of more than 65,536 characters`);
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    if (rest !== '') yield rest;
  } finally {
    await stream.close();
  }
}
