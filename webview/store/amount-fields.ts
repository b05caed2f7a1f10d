import { formatBytes, formatCount, formatRate } from '../../src/base/quantities.ts';

/** Amounts as people type them into fields. */

const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 };
const BINARY: Readonly<Record<string, number>> = {
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
  p: 2 ** 50,
};

/**
 * `1.5 GiB`, `200 MB/s`, `4k`: bytes, or bytes a second. KiB and the like are powers of 1024, others of 1000.
 * @returns undefined for anything else.
 */
export function parseBytes(text: string): number | undefined {
  const [, digits, prefix, binary] =
    /^\s*(\d+(?:\.\d+)?)\s*([kmgtp]?)(i?)b?(?:\/s)?\s*$/i.exec(text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')) ?? [];
  if (digits === undefined || prefix === undefined) return undefined;
  if (binary !== '' && prefix === '') return undefined;
  const factor = (binary === '' ? FACTORS : BINARY)[prefix.toLowerCase()]!;
  const bytes = Math.round(Number(digits) * factor);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** `1 MiB`, `10 MB`, `1,234,567`: as `parseBytes` or `parseCount` reads it, without a byte less. */
export function bytesText(bytes: number): string {
  const texts = [formatBytes(bytes), formatRate(bytes).replace('/s', '')];
  return texts.find((text) => parseBytes(text) === bytes) ?? formatCount(bytes);
}

/** `2018-01-31`, UTC, as seconds since 1970. @returns undefined for anything else. */
export function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

/** The day of a moment, as `parseDay` reads it. */
export function dayText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** `4,096` and `4096`. @returns undefined for what is no whole number. */
export function parseCount(text: string): number | undefined {
  const digits = text.replace(/[,\s]/g, '');
  if (!/^\d+$/.test(digits)) return undefined;
  const count = Number(digits);
  return Number.isSafeInteger(count) ? count : undefined;
}
