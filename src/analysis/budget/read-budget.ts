import type { Severity } from '../triggers/insight.ts';
import type { Limit, LimitSubject, Quantity } from './budget.ts';

interface ReadBudget {
  readonly limits: readonly Limit[];
  /** In words for the user; an entry with a problem is not among `limits`. */
  readonly problems: readonly string[];
}

const SUBJECTS = ['line', 'function', 'file', 'trigger', 'severity', 'run'] as const;
type SubjectName = (typeof SUBJECTS)[number];

/** How quantities are called in the file, and how their values are read. */
const AMOUNTS: Readonly<Record<string, { quantity: Quantity; read: (value: unknown) => number | string }>> = {
  calls: { quantity: 'calls', read: wholeNumber },
  bytes: { quantity: 'bytes', read: byteCount },
  time: { quantity: 'timeNs', read: duration },
  share: { quantity: 'share', read: share },
  findings: { quantity: 'findings', read: wholeNumber },
};
const KNOWN = new Set<string>([...SUBJECTS, ...Object.keys(AMOUNTS), 'reason']);

/** Reads a budget. @param value anything that JSON can hold; nothing in it is passed over in silence. */
export function readBudget(value: unknown): ReadBudget {
  if (!isRecord(value) || !Array.isArray(value['limits']))
    return { limits: [], problems: ['an object with a list "limits" is expected'] };
  const problems = Object.keys(value)
    .filter((key) => key !== '$schema' && key !== 'limits')
    .map((key) => `"${key}" means nothing here: only "limits" is known`);
  const limits: Limit[] = [];
  value['limits'].forEach((entry: unknown, index) => {
    const limit = readLimit(entry);
    if (typeof limit === 'string') problems.push(`limit ${index + 1}: ${limit}`);
    else limits.push(limit);
  });
  return { limits, problems };
}

/** A limit, or what is wrong with it. */
function readLimit(entry: unknown): Limit | string {
  if (!isRecord(entry)) return 'an object is expected';
  const unknown = Object.keys(entry).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) return `"${unknown}" is not known: ${[...KNOWN].join(', ')}`;
  const named = SUBJECTS.filter((name) => name in entry);
  if (named.length !== 1) return `exactly one of ${SUBJECTS.join(', ')} says what is limited`;
  const subject = readSubject(named[0]!, entry[named[0]!]);
  if (typeof subject === 'string') return subject;
  const most: Partial<Record<Quantity, number>> = {};
  for (const [name, { quantity, read }] of Object.entries(AMOUNTS)) {
    if (!(name in entry)) continue;
    const amount = read(entry[name]);
    if (typeof amount === 'string') return `"${name}" ${amount}`;
    most[quantity] = amount;
  }
  if (Object.keys(most).length === 0) return `nothing is limited: ${Object.keys(AMOUNTS).join(', ')}`;
  const isOfFindings = subject.kind === 'trigger' || subject.kind === 'severity';
  if (most.findings !== undefined && !isOfFindings && subject.kind !== 'run')
    return '"findings" can be limited of a trigger, a severity and the run';
  if (subject.kind === 'severity' && Object.keys(most).some((name) => name !== 'findings'))
    return 'of a severity only "findings" can be limited: one call can be in several findings';
  if (most.share !== undefined && subject.kind === 'run') return '"share" is of the run: the run has always all of it';
  const { reason = '' } = entry;
  if (typeof reason !== 'string') return '"reason" must be a text';
  return { subject, most, reason };
}

function readSubject(name: SubjectName, value: unknown): LimitSubject | string {
  if (name === 'run') return value === true ? { kind: 'run' } : '"run" is always true';
  if (typeof value !== 'string' || value === '') return `"${name}" must be a text`;
  switch (name) {
    case 'line': {
      const match = /^(.+):([1-9]\d{0,8})$/.exec(value);
      return match === null
        ? '"line" must be a file and a line, such as heat.c:22'
        : { kind: 'line', file: match[1]!, line: Number(match[2]) };
    }
    case 'function': {
      // A::b is a name of C++; a.c:b is one of a file.
      const match = /^(.*[^:]):([^:].*)$/.exec(value);
      return match === null || value.includes('::')
        ? { kind: 'function', name: value, file: '' }
        : { kind: 'function', name: match[2]!, file: match[1]! };
    }
    case 'file':
      return { kind: 'file', glob: value };
    case 'trigger':
      return { kind: 'trigger', trigger: value };
    case 'severity':
      return isSeverity(value) ? { kind: 'severity', severity: value } : '"severity" is one of high, warn, info';
  }
}

function isSeverity(value: string): value is Severity {
  return value === 'high' || value === 'warn' || value === 'info';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wholeNumber(value: unknown): number | string {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
    ? value
    : 'must be a whole number, 0 or more';
}

function share(value: unknown): number | string {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : 'must be a number from 0 to 1';
}

const SIZES: Readonly<Record<string, number>> = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

function byteCount(value: unknown): number | string {
  return typeof value === 'string' ? withUnit(value, SIZES, 'a size such as "400 KiB"') : wholeNumber(value);
}

const TIMES: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, min: 60e9 };

function duration(value: unknown): number | string {
  const form = 'a time such as "20 ms"';
  return typeof value === 'string' ? withUnit(value, TIMES, form) : `must be ${form}`;
}

function withUnit(text: string, units: Readonly<Record<string, number>>, form: string): number | string {
  const match = /^(\d+(?:\.\d+)?) ?([A-Za-zµ]+)$/.exec(text.trim());
  const unit = match === null || !Object.hasOwn(units, match[2]!) ? undefined : units[match[2]!];
  return unit === undefined ? `must be ${form}` : Number(match![1]) * unit;
}
