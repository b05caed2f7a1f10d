import type { FoundSource } from '../source.ts';
import type { IngestTask } from './ingest-protocol.ts';

/** What a thread gets at a time: enough that it seldom waits, little enough that all end together. */
const TASKS_AT_ONCE = 16;
const BYTES_AT_ONCE = 4 << 20;

/** Tasks that a thread gets at a time. */
interface Share {
  readonly tasks: readonly IngestTask[];
  /** To be called when they are done with: only then another large source is handed out. */
  readonly release: () => void;
}

/** Hands sources out to threads: small ones several at a time, large ones one at a time over all threads. */
export class Feed {
  private readonly iterator: AsyncIterator<FoundSource>;
  private readonly large: IngestTask[] = [];
  private largeIsOut = false;
  private hasEnded = false;
  private next = 0;

  /**
   * @param isWanted false for sources that need not be read.
   * @param large bytes from which on a source is large.
   */
  constructor(
    sources: AsyncIterable<FoundSource>,
    private readonly isWanted: (source: FoundSource) => boolean,
    private readonly largeBytes: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.iterator = sources[Symbol.asyncIterator]();
  }

  /** @returns undefined when nothing is left for this thread. @throws what the sources throw. */
  async take(): Promise<Share | undefined> {
    if (this.signal?.aborted === true) return undefined;
    const early = this.takeLarge();
    if (early !== undefined) return early;
    const tasks: IngestTask[] = [];
    let bytes = 0;
    while (!this.hasEnded && tasks.length < TASKS_AT_ONCE && bytes < BYTES_AT_ONCE) {
      const next: IteratorResult<FoundSource, unknown> = await this.iterator.next();
      if (next.done === true || this.isStopped()) {
        this.hasEnded = true;
        break;
      }
      const source = next.value;
      if (!this.isWanted(source)) continue;
      const task = { id: this.next++, source };
      if (source.bytes > this.largeBytes) this.large.push(task);
      else {
        tasks.push(task);
        bytes += source.bytes;
      }
    }
    if (tasks.length > 0) return { tasks, release: () => undefined };
    return this.isStopped() ? undefined : this.takeLarge();
  }

  private isStopped(): boolean {
    return this.signal?.aborted === true;
  }

  /** Whoever has one comes back for the next: nobody need wait for them. */
  private takeLarge(): Share | undefined {
    if (this.largeIsOut) return undefined;
    const task = this.large.shift();
    if (task === undefined) return undefined;
    this.largeIsOut = true;
    return {
      tasks: [task],
      release: () => {
        this.largeIsOut = false;
      },
    };
  }
}
