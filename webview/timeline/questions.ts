import type {
  FromTimelineView,
  TimelineAnswers,
  TimelineQuestion,
  ToTimelineView,
} from '../../src/features/timeline/protocol.ts';

/** The rows that a question named are not known any more: they are to be asked for again. */
export class StaleRows extends Error {}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Questions to the worker with their answers as promises. */
export class Questions {
  private last = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly post: (message: FromTimelineView) => void) {}

  /** @throws StaleRows, or an Error with words for the user. */
  ask<Ask extends keyof TimelineAnswers>(
    question: Extract<TimelineQuestion, { ask: Ask }>,
  ): Promise<TimelineAnswers[Ask]> {
    const request = ++this.last;
    return new Promise<TimelineAnswers[Ask]>((resolve, reject) => {
      this.waiting.set(request, { resolve, reject });
      this.post({ kind: 'question', request, question });
    });
  }

  receive(message: Extract<ToTimelineView, { kind: 'answer' | 'problem' }>): void {
    const waiting = this.waiting.get(message.request);
    this.waiting.delete(message.request);
    if (message.kind === 'answer') waiting?.resolve(message.answer.value as never);
    else waiting?.reject(message.isStale ? new StaleRows(message.message) : new Error(message.message));
  }
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
