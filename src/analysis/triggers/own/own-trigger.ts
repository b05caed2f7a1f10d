import { COUNTER_CATALOGUE, OWN_COUNTER_TRIGGERS } from '../counters/counter-catalogue.ts';
import type { CounterTrigger } from '../counters/counter-trigger.ts';
import { CATALOGUE } from '../catalogue.ts';
import type { Message } from '../message.ts';
import type { SiteTrigger } from '../trigger.ts';

/** A trigger that a user wrote (docs/triggers.md): over what a Darshan log counts, or over the metrics of call sites. */
export type OwnTrigger = CounterTrigger<Message> | SiteTrigger<Message>;

/** A trigger with the file that it was read from. */
export interface LoadedTrigger {
  readonly file: string;
  readonly trigger: OwnTrigger;
}

const KNOWN = [...CATALOGUE, ...COUNTER_CATALOGUE, ...OWN_COUNTER_TRIGGERS];
const KNOWN_CODES: ReadonlySet<string> = new Set(KNOWN.map(({ code }) => code));
const KNOWN_NAMES: ReadonlySet<string> = new Set(KNOWN.map(({ name }) => name));

/** What is a function in a trigger of each kind; true: it must be there. */
const FUNCTIONS = {
  counters: { examine: true },
  site: {
    offending: true,
    subject: true,
    recommend: true,
    when: false,
    drishti: false,
    local: false,
    never: false,
    evidence: false,
    atMost: false,
  },
} as const;

const SEVERITIES: readonly unknown[] = ['high', 'warn', 'info', 'ok'];

/**
 * Tells whether what a module exports is a trigger.
 *
 * @returns what is wrong with it in words for its author, or undefined.
 */
export function problemOfTrigger(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'an object is expected';
  const trigger = value as Readonly<Record<string, unknown>>;
  const { kind, code, name, title } = trigger;
  if (kind !== 'counters' && kind !== 'site') return "kind must be 'counters' or 'site'";
  if (typeof code !== 'string' || !/^[A-Z]{1,8}\d{1,4}$/.test(code))
    return "code must be letters and digits, such as 'X01'";
  if (KNOWN_CODES.has(code)) return `the code ${code} is taken`;
  if (typeof name !== 'string' || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    return "name must be words with dashes, such as 'many-opens'";
  if (KNOWN_NAMES.has(name)) return `the name ${name} is taken`;
  if (typeof title !== 'string' || title === '') return 'title must be a text';
  if (kind === 'counters' || trigger['severity'] !== undefined) {
    if (!SEVERITIES.includes(trigger['severity'])) return "severity must be 'high', 'warn', 'info' or 'ok'";
  }
  if (!['undefined', 'string'].includes(typeof trigger['module']))
    return 'module must be the name of a module, such as POSIX';
  for (const [property, isNeeded] of Object.entries(FUNCTIONS[kind])) {
    const type = typeof trigger[property];
    if (type !== 'function' && (isNeeded || type !== 'undefined')) return `${property} must be a function`;
  }
  return undefined;
}
