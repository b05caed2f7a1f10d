const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);

/** An object of an array, or the bytes from where one is cut off. */
type FoundObject = { readonly value: unknown } | { readonly cut: true };

/**
 * The objects of the array under a key at the top of a JSON text, one after the other: the whole may be longer than any text
 * can be, and what stands before a damaged place is kept. Nothing when there is no such array.
 */
export function* objectsUnder(bytes: Uint8Array, key: string): Generator<FoundObject> {
  const from = arrayUnder(bytes, key);
  if (from === undefined) return;
  const decoder = new TextDecoder();
  let start = -1;
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (OPEN.has(byte)) {
      if (depth++ === 0) start = at;
    } else if (CLOSE.has(byte)) {
      if (depth === 0) return;
      if (--depth === 0) yield parsed(decoder.decode(bytes.subarray(start, at + 1)));
    }
  }
  yield { cut: true };
}

function parsed(text: string): FoundObject {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { cut: true };
  }
}

/** Where the array's first element begins. */
function arrayUnder(bytes: Uint8Array, key: string): number | undefined {
  const wanted = new TextEncoder().encode(`"${key}"`);
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (OPEN.has(byte)) depth++;
    else if (CLOSE.has(byte)) depth--;
    else if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      const found =
        depth === 1 && end - at + 1 === wanted.length && wanted.every((letter, i) => bytes[at + i] === letter);
      if (found) {
        const rest = /^\s*:\s*\[/.exec(new TextDecoder().decode(bytes.subarray(end + 1, end + 101)));
        if (rest !== null) return end + 1 + rest[0].length;
      }
      at = end;
    }
  }
  return undefined;
}

/** Where the text that begins here has its closing quote. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
