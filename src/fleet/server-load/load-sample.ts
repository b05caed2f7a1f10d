/** What targets count from the start of their server on. */
export const QUANTITIES = [
  'bytesRead',
  'bytesWritten',
  'operations',
  'opens',
  'closes',
  'creates',
  'removes',
  'renames',
  'getattrs',
  'setattrs',
] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** Bytes and operations; null where nothing is known. */
export type Amounts = Readonly<Record<Quantity, number | null>>;

export const NOTHING_KNOWN: Amounts = Object.freeze({
  bytesRead: null,
  bytesWritten: null,
  operations: null,
  opens: null,
  closes: null,
  creates: null,
  removes: null,
  renames: null,
  getattrs: null,
  setattrs: null,
});

/** What a storage or metadata target did between two samples. */
export interface LoadSample extends Amounts {
  /** Seconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly cpuPercent: number | null;
  /** Bytes that are stored, at the end. */
  readonly bytesUsed: number | null;
}

/** What a cumulative counter grew by; one that has become less began again from 0 and shows what was done since. */
export function growth(before: number | null, now: number | null): number | null {
  if (before === null || now === null) return null;
  return now >= before ? now - before : now;
}

/** Both together, as far as they are known. */
export function sumOf(a: Amounts, b: Amounts): Amounts {
  const sums: Record<Quantity, number | null> = { ...NOTHING_KNOWN };
  for (const quantity of QUANTITIES) {
    const [first, second] = [a[quantity], b[quantity]];
    sums[quantity] = first === null || second === null ? (first ?? second) : first + second;
  }
  return sums;
}

/** One sample of two that follow each other. */
export function joined(first: LoadSample, second: LoadSample): LoadSample {
  const [before, after] = [first.end - first.start, second.end - second.start];
  const { cpuPercent } = first;
  return {
    ...sumOf(first, second),
    start: Math.min(first.start, second.start),
    end: Math.max(first.end, second.end),
    cpuPercent:
      cpuPercent === null || second.cpuPercent === null
        ? (cpuPercent ?? second.cpuPercent)
        : (cpuPercent * before + second.cpuPercent * after) / (before + after),
    bytesUsed: second.bytesUsed ?? first.bytesUsed,
  };
}
