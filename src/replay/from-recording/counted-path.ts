/** A path of which the last number may count. */
interface CountedPath {
  readonly before: string;
  /** The number as it stands there. */
  readonly digits: string;
  readonly after: string;
}

/** Numbers of more digits are names. */
const MOST_DIGITS = 9;

export function countedPath(path: string): CountedPath | undefined {
  const digits = path.match(/\d+/g)?.at(-1);
  if (digits === undefined || digits.length > MOST_DIGITS || /[{}]/.test(path)) return undefined;
  const at = path.lastIndexOf(digits);
  return { before: path.slice(0, at), digits, after: path.slice(at + digits.length) };
}

/** Digits that such a number has at least; 0 where it begins with no zero. */
export function leastDigits(digits: string): number {
  return digits.length > 1 && digits.startsWith('0') ? digits.length : 0;
}
