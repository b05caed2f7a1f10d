import type { LogEntry } from '../../../fleet/store/manifest.ts';

/** Entries that a report names. */
const MOST_NAMED = 5;

/** What an ingestion did. */
export interface IngestReport {
  /** Sources that it came upon. */
  readonly found: number;
  /** Of these, files that have not changed since they were taken in. */
  readonly unchanged: number;
  readonly stored: number;
  /** Read in part. */
  readonly damaged: number;
  /** Recordings and tables of which nothing could be read. */
  readonly unreadable: number;
  /** Files that are none. */
  readonly others: number;
  /** Sources whose content is in the store already. */
  readonly known: number;
  readonly rows: number;
  /** Of the sources that were read. */
  readonly bytesRead: number;
  /** Of the Parquet files that were written. */
  readonly bytesWritten: number;
  readonly seconds: number;
  /** The first of the unreadable and of the damaged ones. */
  readonly examples: readonly LogEntry[];
}

/** Counts what became of sources. */
export class IngestCount {
  found = 0;
  unchanged = 0;
  rows = 0;
  bytesWritten = 0;
  private bytesRead = 0;
  private readonly byStatus = { stored: 0, damaged: 0, unreadable: 0, known: 0 };
  private others = 0;
  private readonly examples: LogEntry[] = [];
  private readonly started = performance.now();

  add(entry: LogEntry): void {
    const { status, format, bytes } = entry;
    if (status === 'unreadable' && format === '') {
      this.others++;
      return;
    }
    this.byStatus[status]++;
    this.bytesRead += bytes;
    if ((status === 'unreadable' || status === 'damaged') && this.examples.length < MOST_NAMED)
      this.examples.push(entry);
  }

  /** Sources that are done with. */
  get done(): number {
    const { stored, damaged, unreadable, known } = this.byStatus;
    return this.unchanged + this.others + stored + damaged + unreadable + known;
  }

  report(): IngestReport {
    const { found, unchanged, others, rows, bytesRead, bytesWritten, examples } = this;
    const seconds = (performance.now() - this.started) / 1000;
    return { found, unchanged, ...this.byStatus, others, rows, bytesRead, bytesWritten, seconds, examples };
  }
}
