import { printable } from '../export/report/report-text.ts';

/** A line for the user on standard error. Names in it come from recordings: none reaches the terminal as it is. */
export function say(text: string): void {
  process.stderr.write(`iolens: ${printable(text)}\n`);
}
