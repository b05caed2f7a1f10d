import type { RecordingFile } from '../../trace/byte-source.ts';
import { linesOf } from './file-lines.ts';

/** A row of a table: its values by the names of its columns, in the order that was asked for; undefined: no value. */
export type Fields = readonly (string | undefined)[];

/**
 * The rows of a dump with a header line, separated by tabs (`mysql -B`) or by commas (quoted where a value holds one); as
 * many at a time as a piece of the file holds.
 *
 * @param columns names that are wanted, in upper case; a row has its values in this order. A missing column has no values.
 * @throws Error in words for the user when the first line names none of them, or the file cannot be read.
 */
export async function* tableRows(file: RecordingFile, columns: readonly string[]): AsyncGenerator<readonly Fields[]> {
  let places: readonly number[] | undefined;
  let split = (line: string): string[] => line.split('\t');
  for await (const lines of linesOf(file)) {
    const rows: Fields[] = [];
    for (const line of lines) {
      if (line.trim() === '') continue;
      if (places === undefined) {
        if (!line.includes('\t')) split = commaSeparated;
        places = placesOf(columns, split(line), file.name);
        continue;
      }
      const values = split(line);
      rows.push(places.map((place) => valueOf(values[place])));
    }
    yield rows;
  }
}

function placesOf(columns: readonly string[], header: readonly string[], file: string): number[] {
  const names = header.map((name) => name.trim().toUpperCase());
  const places = columns.map((column) => names.indexOf(column));
  if (places.some((place) => place >= 0)) return places;
  throw new Error(`${file}: the first line names none of the columns ${columns.join(', ')}`);
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
