/** How Slurm's commands write single values; null where they say that nothing is known. */

const NOTHING = new Set(['', 'unknown', 'none', 'n/a', '(null)', 'null', 'none assigned', 'invalid']);

export function textOf(value: string | undefined): string | null {
  const text = value?.trim() ?? '';
  return NOTHING.has(text.toLowerCase()) ? null : text;
}

/** A time as it was written, and whether it says itself where it belongs. */
interface Instant {
  /** Seconds since 1970. */
  readonly seconds: number;
  /** Neither epoch nor offset: taken as UTC. */
  readonly withoutZone: boolean;
}

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(?<zone>Z|[+-]\d\d:?\d\d)?$/;

/** `1795252608`, `2026-11-21T09:16:48`, the same with `Z` or an offset. */
export function instantOf(value: string | undefined): Instant | null {
  const text = textOf(value);
  if (text === null) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) === 0 ? null : { seconds: Number(text), withoutZone: false };
  const match = ISO.exec(text);
  if (match === null) return null;
  const zone = match.groups!['zone'];
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  const milliseconds = Date.parse(zone === undefined ? `${iso}Z` : iso);
  return Number.isNaN(milliseconds) ? null : { seconds: milliseconds / 1000, withoutZone: zone === undefined };
}

/** `[D-]HH:MM:SS[.fff]`, `MM:SS`, and Python's `1 day, 2:03:04`: seconds. */
export function durationOf(value: string | undefined): number | null {
  const text = textOf(value);
  const match = text && /^(?:(?<days>\d+)(?:-| days?, ))?(?<clock>\d+(?::\d+){1,2}(?:\.\d+)?)$/.exec(text);
  if (!match) return null;
  const clock = match.groups!['clock']!.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return Number(match.groups!['days'] ?? 0) * 86_400 + clock;
}

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** A count: `4`, `2-2` (least to most: the least), `4K`. */
export function countOf(value: string | undefined): number | null {
  const match = /^(\d+(?:\.\d+)?)([KMGT])?(?:-\d+[KMGT]?)?$/.exec(textOf(value) ?? '');
  return match === null ? null : Math.round(Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1));
}

/** `code:signal`. */
export function exitOf(value: string | undefined): { exit_code: number | null; exit_signal: number | null } {
  const match = /^(\d+)(?::(\d+))?$/.exec(textOf(value) ?? '');
  return match === null
    ? { exit_code: null, exit_signal: null }
    : { exit_code: Number(match[1]), exit_signal: Number(match[2] ?? 0) };
}

/** The first word: `CANCELLED by 0` is `CANCELLED`. */
export function stateOf(value: string | undefined): string | null {
  return (
    textOf(value)
      ?.split(/[\s,+]/)[0]
      ?.toUpperCase() ?? null
  );
}

export const UNFINISHED_STATES: readonly string[] = [
  'PENDING',
  'RUNNING',
  'SUSPENDED',
  'CONFIGURING',
  'STOPPED',
  'SIGNALING',
  'STAGE_OUT',
  'RESIZING',
  'REQUEUED',
  'REQUEUE_HOLD',
  'RESV_DEL_HOLD',
  'SPECIAL_EXIT',
];
const UNFINISHED = new Set(UNFINISHED_STATES);

/** The controller tells when such a job is expected to end; it has not. */
export function isUnfinished(state: string | null): boolean {
  return state !== null && UNFINISHED.has(state);
}

/** Has it not begun? Its start is then an expectation too. */
export function isWaiting(state: string | null): boolean {
  return state === 'PENDING' || state === 'CONFIGURING' || state?.startsWith('REQUEUE') === true;
}
