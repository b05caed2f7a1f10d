import type { RecordedStep } from '../from-recording/recorded-replay.ts';
import type { ReplayOperation } from '../program.ts';

/** A read or a write of an open file. */
export interface Transfer {
  readonly slot: number;
  readonly reads: boolean;
  /** At the file's own offset, at one of its own, or by a C stream. */
  readonly form: 'plain' | 'positioned' | 'stream';
  /** Offset at which it begins; NaN when unknown. */
  readonly place: number;
  readonly bytes: number;
  readonly startNs: number;
}

/** The transfer that a step is; undefined for all others. */
function transferOf({ operation, place, startNs }: RecordedStep): Transfer | undefined {
  switch (operation.operation) {
    case 'read':
    case 'write':
    case 'pread':
    case 'pwrite':
    case 'buf_read':
    case 'buf_write': {
      const { slot, bytes } = operation;
      if (typeof bytes !== 'number') return undefined;
      const form = 'offset' in operation ? 'positioned' : operation.operation.startsWith('buf') ? 'stream' : 'plain';
      return { slot, reads: operation.operation.endsWith('read'), form, place, bytes, startNs };
    }
    default:
      return undefined;
  }
}

/** The step that does a transfer. */
export function stepOf({ slot, reads, form, place, bytes, startNs }: Transfer): RecordedStep {
  let operation: ReplayOperation;
  if (form === 'positioned') operation = { operation: reads ? 'pread' : 'pwrite', slot, bytes, offset: place };
  else if (form === 'stream') operation = { operation: reads ? 'buf_read' : 'buf_write', slot, bytes };
  else operation = { operation: reads ? 'read' : 'write', slot, bytes };
  return { operation, startNs, place };
}

/** Transfers of one open file, one behind the other, that are made anew as other requests. */
export interface TransferRun {
  readonly slot: number;
  /** @returns whether the transfer was taken; otherwise the run is at its end. */
  add(transfer: Transfer): boolean;
  /** Hands out what is still held back. */
  finish(): void;
}

/** Makes a run that begins with a transfer, and takes it; undefined leaves the transfer as it is. */
type BeginRun = (transfer: Transfer, output: RecordedStep[]) => TransferRun | undefined;

/** Whether one transfer goes on where another ends. */
export function follows(before: Transfer, end: number, next: Transfer): boolean {
  if (before.reads !== next.reads || before.form !== next.form) return false;
  if (Number.isNaN(end) || Number.isNaN(next.place))
    return next.form !== 'positioned' && Number.isNaN(end) === Number.isNaN(next.place);
  return end === next.place;
}

/**
 * Makes the transfers of one task anew. Within a run reads may be done earlier and writes later than they were, past think
 * time and what is done to other files; never past a synchronisation with another task, nor past anything else that is
 * done to the same file. So every file holds the same in the end, and every read sees the same.
 */
export function rewriteTransfers(steps: readonly RecordedStep[], begin: BeginRun): RecordedStep[] {
  const rewriter = new Rewriter(begin);
  for (const step of steps) rewriter.take(step);
  rewriter.finishAll();
  return rewriter.output;
}

class Rewriter {
  readonly output: RecordedStep[] = [];
  /** In the order in which they began. */
  private readonly runs = new Map<number, TransferRun>();
  private readonly pathOf = new Map<number, string>();

  constructor(private readonly begin: BeginRun) {}

  take(step: RecordedStep): void {
    const transfer = transferOf(step);
    if (transfer !== undefined) {
      this.transfer(transfer, step);
      return;
    }
    this.finishFor(step.operation);
    this.output.push(step);
  }

  private transfer(transfer: Transfer, step: RecordedStep): void {
    const { slot } = transfer;
    const path = this.pathOf.get(slot);
    for (const other of [...this.runs.keys()])
      if (other !== slot && this.pathOf.get(other) === path) this.finish(other);
    if (this.runs.get(slot)?.add(transfer) === true) return;
    this.finish(slot);
    const run = this.begin(transfer, this.output);
    if (run === undefined) this.output.push(step);
    else this.runs.set(slot, run);
  }

  /** Ends the runs that an operation must not come between. */
  private finishFor(operation: ReplayOperation): void {
    switch (operation.operation) {
      case 'sleep':
        return;
      case 'open':
      case 'fopen':
        this.finishPath(operation.path);
        this.pathOf.set(operation.slot, operation.path);
        return;
      case 'stat':
      case 'mkdir':
        this.finishPath(operation.path);
        return;
      case 'close':
      case 'fclose':
      case 'seek':
      case 'buf_seek':
      case 'sync':
      case 'truncate':
      case 'lock':
      case 'unlock':
        this.finishPath(this.pathOf.get(operation.slot));
        return;
      default:
        this.finishAll();
    }
  }

  private finishPath(path: string | undefined): void {
    for (const slot of [...this.runs.keys()]) if (this.pathOf.get(slot) === path) this.finish(slot);
  }

  private finish(slot: number): void {
    this.runs.get(slot)?.finish();
    this.runs.delete(slot);
  }

  finishAll(): void {
    for (const slot of [...this.runs.keys()]) this.finish(slot);
  }
}
