import { Batch } from '../../../fleet/store/batch.ts';
import type { LogEntry, StoreFiles } from '../../../fleet/store/manifest.ts';
import type { FoundSource } from '../source.ts';
import type { ClaimAnswer, IngestTask } from './ingest-protocol.ts';
import { IngestCount } from './ingest-report.ts';
import type { KnownLogs } from './known-logs.ts';

/** What all threads of an ingestion share: which contents are taken, and what became of the sources. */
export class IngestLedger {
  readonly count = new IngestCount();
  /** Sources that are read, but not yet in the store. */
  private pending = 0;
  /** Contents of tasks that are not in the store yet: a thread that takes the place of a lost one may claim them again. */
  private readonly granted = new Map<number, string>();
  private readonly unreadable = new Map<string, string>();

  constructor(
    private readonly known: KnownLogs,
    private readonly store: StoreFiles,
    private readonly changed: () => void,
  ) {}

  /** Whether a source has to be looked at. */
  isWanted(source: FoundSource): boolean {
    this.count.found++;
    if (!this.known.isUnchanged(source)) return true;
    this.count.unchanged++;
    this.changed();
    return false;
  }

  claim({ id, key }: { readonly id: number; readonly key: string }): ClaimAnswer {
    const unreadable = this.unreadable.get(key);
    if (unreadable !== undefined) return { unreadable };
    if (this.granted.get(id) !== key && !this.known.claim(key)) return 'known';
    this.granted.set(id, key);
    return 'granted';
  }

  read(entries: readonly LogEntry[]): void {
    for (const { log, status, message = '' } of entries)
      if (log !== null && status === 'unreadable') this.unreadable.set(log, message);
    this.pending += entries.length;
    this.changed();
  }

  committed(
    tasks: readonly IngestTask[],
    entries: readonly LogEntry[],
    { rows, bytes }: { readonly rows: number; readonly bytes: number },
  ): void {
    for (const { id } of tasks) this.granted.delete(id);
    for (const entry of entries) this.count.add(entry);
    this.pending -= entries.length;
    this.count.rows += rows;
    this.count.bytesWritten += bytes;
    this.changed();
  }

  /** These were read by a thread that is gone. */
  lost(entries: number): void {
    this.pending -= entries;
  }

  /** Lists a source that ended the thread that read it, again and again. */
  async giveUp({ id, source }: IngestTask, reason: string): Promise<void> {
    const { path, bytes, modified } = source;
    const log = this.granted.get(id) ?? null;
    const message = `${path}: reading it failed: ${reason}`;
    const entry: LogEntry = { log, path, bytes, modified, format: 'unknown', status: 'unreadable', message };
    const batch = new Batch(this.store);
    batch.add(entry);
    await batch.commit();
    this.granted.delete(id);
    this.count.add(entry);
    this.changed();
  }

  get done(): number {
    return this.count.done + this.pending;
  }
}
