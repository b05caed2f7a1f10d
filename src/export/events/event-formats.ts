import type { EventSource } from './event-labels.ts';
import type { Sink } from './events-csv.ts';

export const EVENT_FORMATS = ['csv', 'parquet', 'chrome-trace'] as const;
export type FileFormat = (typeof EVENT_FORMATS)[number];
/** Also what the writer of OTF2 archives is given. */
export type EventFormat = FileFormat | 'otf2-records';

/** Endings of the files, without the dot. */
export const EVENT_ENDINGS: Readonly<Record<FileFormat, string>> = {
  csv: 'csv',
  parquet: 'parquet',
  'chrome-trace': 'json',
};

/**
 * Writes all events of a recording; memory does not grow with their number.
 * @throws Error in words for the user when the format cannot hold the recording.
 */
export async function writeEvents(source: EventSource, format: EventFormat, sink: Sink): Promise<void> {
  // Loaded when asked for: most who open a recording export nothing.
  switch (format) {
    case 'csv':
      (await import('./events-csv.ts')).writeEventsCsv(source, sink);
      break;
    case 'parquet':
      (await import('./events-parquet.ts')).writeEventsParquet(source, sink);
      break;
    case 'chrome-trace':
      (await import('./events-chrome-trace.ts')).writeEventsChromeTrace(source, sink);
      break;
    case 'otf2-records':
      (await import('../otf2/otf2-records.ts')).writeOtf2Records(source, sink);
      break;
  }
}
