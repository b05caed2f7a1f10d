import { ascii } from './bytes.ts';

/** What a frame of a call stack begins with, in a line of its own behind the call's. */
export const FRAME = ascii(' > ');

/** Whether the line at `from` is a frame of a call stack. */
export function isFrameLine(bytes: Uint8Array, from: number): boolean {
  return bytes[from] === FRAME[0] && bytes[from + 1] === FRAME[1] && bytes[from + 2] === FRAME[2];
}
