import type { Losses } from './losses.ts';
import { EXPORTED_NAME, type Labels } from './prometheus-names.ts';

const NAMELESS = 'a series without a name is left out (rate() and sum() take it away: ask for the counters themselves)';

/** A series of a range query. */
interface RangeSeries {
  readonly name: string;
  readonly labels: Labels;
  /** Moments (seconds since 1970) and values, as the document has them. */
  readonly values: readonly unknown[];
}

/**
 * The series in the answer to a range query (`/api/v1/query_range`).
 * @param losses is told of what is left out.
 * @throws Error in words for the user when there are none.
 */
export function rangeSeries(file: string, text: string, losses: Losses): RangeSeries[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error(`${file}: the JSON ends early or is damaged: ask Prometheus again (query_range)`);
  }
  const status = field(document, 'status');
  if (status === 'error')
    throw new Error(`${file}: Prometheus answered with an error: ${String(field(document, 'error'))}`);
  const data = field(document, 'data');
  const type = field(data, 'resultType');
  const result = field(data, 'result');
  if (type !== 'matrix' || !Array.isArray(result))
    throw new Error(`${file}: no answer to a range query (resultType is not matrix): ask for query_range`);
  const series: RangeSeries[] = [];
  for (const [index, entry] of (result as unknown[]).entries()) {
    const labels = labelsOf(field(entry, 'metric'));
    const values = field(entry, 'values');
    if (labels === undefined || !Array.isArray(values)) {
      losses.add('a series without metric or values is left out', file, index + 1, 'series');
      continue;
    }
    const name = labels.get('__name__');
    if (name === undefined) losses.add(NAMELESS, file, index + 1, 'series');
    else if (EXPORTED_NAME.test(name)) series.push({ name, labels, values });
  }
  return series;
}

/** An own property of an object: names of a document are anybody's. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function labelsOf(metric: unknown): Labels | undefined {
  if (typeof metric !== 'object' || metric === null || Array.isArray(metric)) return undefined;
  const entries = Object.entries(metric).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Map(entries);
}
