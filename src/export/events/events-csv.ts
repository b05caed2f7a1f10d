import { csvText } from '../csv-field.ts';
import { exportColumns } from './event-columns.ts';
import { EventLabels, type EventSource } from './event-labels.ts';

/** Takes the next bytes of a file. */
export type Sink = (bytes: Uint8Array) => void;

/** Characters that are handed on together. */
const PIECE = 1 << 16;

/** The events as comma-separated values (RFC 4180, lines end with LF), with a heading; what is unknown is empty. */
export function writeEventsCsv(source: EventSource, sink: Sink): void {
  const columns = exportColumns(new EventLabels(source));
  const encoder = new TextEncoder();
  let piece = `${columns.map(({ name }) => name).join(',')}\n`;
  const { events } = source.trace;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let row = 0; row < rows; row++) {
      let separator = '';
      for (const column of columns) {
        piece += separator;
        separator = ',';
        if (column.kind === 'text') piece += csvText(column.of(chunk, row));
        else {
          const value = column.of(chunk, row);
          if (!Number.isNaN(value)) piece += String(value);
        }
      }
      piece += '\n';
      if (piece.length < PIECE) continue;
      sink(encoder.encode(piece));
      piece = '';
    }
  });
  sink(encoder.encode(piece));
}
