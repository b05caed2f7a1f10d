/** Between the texts of the editor's fields and a mapping document (docs/graph.md). */

export interface RuleTexts {
  readonly path: string;
  readonly calls: string;
  /** Conditions on the single call: `size >= 1M, rank = 0-3`. */
  readonly when: string;
  /** '' leaves the calls out. */
  readonly name: string;
}

export interface MappingTexts {
  /** '' leaves out what no rule names. */
  readonly base: string;
  /** Lines `$SCRATCH = /p/scratch`. */
  readonly siteVariables: string;
  /** Lines `read* = read|pread64`. */
  readonly callGroups: string;
  /** Calls with commas or blanks between them. */
  readonly withoutCalls: string;
  readonly rules: readonly RuleTexts[];
}

export const EMPTY_MAPPING: MappingTexts = {
  base: 'call+path:2',
  siteVariables: '',
  callGroups: '',
  withoutCalls: '',
  rules: [],
};

/**
 * The JSON text of the document.
 * @throws Error that names the field and the line that cannot be read.
 */
export function documentOf(texts: MappingTexts): string {
  const { base, rules } = texts;
  return JSON.stringify({
    base: base === '' ? null : base,
    siteVariables: pairs('Site variables', texts.siteVariables),
    callGroups: pairs('Call groups', texts.callGroups),
    withoutCalls: texts.withoutCalls.split(/[\s,]+/).filter((call) => call !== ''),
    rules: rules.filter(isBegun).map(({ path, calls, when, name }) => ({
      ...(path.trim() !== '' && { path: path.trim() }),
      ...(calls.trim() !== '' && { calls: calls.trim() }),
      ...(when.trim() !== '' && { when: when.trim() }),
      name: name.trim() === '' ? null : name.trim(),
    })),
  });
}

/** A rule in which nothing was written yet is none: it would leave everything out. */
function isBegun({ path, calls, when, name }: RuleTexts): boolean {
  return `${path}${calls}${when}${name}`.trim() !== '';
}

function pairs(field: string, text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line, i) => {
      const at = line.indexOf('=');
      if (at <= 0 || line.slice(at + 1).trim() === '')
        throw new Error(`${field}, line ${i + 1}: write NAME = VALUE, not "${line.trim()}"`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** What the fields show of a document; whatever is no mapping is left out: the session says what is wrong with it. */
export function textsOf(rules: string): MappingTexts {
  const document = parsed(rules);
  const { base } = document;
  const lines = (value: unknown): string =>
    Object.entries(record(value))
      .map(([name, text]) => `${name} = ${words(text)}`)
      .join('\n');
  return {
    base: base === null ? '' : typeof base === 'string' ? base : EMPTY_MAPPING.base,
    siteVariables: lines(document['siteVariables']),
    callGroups: lines(document['callGroups']),
    withoutCalls: list(document['withoutCalls']).map(words).join(', '),
    rules: list(document['rules']).map((rule) => {
      const { path, calls, when, name } = record(rule);
      return { path: words(path), calls: words(calls), when: words(when), name: words(name) };
    }),
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text));
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
