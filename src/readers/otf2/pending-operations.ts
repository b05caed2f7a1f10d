import { addToGroup } from '../../base/grouping.ts';
/** Operations that were begun and not seen complete. One that is asked for most often is the last one that began. */
export class PendingOperations {
  /** The latest ones, in the order of their begin; older ones stand in `older`. */
  private readonly recent: PendingOperation[] = [];
  private readonly older = new Map<string, PendingOperation[]>();

  add(operation: PendingOperation): void {
    const { recent } = this;
    if (recent.length === MOST_RECENT) {
      for (const old of recent.splice(0, MOST_RECENT / 2)) {
        const key = keyOf(old);
        addToGroup(this.older, key, old);
      }
    }
    recent.push(operation);
  }

  /** Takes the last operation out that was begun on a handle with this matching id; undefined when there is none. */
  take(handle: number, high: number, low: number): PendingOperation | undefined {
    const { recent } = this;
    for (let i = recent.length - 1; i >= 0; i--) {
      const operation = recent[i]!;
      if (operation.low !== low || operation.handle !== handle || operation.high !== high) continue;
      if (i === recent.length - 1) recent.pop();
      else recent.splice(i, 1);
      return operation;
    }
    if (this.older.size === 0) return undefined;
    const key = `${handle} ${high} ${low}`;
    const list = this.older.get(key);
    const operation = list?.pop();
    if (list?.length === 0) this.older.delete(key);
    return operation;
  }

  /** The last operation, which is still under way when it stands in this row. */
  isLast(row: number): PendingOperation | undefined {
    const last = this.recent.at(-1);
    return last?.row === row ? last : undefined;
  }

  /** All that are left. */
  all(): PendingOperation[] {
    return [...[...this.older.values()].flat(), ...this.recent];
  }
}

export interface PendingOperation {
  /** Index into `Trace.handles`, or NONE. */
  readonly handle: number;
  /** Halves of the matching id. */
  readonly high: number;
  readonly low: number;
  readonly row: number;
  readonly mode: number;
  readonly isNonBlocking: boolean;
  /** Nanoseconds. */
  readonly start: number;
}

/** A completion whose begin another thread of the process recorded. */
interface Completion {
  readonly handle: number;
  readonly high: number;
  readonly low: number;
  readonly end: number;
  readonly bytes: number;
  readonly isCancelled: boolean;
}

const MOST_RECENT = 32;

function keyOf({ handle, high, low }: PendingOperation): string {
  return `${handle} ${high} ${low}`;
}

/**
 * Completions by what they complete: each goes to the first operation that was begun before it.
 */
export class Completions {
  private readonly byOperation = new Map<string, Completion[]>();

  add(completion: Completion): void {
    const key = `${completion.handle} ${completion.high} ${completion.low}`;
    addToGroup(this.byOperation, key, completion);
  }

  take(operation: PendingOperation): Completion | undefined {
    const list = this.byOperation.get(keyOf(operation));
    const at = list?.findIndex(({ end }) => end >= operation.start) ?? -1;
    return at < 0 ? undefined : list!.splice(at, 1)[0];
  }

  /** How many nobody began. */
  get left(): number {
    return [...this.byOperation.values()].reduce((sum, list) => sum + list.length, 0);
  }
}
