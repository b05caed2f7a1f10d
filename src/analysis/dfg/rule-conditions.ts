import { fileName } from '../../base/path-names.ts';
import type { MappedEvent } from './mapped-event.ts';

/** Whether a rule is about an event. */
export type RuleCondition = (event: MappedEvent) => boolean;

const BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};
const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  min: 6e10,
};
const PLAIN: Readonly<Record<string, number>> = { '': 1 };

/** Attributes that are numbers, with the units that a value may have. */
const NUMBERS = {
  size: BYTES,
  requested: BYTES,
  offset: BYTES,
  start: NANOSECONDS,
  duration: NANOSECONDS,
  pid: PLAIN,
  thread: PLAIN,
  rank: PLAIN,
} as const;

/** Attributes that are texts: what each may be called. */
const TEXTS: Readonly<Record<string, (event: MappedEvent) => readonly string[] | null>> = {
  layer: ({ layer }) => [layer],
  recording: ({ recording }) => [recording, fileName(recording)],
  site: ({ site }) => {
    if (site === null) return null;
    const name = fileName(site.file);
    return [site.function, site.file, name, `${name}:${String(site.line)}`, `${site.file}:${String(site.line)}`];
  },
};

const ATTRIBUTES = [...Object.keys(NUMBERS), ...Object.keys(TEXTS)];
const COMPARED: Readonly<Record<string, (found: number, from: number, to: number) => boolean>> = {
  '<': (found, from) => found < from,
  '<=': (found, _, to) => found <= to,
  '>': (found, _, to) => found > to,
  '>=': (found, from) => found >= from,
  '=': (found, from, to) => found >= from && found <= to,
  '!=': (found, from, to) => found < from || found > to,
};

/**
 * Reads `size >= 1 MiB, rank = 0-3, duration < 2 ms, layer = POSIX, site = save.c:42`: all must hold. What a recording does
 * not know of an event is in no condition.
 * @throws RangeError that says which part is wrong and what was expected.
 */
export function parseConditions(text: string): RuleCondition[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseCondition);
}

function parseCondition(part: string): RuleCondition {
  const [, attribute = '', operator = '', value = ''] = /^(\w+)\s*([<>!]=|[<>=])\s*(.+)$/.exec(part) ?? [];
  if (!ATTRIBUTES.includes(attribute))
    throw wrong(part, `a condition such as "size >= 1 MiB" on one of ${ATTRIBUTES.join(', ')}`);
  const namesOf = TEXTS[attribute];
  if (namesOf === undefined) return numberCondition(part, attribute as keyof typeof NUMBERS, operator, value);
  if (operator !== '=' && operator !== '!=') throw wrong(part, `${attribute} = or != a name`);
  const wanted = value.toLowerCase();
  return (event) => {
    const names = namesOf(event);
    return names?.some((name) => name.toLowerCase() === wanted) === (operator === '=');
  };
}

function numberCondition(
  part: string,
  attribute: keyof typeof NUMBERS,
  operator: string,
  value: string,
): RuleCondition {
  const units = NUMBERS[attribute];
  const [, from = '', to = from] = /^([\d.]+\s*[a-zµ]*)(?:\s*-\s*([\d.]+\s*[a-zµ]*))?$/i.exec(value) ?? [];
  const [least, most] = [numberOf(from, units), numberOf(to, units)];
  if (least === undefined || most === undefined || most < least) throw wrong(part, expectedOf(units));
  const compares = COMPARED[operator]!;
  return (event) => {
    const found = event[attribute];
    return found !== null && compares(found, least, most);
  };
}

/** undefined where it is none, or has another unit. */
function numberOf(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-zµ]*)$/i.exec(text.trim()) ?? [];
  const known = units === BYTES ? unit.toLowerCase().replace(/(?<=[kmgt])(i?b)$/, '') : unit.toLowerCase();
  // Nothing is nothing in any unit.
  const factor = Number(digits) === 0 && unit === '' ? 1 : Object.hasOwn(units, known) ? units[known] : undefined;
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

function expectedOf(units: Readonly<Record<string, number>>): string {
  if (units === BYTES) return 'bytes, such as 4096, 64K or 1 MiB, or a range of them: 1K-1M';
  if (units === NANOSECONDS) return 'a time with its unit (ns, us, ms, s, min), or a range: 1ms-1s';
  return 'a number, or a range: 0-3';
}

function wrong(part: string, expected: string): RangeError {
  return new RangeError(`"${part.slice(0, 80)}": ${expected} is expected`);
}
