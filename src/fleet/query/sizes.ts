const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  KI: 2 ** 10,
  MI: 2 ** 20,
  GI: 2 ** 30,
  TI: 2 ** 40,
  PI: 2 ** 50,
};

/**
 * Bytes of a text such as `1GB` (powers of 1000, as the paper's figures have them), `512 MiB` (powers of 1024) or a plain
 * number. A plain letter is a power of 1000.
 * @returns undefined when the text is no size.
 */
export function parseSize(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([KMGTP]?i?)B?\s*$/i.exec(text);
  const unit = match === null ? undefined : UNITS[match[2]!.toUpperCase()];
  return unit === undefined ? undefined : Math.round(Number(match![1]) * unit);
}
