import { NEWLINE } from '../text/bytes.ts';

/** A call, the two halves of a split call, an exit or a signal, each with what may stand in front of it. */
const PREFIX = String.raw`(?:\[pid +\d+(?:<.*?>)?\] |\d+(?:<.*?>)? +)?(?:[\d:.]+ )?(?:\(\+ *[\d.]+\) )?(?:\[[ \da-f?]+\] )*`;
const LINE = new RegExp(
  String.raw`^ *${PREFIX}(?:\w+\(.*\) += (?:-?\d|0x|\?)|\w+\(.*<unfinished \.\.\.>$|<\.\.\. \w+ resumed>|\+\+\+ (?:exited|killed|superseded)|--- SIG|--- stopped)`,
);

/** `ESC [ … m` */
const COLOUR = new RegExp(String.raw`${String.fromCharCode(27)}\[[\d;]*m`, 'g');

const MOST_LINES = 2000;
const LONGEST_LINE = 10_000;

/** Whether text holds at least one line of `strace`. What stands around it (garbage, the program's output) is no matter. */
export function looksLikeStrace(head: Uint8Array): boolean {
  const decoder = new TextDecoder('latin1');
  let from = 0;
  // Line by line: most often the first one decides, and a folder may hold thousands of files.
  for (let lines = 0; lines < MOST_LINES && from < head.length; lines++) {
    const newline = head.indexOf(NEWLINE, from);
    const end = newline < 0 ? head.length : newline;
    if (end - from < LONGEST_LINE && isStraceLine(decoder.decode(head.subarray(from, end)))) return true;
    from = end + 1;
  }
  return false;
}

function isStraceLine(line: string): boolean {
  return LINE.test(
    line
      .replace(COLOUR, '')
      .replaceAll('\0', '')
      .replace(/^ï»¿|\r$/g, ''),
  );
}
