import { formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../../base/quantities.ts';

/** Amounts as people read them, and as axes of charts show them. */

export type Unit = 'count' | 'number' | 'bytes' | 'rate' | 'seconds' | 'share' | 'percent';

export function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case 'count':
      return formatCount(value);
    case 'number':
      return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(4)));
    case 'bytes':
      return formatBytes(value);
    case 'rate':
      return formatRate(value);
    case 'seconds':
      return formatSeconds(value);
    case 'share':
      return formatShare(value);
    case 'percent':
      return formatShare(value / 100);
  }
}

export function formatSeconds(seconds: number): string {
  return seconds === 0 ? '0 s' : formatDuration(seconds * 1e9);
}

/** `Nov 21, 2026, 17:31:05 UTC`; the machine's own time zone unless another is given. */
export function formatDate(seconds: number, timeZone?: string): string {
  return new Date(seconds * 1000).toLocaleString('en-US', {
    dateStyle: 'medium',
    timeStyle: 'long',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  });
}

/** Numbers that grow to twelve digits are no help on an axis: rounded, with their unit. */
export function tickText(value: number, unit: Unit): string {
  if ((unit !== 'count' && unit !== 'number') || Math.abs(value) < 10_000) return formatValue(value, unit);
  return Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/**
 * Steps of an axis: powers of 1024 for bytes, as they are written.
 * @returns undefined where steps of ten do.
 */
export function axisStep(most: number, unit: Unit): number | undefined {
  if (unit !== 'bytes' || most <= 0) return undefined;
  const power = 1024 ** Math.floor(Math.log2(most) / 10);
  const scaled = most / power;
  const step = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].find((each) => scaled / each <= 5) ?? 256;
  return power * step;
}
