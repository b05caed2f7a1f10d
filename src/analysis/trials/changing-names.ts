import type { Outcome } from './outcome.ts';

/** The kind of a file's name; undefined where it is a name like any other. */
export type KindOfName = (name: string) => string | undefined;

/**
 * Tells names that are others in each run, such as those with process identifiers, dates or random letters, by what the names
 * of several runs have in common.
 */
export function changingNames(runs: readonly Outcome[]): KindOfName {
  const all = new Set(runs.flatMap(({ files }) => [...files.keys()]));
  const some = [...all].filter((name) => !runs.every(({ files }) => files.has(name)));
  const fixed = new Set([...all].filter((name) => !some.includes(name)));
  const numbered = new Set(some.filter((name) => /\d/.test(name)).map(withoutNumbers));
  const templates = templatesOf(some);
  return (name) => {
    if (fixed.has(name)) return undefined;
    const template = templates.find((each) => fits(name, each));
    if (template !== undefined) return template.replaceAll(ANY, '#');
    const shape = withoutNumbers(name);
    return numbered.has(shape) ? shape : undefined;
  };
}

function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, '#');
}

/** Stands for any letter, digit or underscore; no path holds it. */
const ANY = '\0';

/** Of names of one folder and length that differ in letters and digits only: what they have in common. */
function templatesOf(names: readonly string[]): string[] {
  const alike = new Map<string, string[]>();
  for (const name of names) {
    const key = JSON.stringify([name.slice(0, name.lastIndexOf('/') + 1), name.replace(/\w/g, ANY)]);
    alike.set(key, [...(alike.get(key) ?? []), name]);
  }
  return [...alike.values()].flatMap(([first = '', ...others]) => {
    if (others.length === 0) return [];
    const letters = Array.from({ length: first.length }, (_, i) => first[i]!);
    return [letters.map((letter, i) => (others.every((other) => other[i] === letter) ? letter : ANY)).join('')];
  });
}

function fits(name: string, template: string): boolean {
  if (name.length !== template.length) return false;
  for (let i = 0; i < name.length; i++)
    if (template[i] === ANY ? !/\w/.test(name[i]!) : template[i] !== name[i]) return false;
  return true;
}
