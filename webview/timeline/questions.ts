import { STALE_ROWS, type TimelineLine } from '../../src/features/timeline/protocol.ts';
import type { PageEnd } from '../kit/page-end.ts';

/** Asks the worker, through the extension. */
export type Questions = Pick<PageEnd<TimelineLine>, 'ask'>;

/** Whether the rows that a question named are no longer known: they are to be asked for again. */
export function isStale(error: unknown): boolean {
  return error instanceof Error && error.name === STALE_ROWS;
}

/** One question at a time, and then only the newest of those that came meanwhile: the worker is never flooded. */
export class Latest {
  private isBusy = false;
  private next: (() => Promise<void>) | undefined;

  /** @param failed is told what a question threw. */
  constructor(private readonly failed: (error: unknown) => void) {}

  do(question: () => Promise<void>): void {
    this.next = question;
    if (!this.isBusy) void this.work();
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    for (let question = this.next; question !== undefined; question = this.next) {
      this.next = undefined;
      try {
        await question();
      } catch (error) {
        this.failed(error);
      }
    }
    this.isBusy = false;
  }
}
