import { ByteWriter, ParquetWriter, type ColumnSource } from 'hyparquet-writer';
import { PartWriter } from '../../fleet/store/parquet-part.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import { exportColumns, type ExportColumn } from '../events/event-columns.ts';
import { EventLabels, type EventSource } from '../events/event-labels.ts';
import type { Sink } from '../events/events-csv.ts';
import { drain } from '../events/events-parquet.ts';
import { RECORDED_ROWS, type TabledRecording } from './recorded-rows.ts';
import { RECORDED_TABLES, type RecordedTableName } from './recorded-tables.ts';

/** Writes a table of a recording as Parquet; memory does not grow with the number of events. */
export async function writeTable(recording: TabledRecording, table: RecordedTableName, sink: Sink): Promise<void> {
  if (table === 'events') {
    writeEvents(recording.events, sink);
    return;
  }
  const writer = new PartWriter(table, RECORDED_TABLES[table].columns);
  await writer.write(RECORDED_ROWS[table](recording));
  sink(await writer.finish());
}

/**
 * Numbers stand as doubles, NaN for what is not known, and texts without statistics: the file lives as long as its question,
 * and half of the time of an answer went into what only files that are kept need.
 */
function writeEvents(source: EventSource, sink: Sink): void {
  const columns = eventColumns(source);
  const output = new ByteWriter();
  const schema = columns.map(({ name, kind }) =>
    kind === 'text'
      ? ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const)
      : ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' } as const),
  );
  const root = { name: 'events', num_children: columns.length };
  const writer = new ParquetWriter({ writer: output, schema: [root, ...schema], statistics: false });
  const { events } = source.trace;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    void writer.write({ columnData: columns.map((column) => valuesOf(column, chunk, rows)), rowGroupSize: rows });
    drain(output, sink);
  });
  void writer.finish();
  drain(output, sink);
}

function valuesOf(column: ExportColumn, chunk: EventChunk, rows: number): ColumnSource {
  const { name } = column;
  if (column.kind === 'text') return { name, data: Array.from({ length: rows }, (_, row) => column.of(chunk, row)) };
  return { name, encoding: 'PLAIN', data: Float64Array.from({ length: rows }, (_, row) => column.of(chunk, row)) };
}

/** What is exported, and what joins the other tables. */
function eventColumns(source: EventSource): ExportColumn[] {
  const { siteOfNode } = source.callSites;
  const known = (index: number): number => (index === NONE ? NaN : index);
  return [
    ...exportColumns(new EventLabels(source)),
    {
      name: 'site',
      kind: 'number',
      of: (chunk, row) => (chunk.stack[row] === NONE ? NaN : known(siteOfNode[chunk.stack[row]!]!)),
    },
    { name: 'file', kind: 'number', of: (chunk, row) => known(chunk.file[row]!) },
  ];
}
