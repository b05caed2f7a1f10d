import type { RecordedStep } from '../from-recording/recorded-replay.ts';
import { follows, rewriteTransfers, stepOf, type Transfer, type TransferRun } from './transfers.ts';

/**
 * Joins transfers of an open file that go on where the last one ended into one of at most so many bytes: a read is done
 * where the first of them was, a write where the last was.
 */
export function coalesce(steps: readonly RecordedStep[], mostBytes: number): RecordedStep[] {
  return rewriteTransfers(steps, (transfer, output) => new JoinedRun(transfer, output, mostBytes));
}

class JoinedRun implements TransferRun {
  private bytes: number;
  private startNs: number;
  /** Where the read stands in the output. */
  private readonly index: number;

  constructor(
    private readonly first: Transfer,
    private readonly output: RecordedStep[],
    private readonly mostBytes: number,
  ) {
    this.bytes = first.bytes;
    this.startNs = first.startNs;
    this.index = first.reads ? output.push(stepOf(first)) - 1 : -1;
  }

  get slot(): number {
    return this.first.slot;
  }

  add(transfer: Transfer): boolean {
    const { first, bytes } = this;
    if (!follows(first, first.place + bytes, transfer) || bytes + transfer.bytes > this.mostBytes) return false;
    this.bytes += transfer.bytes;
    this.startNs = transfer.startNs;
    return true;
  }

  finish(): void {
    const { first, bytes, startNs } = this;
    if (first.reads) this.output[this.index] = stepOf({ ...first, bytes });
    else this.output.push(stepOf({ ...first, bytes, startNs }));
  }
}
