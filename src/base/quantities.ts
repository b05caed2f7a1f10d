/** Numbers as people read them, the same in every message, report and view. */

/** `4,096`. By hand: the first use of `toLocaleString` loads the tables of all languages, 20 ms of a command's 100. */
export function formatCount(count: number): string {
  const digits = String(Math.round(count));
  return digits.includes('e') ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** `100 B`, `4 KiB`, `1.5 MiB`: powers of 1024, three digits. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${threeDigits(value)} ${BYTE_UNITS[unit]!}`;
}

/** `71 %`, `0.4 %`; of a share between 0 and 1. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent < 10 && percent % 1 !== 0 ? percent.toFixed(1).replace(/\.0$/, '') : Math.round(percent)} %`;
}

const TIME_UNITS: readonly [nanoseconds: number, unit: string][] = [
  [3600e9, 'h'],
  [60e9, 'min'],
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
];

/** `71 ms`, `1.25 s`, `90 s`, `119 min`, `2 h`; of nanoseconds. */
export function formatDuration(nanoseconds: number): string {
  for (const [size, unit] of TIME_UNITS) {
    if (nanoseconds >= size * (size > 1e9 ? 2 : 1)) return `${threeDigits(nanoseconds / size)} ${unit}`;
  }
  return `${Math.round(nanoseconds)} ns`;
}

/** `8.2 MB/s`: powers of 1000, as data rates are. */
export function formatRate(bytesPerSecond: number): string {
  const units = ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'];
  let unit = 0;
  let value = bytesPerSecond;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${threeDigits(value)} ${units[unit]!}`;
}

/** `1 write`, `2 writes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function threeDigits(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return formatCount(value);
  return String(Number(value.toPrecision(3)));
}

/** `, 71 ms`: behind other amounts; nothing where no durations were recorded. */
export function andDuration(nanoseconds: number): string {
  return nanoseconds > 0 ? `, ${formatDuration(nanoseconds)}` : '';
}
