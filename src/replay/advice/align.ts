import type { RecordedStep } from '../from-recording/recorded-replay.ts';
import { follows, rewriteTransfers, stepOf, type Transfer, type TransferRun } from './transfers.ts';

/**
 * Cuts transfers that follow each other at multiples of `unit` bytes, as a buffer of the program would: a write waits
 * until it reaches the next boundary, a read fetches up to it. No byte is moved that the program did not move, so both
 * ends of a run stay partial, and no request of the middle is.
 */
export function align(steps: readonly RecordedStep[], unit: number): RecordedStep[] {
  return rewriteTransfers(steps, (transfer, output) =>
    Number.isNaN(transfer.place) || transfer.bytes === 0 ? undefined : new AlignedRun(transfer, output, unit),
  );
}

class AlignedRun implements TransferRun {
  private end: number;
  private startNs = NaN;
  /** Up to here requests have been handed out. */
  private cut: number;
  /** The last read that was handed out, which may reach beyond the end of the run. */
  private last: { readonly index: number; readonly transfer: Transfer } | undefined;

  constructor(
    private readonly first: Transfer,
    private readonly output: RecordedStep[],
    private readonly unit: number,
  ) {
    this.end = first.place;
    this.cut = first.place;
    this.take(first);
  }

  get slot(): number {
    return this.first.slot;
  }

  add(transfer: Transfer): boolean {
    if (!follows(this.first, this.end, transfer)) return false;
    this.take(transfer);
    return true;
  }

  private take({ bytes, startNs }: Transfer): void {
    const { unit } = this;
    this.end += bytes;
    this.startNs = startNs;
    if (this.first.reads && this.end > this.cut) this.handOut(Math.ceil(this.end / unit) * unit, startNs);
    else if (!this.first.reads) {
      const boundary = Math.floor(this.end / unit) * unit;
      if (boundary > this.cut) this.handOut(boundary, startNs);
    }
  }

  /** Requests up to a place: one that is partial up to the first boundary, and the rest. */
  private handOut(to: number, startNs: number): void {
    const boundary = Math.ceil(this.cut / this.unit) * this.unit;
    if (boundary > this.cut && boundary < to) this.request(boundary, startNs);
    this.request(to, startNs);
  }

  private request(to: number, startNs: number): void {
    const transfer = { ...this.first, place: this.cut, bytes: to - this.cut, startNs };
    const index = this.output.push(stepOf(transfer)) - 1;
    this.cut = to;
    if (this.first.reads) this.last = { index, transfer };
  }

  finish(): void {
    if (!this.first.reads && this.end > this.cut) this.handOut(this.end, this.startNs);
    const { last, end } = this;
    if (last !== undefined && this.cut > end)
      this.output[last.index] = stepOf({ ...last.transfer, bytes: end - last.transfer.place });
  }
}
