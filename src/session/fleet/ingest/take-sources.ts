import path from 'node:path';
import { Batch } from '../../../fleet/store/batch.ts';
import type { BatchManifest, LogEntry, StoreFiles } from '../../../fleet/store/manifest.ts';
import { messageOf } from '../../../base/error-message.ts';
import type { KeptFile } from '../../machine/kept-file.ts';
import type { FoundSource, SourceRows } from '../source.ts';
import type { BatchLimits } from './batch-limits.ts';
import { keyOf } from './hash-source.ts';
import { keepSmall } from './keep-small.ts';
import type { ClaimAnswer, IngestTask } from './ingest-protocol.ts';
import { looksLike } from './looks-like.ts';

/** Sources whose contents are hashed at once: a file server answers many as fast as one. */
const HASHED_AT_ONCE = 8;
/** A message may quote what stands in a log. */
const MOST_MESSAGE = 500;
const NO_LOG = 'this is no recording of a known format, and no table of a batch system';

/** What takes sources in needs of the world around it. */
interface TakingMeans {
  readonly store: StoreFiles;
  readonly limits: BatchLimits;
  /**
   * @param kept its only file, where that stands in memory.
   * @throws Error in words for the user when nothing of the source can be read.
   */
  read(source: FoundSource, log: string, kept: KeptFile | undefined): Promise<SourceRows>;
  /** Which of these contents are to be read; in their order. */
  claim(claims: readonly { readonly id: number; readonly key: string }[]): Promise<readonly ClaimAnswer[]>;
  /** A task is begun; undefined: none is under way. */
  reading?(id: number | undefined): void;
  /** What became of sources; they count when the batch is committed. */
  taken?(entries: readonly LogEntry[]): void;
  committed?(manifest: BatchManifest): void;
  readonly signal?: AbortSignal;
}

/** A source with its key, or with why it has none. */
interface Prepared {
  readonly task: IngestTask;
  readonly format: string;
  readonly key: string | null;
  readonly problem?: string;
  readonly kept?: KeptFile | undefined;
}

/** Takes sources in: hashes them, reads those that are new, and adds them to the store, a batch at a time. */
export class SourceTaker {
  private batch: Batch;
  private begun = performance.now();
  /** Contents that could not be read, with the reason: copies need not be read. */
  private readonly unreadable = new Map<string, string>();

  constructor(private readonly means: TakingMeans) {
    this.batch = new Batch(means.store);
  }

  /** @throws Error in words for the user when the store cannot be written. */
  async take(tasks: readonly IngestTask[]): Promise<void> {
    const prepared = await this.prepareAll(tasks);
    const claims = prepared.flatMap(({ task, key }) => (key === null ? [] : [{ id: task.id, key }]));
    const answers = claims.length === 0 ? [] : await this.means.claim(claims);
    const byTask = new Map(claims.map(({ id }, index) => [id, answers[index]!]));
    for (const one of prepared) {
      if (this.means.signal?.aborted === true) return;
      this.means.reading?.(one.task.id);
      const { entry, rows } = await this.takeOne(one, byTask.get(one.task.id) ?? 'granted');
      // What was given up is no result: the next ingestion reads it.
      if (this.isGivenUp(entry)) return;
      this.batch.add(entry, rows?.rows);
      this.means.taken?.([entry]);
      this.means.reading?.(undefined);
      if (this.isFull()) await this.commit();
    }
  }

  /** Adds what was taken so far to the store. @throws Error in words for the user when it cannot be written. */
  async commit(): Promise<void> {
    const { batch } = this;
    this.batch = new Batch(this.means.store);
    this.begun = performance.now();
    const manifest = await batch.commit();
    if (manifest !== undefined) this.means.committed?.(manifest);
  }

  private isGivenUp({ status }: LogEntry): boolean {
    return this.means.signal?.aborted === true && status === 'unreadable';
  }

  private isFull(): boolean {
    const { logs, rows, seconds } = this.means.limits;
    const { batch } = this;
    return batch.logs.length >= logs || batch.rows >= rows || performance.now() - this.begun >= seconds * 1000;
  }

  private async prepareAll(tasks: readonly IngestTask[]): Promise<Prepared[]> {
    const prepared: Prepared[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < tasks.length) {
        const at = next++;
        prepared[at] = await this.prepare(tasks[at]!);
      }
    };
    await Promise.all(Array.from({ length: Math.min(HASHED_AT_ONCE, tasks.length) }, work));
    return prepared;
  }

  private async prepare(task: IngestTask): Promise<Prepared> {
    const { source } = task;
    // A file that cannot be read is told by the look at it.
    const kept = await keepSmall(source).catch(() => undefined);
    const look = await looksLike(source, kept);
    if ('problem' in look) return { task, format: look.format, key: null, problem: look.problem };
    try {
      return { task, format: look.format, key: await keyOf(source, kept), kept };
    } catch (error) {
      return { task, format: look.format, key: null, problem: `${source.path}: ${messageOf(error)}` };
    }
  }

  private async takeOne(
    { task: { source }, format, key, problem, kept }: Prepared,
    answer: ClaimAnswer,
  ): Promise<{ entry: LogEntry; rows?: SourceRows }> {
    const { path: place, bytes, modified } = source;
    const entry = { log: key, path: path.resolve(place), bytes, modified };
    const unreadable = (message: string): { entry: LogEntry } => {
      if (key !== null) this.unreadable.set(key, message);
      const said = format === '' ? NO_LOG : message.slice(0, MOST_MESSAGE);
      return { entry: { ...entry, format, status: 'unreadable', message: said } };
    };
    if (key === null) return unreadable(problem!);
    const before = typeof answer === 'object' ? answer.unreadable : this.unreadable.get(key);
    if (before !== undefined) return unreadable(before);
    if (answer === 'known') return { entry: { ...entry, format, status: 'known' } };
    try {
      const rows = await this.means.read(source, key, kept);
      const { format: reader, damage, notes = [] } = rows;
      const status = damage.length === 0 ? 'stored' : 'damaged';
      const message = [...damage, ...notes].join('; ').slice(0, MOST_MESSAGE);
      return { entry: { ...entry, format: reader, status, ...(message !== '' && { message }) }, rows };
    } catch (error) {
      return unreadable(messageOf(error));
    }
  }
}
