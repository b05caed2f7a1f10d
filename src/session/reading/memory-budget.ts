/** What a session may take by default: a login node leaves a user that much. */
export const DEFAULT_MEMORY_BUDGET = 2 * 2 ** 30;

/**
 * Of the budget for everything but event tables: the program itself, names, stacks, sums (measured: docs/decisions/0026).
 */
const RESERVED = 512 * 2 ** 20;

/** What a pass over the events may put beside them, as a share of their bytes: some 40 an event (docs/decisions/0176). */
const WORK_SHARE = 0.5;

/** However small the budget is, this much of the event tables stays in memory. */
const LEAST_FOR_EVENTS = 64 * 2 ** 20;

/** Memory for the event tables of all recordings that are open in a session. */
export class MemoryBudget {
  private left: number;

  /** @param total bytes that the whole process may take. */
  constructor(total: number = DEFAULT_MEMORY_BUDGET) {
    this.left = Math.max(LEAST_FOR_EVENTS * (1 + WORK_SHARE), total - RESERVED);
  }

  /** Room for a chunk of an event table, and for what is worked out of it. */
  take(bytes: number): boolean {
    const needed = bytes * (1 + WORK_SHARE);
    if (needed > this.left) return false;
    this.left -= needed;
    return true;
  }

  giveBack(bytes: number): void {
    this.left += bytes * (1 + WORK_SHARE);
  }
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/**
 * Bytes of a text such as `2GiB`, `512 MiB`, `1.5G` or a plain number. K, M, G, T are powers of 1024, with or without `iB`.
 * @returns undefined when the text is no size.
 */
export function parseByteSize(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*$/i.exec(text);
  if (match === null) return undefined;
  return Math.floor(Number(match[1]) * UNITS[match[2]!.toUpperCase()]!);
}
