import type { Amount, Insight, InsightFile, Recommendation, Snippet } from '../insight.ts';
import type { Message, Slot } from '../message.ts';
import { SLOTS, type SlotName } from '../slots.ts';

/** Longest text of a trigger that a user wrote. */
const MOST_CHARACTERS = 10_000;

const SEVERITIES: readonly unknown[] = ['high', 'warn', 'info', 'ok'];
const LANGUAGES: readonly unknown[] = ['c', 'cpp', 'fortran', 'python', 'shell'];

/**
 * What a user's trigger found, checked and copied: nothing but plain data goes on to other threads and into documents.
 *
 * @throws TypeError in words for the author of the trigger.
 */
export function plainInsight(insight: Insight, files: number): Insight {
  const { severity, message, evidence } = insight;
  if (!SEVERITIES.includes(severity)) throw new TypeError("severity must be 'high', 'warn', 'info' or 'ok'");
  return {
    ...insight,
    message: plainMessage('message', message),
    evidence: numbers(evidence),
    files: list('files', insight.files).map((file) => plainFile(file, files)),
    recommendations: list('recommendations', insight.recommendations).map(plainRecommendation),
    sites: insight.sites.map((site) => ({ ...site, message: plainMessage('subject', site.message) })),
  };
}

function plainMessage(property: string, message: Message): Message {
  if (!Array.isArray(message)) return text(property, message);
  return (message as readonly unknown[]).map((part) => {
    if (typeof part === 'string') return part.slice(0, MOST_CHARACTERS);
    const { amount, name, shareOfTime, ...slot } = fields(property, part);
    if (name !== undefined) return plainSlot(property, { name, ...slot });
    return { amount: plainAmount(fields('amount', amount)), shareOfTime: number('shareOfTime', shareOfTime) };
  });
}

/** Slots stand in what is told around the user's own words. */
function plainSlot(property: string, { name, value, text: shown }: Readonly<Record<string, unknown>>): Slot {
  if (typeof name !== 'string' || !Object.hasOwn(SLOTS, name)) throw new TypeError(`${property} has an unknown slot`);
  const held = typeof value === 'string' ? text(property, value) : number(property, value);
  return { name: name as SlotName, value: held, text: text(property, shown) };
}

function text(property: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${property} must be a text`);
  return value.slice(0, MOST_CHARACTERS);
}

function list(property: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${property} must be a list`);
  return value as unknown[];
}

function fields(property: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${property} must be an object`);
  return value as Readonly<Record<string, unknown>>;
}

function number(property: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`${property} must be a number`);
  return value;
}

function numbers(evidence: unknown): Record<string, number> {
  const entries = Object.entries(fields('evidence', evidence));
  return Object.fromEntries(entries.map(([name, value]) => [name, number(`evidence.${name}`, value)]));
}

function plainFile(value: unknown, files: number): InsightFile {
  const { file, ...amount } = fields('an entry of files', value);
  const index = number('file', file);
  if (!Number.isInteger(index) || index < 0 || index >= files) throw new TypeError(`there is no file ${index}`);
  return { file: index, ...plainAmount(amount) };
}

function plainAmount({ events, bytes, timeNs }: Readonly<Record<string, unknown>>): Amount {
  return { events: number('events', events), bytes: number('bytes', bytes), timeNs: number('timeNs', timeNs) };
}

function plainRecommendation(value: unknown): Recommendation {
  const { text: words, audience = 'code', snippet, alternatives } = fields('a recommendation', value);
  if (audience !== 'code' && audience !== 'job') throw new TypeError("audience must be 'code' or 'job'");
  return {
    audience,
    text: text('text', words),
    ...(snippet !== undefined && { snippet: plainSnippet(snippet) }),
    ...(alternatives !== undefined && { alternatives: list('alternatives', alternatives).map(plainSnippet) }),
  };
}

function plainSnippet(value: unknown): Snippet {
  const { language, title, code } = fields('snippet', value);
  if (!LANGUAGES.includes(language)) throw new TypeError('language must be one of c, cpp, fortran, python, shell');
  return { language: language as Snippet['language'], title: text('title', title), code: text('code', code) };
}
