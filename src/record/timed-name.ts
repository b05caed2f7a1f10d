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
  const base = name.replace(/\.(iolens|strace(\.\w+)?)$/, '');
  return base.replace(/-\d{4}-\d\d-\d\d-\d{6}(-\d+)?$/, '');
}
