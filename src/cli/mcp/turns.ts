import { CancelledError } from '../../session/worker/worker-protocol.ts';

/** Work that is done one after the other, in the order in which it was asked for. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** @throws CancelledError when it is not wanted any more by the time that it is its turn. */
  take<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(() => {
      if (signal.aborted) throw new CancelledError();
      return work();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
