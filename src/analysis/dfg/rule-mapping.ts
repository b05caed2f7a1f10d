import { messageOf } from '../../base/error-message.ts';
import { parseFixedMapping, type FixedMapping } from './mapping-forms.ts';
import type { MappedEvent } from './mapped-event.ts';
import { matchesPath } from './path-glob.ts';
import { parseConditions, type RuleCondition } from './rule-conditions.ts';
import { topLevels, type SiteVariable } from './site-paths.ts';

/** A mapping that the user writes as plain data (docs/graph.md): nothing in it is run. All properties may be absent. */
interface MappingDocument {
  /** What calls become that no rule names: `call+path:2` and the like; null leaves them out. Default `call+path:2`. */
  readonly base?: string | null;
  /** Prefix of each variable: `{ "$SCRATCH": "/p/scratch/project" }`. */
  readonly siteVariables?: Readonly<Record<string, string>>;
  /** Calls that get one name: `{ "read*": "read|pread64" }`. */
  readonly callGroups?: Readonly<Record<string, string>>;
  /** Calls (or groups) to leave out. */
  readonly withoutCalls?: readonly string[];
  /** The first that fits gives the name. */
  readonly rules?: readonly MappingRule[];
  /** Folders that are one activity with everything in them. */
  readonly collapsed?: readonly string[];
}

interface MappingRule {
  /** Glob of paths, as recorded, or with a site variable in front; absent or '' for all calls, also those without a path. */
  readonly path?: string;
  /** Calls or groups, `write|pwrite64`; absent or '' for all. */
  readonly calls?: string;
  /** What must hold of the single call, `size >= 1 MiB, rank = 0-3` (rule-conditions.ts); absent or '' for all. */
  readonly when?: string;
  /** Name of the activity; `{call}`, `{path}`, `{path:2}`, `{name}` and `{host}` are filled in; null leaves the calls out. */
  readonly name: string | null;
}

/** What a mapping document may hold at most: it is applied to every different pair of call and path. */
const MOST_RULES = 200;
const MOST_ENTRIES = 200;
const LONGEST_TEXT = 500;
const PLACEHOLDER = /\{(call|path|name|host)(?::(\d{1,2}))?\}/g;

/** An event as rules see it. */
export interface RuledEvent {
  readonly call: string;
  /** As recorded, and with site variables; null without a file. */
  readonly path: string | null;
  readonly abbreviated: string | null;
  readonly host: string;
}

interface ParsedRule {
  readonly path: string;
  readonly calls: ReadonlySet<string> | null;
  readonly conditions: readonly RuleCondition[];
  readonly name: string | null;
}

/** A mapping document that was checked. */
export class MappingRules {
  readonly base: FixedMapping | null;
  readonly siteVariables: readonly SiteVariable[];
  readonly collapsed: readonly string[];
  private readonly withoutCalls: ReadonlySet<string>;
  private readonly groupOfCall = new Map<string, string>();
  private readonly rules: readonly ParsedRule[];

  /** @throws RangeError that says which property is wrong and what was expected. */
  constructor(document: unknown) {
    const checked = checkedDocument(document);
    this.base = checked.base === null ? null : parseFixedMapping(checked.base ?? 'call+path:2');
    this.siteVariables = Object.entries(checked.siteVariables ?? {}).map(([name, prefix]) => ({
      name: `$${name.replace(/^\$/, '')}`,
      prefix,
    }));
    for (const [group, calls] of Object.entries(checked.callGroups ?? {}))
      for (const call of callsIn(calls)) this.groupOfCall.set(call, group);
    this.withoutCalls = new Set(checked.withoutCalls);
    this.collapsed = checked.collapsed ?? [];
    this.rules = (checked.rules ?? []).map(({ path = '', calls = '', when = '', name }) => ({
      path,
      calls: calls === '' ? null : new Set(callsIn(calls)),
      conditions: parseConditions(when),
      name,
    }));
  }

  /** The name of a call's group, or its own. */
  groupedCall(call: string): string {
    return this.groupOfCall.get(call) ?? call;
  }

  leavesOut(call: string): boolean {
    return this.withoutCalls.has(call) || this.withoutCalls.has(this.groupedCall(call));
  }

  /** The name that the first fitting rule gives; null leaves the event out, undefined when no rule fits. */
  nameOf(event: RuledEvent, whole: MappedEvent | undefined): string | null | undefined {
    const group = this.groupedCall(event.call);
    const rule = this.rules.find(
      (each) =>
        this.isAbout(each, event, group) && each.conditions.every((holds) => whole !== undefined && holds(whole)),
    );
    if (rule === undefined) return undefined;
    return rule.name === null ? null : filledIn(rule.name, group, event);
  }

  /** Whether calls of one name on one file can have several names: a rule with conditions comes first. */
  dependsOnMore(event: RuledEvent): boolean {
    const group = this.groupedCall(event.call);
    return (this.rules.find((rule) => this.isAbout(rule, event, group))?.conditions ?? []).length > 0;
  }

  private isAbout({ path, calls }: ParsedRule, event: RuledEvent, group: string): boolean {
    if (calls !== null && !calls.has(event.call) && !calls.has(group)) return false;
    return path === '' || fits(event, path);
  }
}

function filledIn(name: string, call: string, { abbreviated, host }: RuledEvent): string {
  const path = abbreviated ?? '';
  return name.replace(PLACEHOLDER, (_, what: string, levels: string | undefined) => {
    if (what === 'call') return call;
    if (what === 'host') return host;
    if (what === 'name') return path.slice(path.lastIndexOf('/') + 1);
    return levels === undefined ? path : topLevels(path, Number(levels));
  });
}

function fits({ path, abbreviated }: RuledEvent, pattern: string): boolean {
  const against = pattern.startsWith('$') ? abbreviated : path;
  return against !== null && matchesPath(against, pattern);
}

function callsIn(text: string): string[] {
  return text
    .split('|')
    .map((call) => call.trim())
    .filter((call) => call !== '');
}

const PROPERTIES = ['base', 'siteVariables', 'callGroups', 'withoutCalls', 'rules', 'collapsed'];

function checkedDocument(value: unknown): MappingDocument {
  if (!isRecord(value)) throw wrong('a mapping', 'an object', value);
  for (const name of Object.keys(value))
    if (!PROPERTIES.includes(name) && name !== '$schema')
      throw new RangeError(`mapping: unknown property "${name.slice(0, 80)}"; known are ${PROPERTIES.join(', ')}`);
  const { base, siteVariables, callGroups, withoutCalls, rules, collapsed } = value;
  if (base !== undefined && base !== null && typeof base !== 'string')
    throw wrong('base', 'call+path:N, path:N, call, call+file, site, or null', base);
  checkTexts('siteVariables', siteVariables);
  checkTexts('callGroups', callGroups);
  for (const prefix of Object.values((siteVariables ?? {}) as Record<string, string>))
    if (!prefix.startsWith('/')) throw wrong('siteVariables', 'absolute paths', prefix);
  checkList('withoutCalls', withoutCalls, MOST_ENTRIES);
  checkList('collapsed', collapsed, MOST_ENTRIES);
  if (rules !== undefined) {
    if (!Array.isArray(rules) || rules.length > MOST_RULES)
      throw wrong('rules', `a list of at most ${MOST_RULES}`, rules);
    rules.forEach((rule: unknown, i) => checkRule(rule, i + 1));
  }
  return value;
}

function checkRule(rule: unknown, number: number): void {
  if (!isRecord(rule)) throw wrong(`rule ${number}`, 'an object with path, calls, when and name', rule);
  for (const name of Object.keys(rule))
    if (!['path', 'calls', 'when', 'name'].includes(name))
      throw new RangeError(
        `mapping: rule ${number}: unknown property "${name.slice(0, 80)}"; known are path, calls, when, name`,
      );
  for (const name of ['path', 'calls', 'when'])
    if (rule[name] !== undefined && !isShortText(rule[name]))
      throw wrong(`rule ${number}: ${name}`, 'a text', rule[name]);
  try {
    parseConditions((rule['when'] as string | undefined) ?? '');
  } catch (error) {
    throw new RangeError(`mapping: rule ${number}: when: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (rule['name'] !== null && (!isShortText(rule['name']) || rule['name'].trim() === ''))
    throw wrong(`rule ${number}: name`, 'a text that is not empty, or null to leave the calls out', rule['name']);
}

function checkTexts(property: string, value: unknown): void {
  if (value === undefined) return;
  const isFine =
    isRecord(value) &&
    Object.entries(value).length <= MOST_ENTRIES &&
    Object.entries(value).every(([name, text]) => name !== '' && isShortText(name) && isShortText(text));
  if (!isFine) throw wrong(property, `an object of at most ${MOST_ENTRIES} names and texts`, value);
}

function checkList(property: string, value: unknown, most: number): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.length > most || !value.every(isShortText))
    throw wrong(property, `a list of at most ${most} texts`, value);
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(what: string, expected: string, found: unknown): RangeError {
  const shown = (JSON.stringify(found) as string | undefined) ?? 'nothing';
  return new RangeError(`mapping: ${what} must be ${expected}, not ${shown.slice(0, 80)}`);
}
