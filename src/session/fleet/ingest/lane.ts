import type { LogEntry } from '../../../fleet/store/manifest.ts';
import { messageOf } from '../../../base/error-message.ts';
import type { SessionResources } from '../../session-resources.ts';
import type { FromReader, IngestTask, ReaderTask } from './ingest-protocol.ts';
import type { IngestLedger } from './ledger.ts';
import { startReader, type ReaderThread } from './reader-thread.ts';

/** How often a source may end the thread that reads it before it counts as unreadable. */
const MOST_ATTEMPTS = 2;
/** Milliseconds that a thread may take to come to an end when the user interrupts. */
const GRACE_MS = 15_000;

/** The store cannot be written: nothing that is left can be done. */
class FailedStoreError extends Error {}

/** One thread, and a new one in its place when it dies over a source. */
export class Lane {
  private reader: ReaderThread | undefined;
  /** Tasks that the thread has, in their order; the first of them are read, but not in the store. */
  private given: IngestTask[] = [];
  private read: LogEntry[] = [];
  private waiting: { resolve(): void; reject(error: Error): void } | undefined;
  /** Nothing more is taken. */
  isStopped = false;
  private patience: NodeJS.Timeout | undefined;
  private readonly attempts = new Map<number, number>();

  constructor(
    private readonly start: ReaderTask,
    private readonly resources: SessionResources,
    private readonly ledger: IngestLedger,
  ) {}

  /** Has these tasks done. @throws Error in words for the user when the store cannot be written. */
  async take(tasks: readonly IngestTask[]): Promise<void> {
    if (this.isStopped) return;
    const again = await this.attempt(tasks, async () => {
      await this.tell({ kind: 'take', tasks });
    });
    // What the dead thread had read is read once more, in smaller shares: what it died of by itself.
    for (const share of again) await this.take(share);
  }

  /** Writes what was read, and ends the thread. */
  async end(): Promise<void> {
    if (this.reader !== undefined) {
      const again = await this.attempt([], () => this.tell({ kind: 'end' }));
      for (const share of again) await this.take(share);
    }
    clearTimeout(this.patience);
    this.reader = undefined;
  }

  /** Gives up what is under way, so that `end` is soon done: a thread that does not listen is ended. */
  stop(): void {
    this.isStopped = true;
    this.reader?.send({ kind: 'stop' });
    this.patience = setTimeout(() => void this.reader?.terminate(), GRACE_MS);
  }

  async terminate(): Promise<void> {
    this.isStopped = true;
    const { reader } = this;
    this.reader = undefined;
    await reader?.terminate();
  }

  /** @returns shares that are to be done again because the thread was lost. */
  private async attempt(tasks: readonly IngestTask[], work: () => Promise<void>): Promise<IngestTask[][]> {
    this.given.push(...tasks);
    try {
      this.reader ??= await this.started();
      if (this.isStopped) this.reader.send({ kind: 'stop' });
      await work();
      return [];
    } catch (error) {
      if (error instanceof FailedStoreError) throw error;
      if (this.isStopped) return [];
      return this.afterLoss(messageOf(error));
    }
  }

  private async afterLoss(reason: string): Promise<IngestTask[][]> {
    const suspect = this.reader?.current ?? -1;
    if (this.reader === undefined || suspect < 0) throw new Error(`a thread that reads logs ended: ${reason}`);
    this.reader = undefined;
    const lost = this.given;
    this.given = [];
    this.ledger.lost(this.read.length);
    this.read = [];
    const guilty = lost.find(({ id }) => id === suspect);
    const rest = lost.filter(({ id }) => id !== suspect);
    const shares = rest.length === 0 ? [] : [rest];
    if (guilty === undefined) return shares;
    const attempts = (this.attempts.get(suspect) ?? 0) + 1;
    this.attempts.set(suspect, attempts);
    if (attempts < MOST_ATTEMPTS) return [...shares, [guilty]];
    await this.ledger.giveUp(guilty, reason);
    return shares;
  }

  private started(): Promise<ReaderThread> {
    return startReader(this.start, this.resources, {
      received: (message) => this.receive(message),
      lost: (reason) => this.waiting?.reject(new Error(reason)),
    });
  }

  private tell(message: Parameters<ReaderThread['send']>[0]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.reader!.send(message);
    });
  }

  private receive(message: FromReader): void {
    switch (message.kind) {
      case 'claim':
        this.reader?.send({ kind: 'answers', answers: message.claims.map((claim) => this.ledger.claim(claim)) });
        break;
      case 'read':
        this.read.push(...message.entries);
        this.ledger.read(message.entries);
        break;
      case 'committed':
        this.ledger.committed(this.given.splice(0, this.read.length), this.read, message);
        this.read = [];
        break;
      case 'idle':
      case 'ended':
        this.waiting?.resolve();
        break;
      case 'failed':
        this.waiting?.reject(new FailedStoreError(message.message));
        break;
    }
  }
}
