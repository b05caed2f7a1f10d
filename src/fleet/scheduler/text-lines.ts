const NEWLINE = 10;

/** Lines of a text without their ends; each is decoded by itself, so that no text is too long. Bad bytes become U+FFFD. */
export function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder();
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (from < bytes.length) {
    const found = bytes.indexOf(NEWLINE, from);
    const end = found < 0 ? bytes.length : found;
    yield decoder.decode(bytes.subarray(from, end)).replace(/\r$/, '');
    from = end + 1;
  }
}

/** The first line that is not empty; undefined when none is near the beginning. */
export function firstLine(bytes: Uint8Array): string | undefined {
  for (const line of linesOf(bytes.subarray(0, 65_536))) if (line.trim() !== '') return line;
  return undefined;
}
