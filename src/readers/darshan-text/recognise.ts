import { ascii, NEWLINE, startsWith } from '../text/bytes.ts';

/** Beginnings of lines that only darshan-parser and darshan-dxt-parser write. */
const MARKS = [
  '# darshan log version: ',
  '#<module>\t<rank>\t<record id>\t<counter>\t',
  '# DXT, file_id: ',
  '# DXT_POSIX module data',
  '# DXT_MPIIO module data',
  ' X_POSIX ',
  ' X_MPIIO ',
].map(ascii);

/** A row of counters, for text of which the head was cut off: `POSIX	-1	1234	POSIX_OPENS	16	…`. */
const ROW = /^[A-Z][\w/-]*\t-?\d+\t\d+\t[A-Z][A-Z\d]*_\w+\t[^\t]*\t/;
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const LONGEST_ROW = 10_000;
const UPPER_A = 65;
const UPPER_Z = 90;

/**
 * Whether text holds the output of darshan-parser or darshan-dxt-parser. What stands in front of it (warnings, the mail
 * that it came in) is no matter.
 */
export function looksLikeDarshanText(head: Uint8Array): boolean {
  const decoder = new TextDecoder('latin1');
  for (let from = startsWith(head, 0, head.length, BYTE_ORDER_MARK) ? 3 : 0; from < head.length;) {
    if (MARKS.some((mark) => startsWith(head, from, head.length, mark))) return true;
    const newline = head.indexOf(NEWLINE, from);
    const end = newline < 0 ? head.length : newline;
    const first = head[from]!;
    if (first >= UPPER_A && first <= UPPER_Z && end - from < LONGEST_ROW) {
      if (ROW.test(decoder.decode(head.subarray(from, end)))) return true;
    }
    from = end + 1;
  }
  return false;
}
