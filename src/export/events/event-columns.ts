import { LINK, LINKS, NONE, type EventChunk } from '../../trace/events.ts';
import type { EventLabels } from './event-labels.ts';

/** A column of the exported table; docs/cli.md describes them. */
export type ExportColumn =
  | { readonly name: string; readonly kind: 'text'; readonly of: (chunk: EventChunk, row: number) => string }
  /** Whole numbers; NaN stands for unknown. */
  | { readonly name: string; readonly kind: 'number'; readonly of: (chunk: EventChunk, row: number) => number };

/** The columns of CSV and Parquet, in their order. Columns may be added at the end, never renamed. */
export function exportColumns(labels: EventLabels): readonly ExportColumn[] {
  return [
    { name: 'recording', kind: 'text', of: (chunk, row) => labels.recording(chunk, row) },
    { name: 'line', kind: 'number', of: (chunk, row) => chunk.line[row]! },
    { name: 'host', kind: 'text', of: (chunk, row) => labels.stream(chunk, row).host },
    { name: 'process', kind: 'number', of: (chunk, row) => labels.stream(chunk, row).processId },
    { name: 'thread', kind: 'number', of: (chunk, row) => labels.stream(chunk, row).pid },
    { name: 'rank', kind: 'number', of: (chunk, row) => labels.stream(chunk, row).rank ?? NaN },
    { name: 'layer', kind: 'text', of: (chunk, row) => labels.layer(chunk, row) },
    { name: 'call', kind: 'text', of: (chunk, row) => labels.call(chunk, row) },
    { name: 'operation', kind: 'text', of: (chunk, row) => labels.operation(chunk, row) },
    { name: 'path', kind: 'text', of: (chunk, row) => labels.path(chunk, row) },
    // Times in seconds with fractions (Darshan) are no whole nanoseconds.
    { name: 'start_ns', kind: 'number', of: (chunk, row) => Math.round(chunk.start[row]!) },
    { name: 'duration_ns', kind: 'number', of: (chunk, row) => Math.round(chunk.duration[row]!) },
    { name: 'offset', kind: 'number', of: (chunk, row) => chunk.offset[row]! },
    { name: 'bytes', kind: 'number', of: (chunk, row) => chunk.bytes[row]! },
    { name: 'requested', kind: 'number', of: (chunk, row) => chunk.requested[row]! },
    { name: 'error', kind: 'text', of: (chunk, row) => labels.error(chunk, row) },
    { name: 'state', kind: 'text', of: (chunk, row) => labels.state(chunk, row) },
    { name: 'site_file', kind: 'text', of: (chunk, row) => labels.site(chunk, row)?.file ?? '' },
    { name: 'site_line', kind: 'number', of: (chunk, row) => lineOf(labels.site(chunk, row)?.line) },
    { name: 'site_function', kind: 'text', of: (chunk, row) => labels.site(chunk, row)?.functionName ?? '' },
    { name: 'parent', kind: 'number', of: (chunk, row) => (chunk.parent[row] === NONE ? NaN : chunk.parent[row]!) },
    { name: 'link', kind: 'text', of: (chunk, row) => (chunk.link[row] === LINK.none ? '' : LINKS[chunk.link[row]!]!) },
  ];
}

function lineOf(line: number | undefined): number {
  return line === undefined || line === 0 ? NaN : line;
}
