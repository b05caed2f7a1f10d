/**
 * The name of a recording by its program and the time, such as `heat2d-2026-11-28-112005`: names in the order of their
 * texts are in that of the runs, and no two runs have one.
 */
export function timedName(program: string, when: Date): string {
  const base = program
    .split('/')
    .at(-1)!
    .replace(/[^\p{L}\p{N}_.+@-]+/gu, '_');
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [when.getFullYear(), two(when.getMonth() + 1), two(when.getDate())].join('-');
  const time = [when.getHours(), when.getMinutes(), when.getSeconds()].map(two).join('');
  return `${base === '' ? 'program' : base}-${day}-${time}`;
}

/** The program that a recording is named by; the whole name, without its ending, where it was given another one. */
export function namedProgram(name: string): string {
  return TIMED.exec(name)?.groups!['program'] ?? name.replace(ENDING, '');
}

const ENDING = /\.(iolens|strace(\.\w+)?)$/;
/** What `timedName` gives, with a number behind it where the program ran twice within the second. */
const TIMED =
  /^(?<program>.+)-(?<year>\d{4})-(?<day>\d\d-\d\d)-(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?<repeat>-\d+)?\.(iolens|strace(\.\w+)?)$/;

/** Such a name as it is shown where there is little room: `heat2d 11-28 11:20:05`, with the year where it is over. */
export function shownName(name: string, now: Date): string {
  const groups = TIMED.exec(name)?.groups;
  if (groups === undefined) return name;
  const { program, year, day, hour, minute, second, repeat = '' } = groups;
  const date = year === String(now.getFullYear()) ? day : `${year}-${day}`;
  return `${program} ${date} ${hour}:${minute}:${second}${repeat}`;
}
