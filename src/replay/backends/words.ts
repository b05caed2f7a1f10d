const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes in the unit that suits; whole where they are whole. */
export function sizeText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 1)} ${UNITS[unit]!}`;
}

export function bandwidthText(bytesPerSecond: number): string {
  return `${(bytesPerSecond / 2 ** 20).toFixed(bytesPerSecond < 2 ** 23 ? 2 : 0)} MiB/s`;
}

/** Seconds in the unit that suits. */
export function durationText(seconds: number): string {
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(1)} µs`;
  return seconds < 1 ? `${(seconds * 1e3).toFixed(2)} ms` : `${seconds.toFixed(2)} s`;
}
