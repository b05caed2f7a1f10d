/** A call, the two halves of a split call, an exit or a signal, each with what may stand in front of it. */
const PREFIX = String.raw`(?:\[pid +\d+(?:<.*?>)?\] |\d+(?:<.*?>)? +)?(?:[\d:.]+ )?(?:\(\+ *[\d.]+\) )?(?:\[[ \da-f?]+\] )*`;
const LINE = new RegExp(
  String.raw`^ *${PREFIX}(?:\w+\(.*\) += (?:-?\d|0x|\?)|\w+\(.*<unfinished \.\.\.>$|<\.\.\. \w+ resumed>|\+\+\+ (?:exited|killed|superseded)|--- SIG|--- stopped)`,
);

/** `ESC [ … m` */
const COLOUR = new RegExp(String.raw`${String.fromCharCode(27)}\[[\d;]*m`, 'g');

/** Whether text holds at least one line of `strace`. What stands around it (garbage, the program's output) is no matter. */
export function looksLikeStrace(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head);
  return text
    .replace(COLOUR, '')
    .replaceAll('\0', '')
    .split('\n', 2000)
    .some((line) => line.length < 10_000 && LINE.test(line.replace(/^ï»¿|\r$/g, '')));
}
