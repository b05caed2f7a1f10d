import { ByteWriter, ParquetWriter, type ColumnSource } from 'hyparquet-writer';
import type { EventChunk } from '../../trace/events.ts';
import { exportColumns, type ExportColumn } from './event-columns.ts';
import { EventLabels, type EventSource } from './event-labels.ts';
import type { Sink } from './events-csv.ts';

/**
 * The events as Apache Parquet: a row group for each chunk of the event table, texts as dictionaries, compressed with
 * Snappy; what is unknown is null.
 */
export function writeEventsParquet(source: EventSource, sink: Sink): void {
  const columns = exportColumns(new EventLabels(source));
  const output = new ByteWriter();
  const { trace } = source;
  const writer = new ParquetWriter({
    writer: output,
    schema: [
      { name: 'events', num_children: columns.length },
      ...columns.map(({ name, kind }) =>
        kind === 'text'
          ? ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const)
          : ({ name, type: 'INT64', repetition_type: 'OPTIONAL' } as const),
      ),
    ],
    createdBy: 'I/O Lens',
    kvMetadata: [
      { key: 'iolens.program', value: trace.program },
      { key: 'iolens.format', value: trace.format },
      // Seconds since 1970 of the moment that start_ns counts from; '' when the recording does not know it.
      { key: 'iolens.start_time', value: trace.startTime === null ? '' : String(trace.startTime) },
    ],
  });
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    const columnData = columns.map((column) => columnOf(column, chunk, rows));
    void writer.write({ columnData, rowGroupSize: rows });
    drain(output, sink);
  });
  void writer.finish();
  drain(output, sink);
}

function columnOf(column: ExportColumn, chunk: EventChunk, rows: number): ColumnSource {
  const { name } = column;
  if (column.kind === 'text') return { name, data: Array.from({ length: rows }, (_, row) => column.of(chunk, row)) };
  const data = Array.from({ length: rows }, (_, row) => {
    const value = column.of(chunk, row);
    return Number.isNaN(value) ? null : BigInt(Math.round(value));
  });
  return { name, data };
}

/** Hands on what was written so far: positions in the file go on counting, the buffer begins anew. */
export function drain(output: ByteWriter, sink: Sink): void {
  sink(output.getBytes().slice());
  output.index = 0;
}
