import { isMoment } from './counter-values.ts';
import { EXPORTED_NAME, type Labels } from './prometheus-names.ts';

/** A sample of a series. */
interface MetricSample {
  readonly name: string;
  /** Name and labels, as they stand: the same for all samples of a series. */
  readonly series: string;
  readonly labels: Labels;
  /** Seconds since 1970; undefined where the text has none. */
  readonly at: number | undefined;
  /** As text: `1.5e+09`, `NaN`. */
  readonly value: string;
}

/** From here on a moment is in milliseconds, as the older text format has them: seconds would lie beyond the year 5000. */
const LEAST_MILLISECONDS = 1e11;

/**
 * A line of OpenMetrics, or of Prometheus' older text format, or of `promtool tsdb dump` (the name among the labels).
 * @returns undefined for comments and empty lines, and for names that no exporter of servers has; null for a line that is none.
 */
export function metricSample(text: string): MetricSample | undefined | null {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return undefined;
  const bare = /^[A-Za-z_:][\w:]*/.exec(line)?.[0] ?? '';
  if (bare !== '' && !EXPORTED_NAME.test(bare)) return undefined;
  const labelled =
    line[bare.length] === '{'
      ? labelsAt(line, bare.length + 1)
      : { labels: new Map<string, string>(), end: bare.length };
  if (labelled === undefined) return null;
  const { labels, end } = labelled;
  const name = bare === '' ? (labels.get('__name__') ?? '') : bare;
  if (name === '') return null;
  if (!EXPORTED_NAME.test(name)) return undefined;
  // What follows `#` is an exemplar.
  const [value, moment, ...rest] = line.slice(end).split('#', 1)[0]!.trim().split(/\s+/);
  if (value === undefined || value === '' || rest.length > 0) return null;
  const at = moment === undefined ? undefined : secondsOf(moment);
  return at === null ? null : { name, series: line.slice(0, end).trim(), labels, at, value };
}

function secondsOf(text: string): number | null {
  const number = Number(text);
  const seconds = number >= LEAST_MILLISECONDS ? number / 1000 : number;
  return isMoment(seconds) ? seconds : null;
}

/** @returns the labels that begin at a place, and the place behind their brace; undefined where they do not end. */
function labelsAt(line: string, start: number): { labels: Map<string, string>; end: number } | undefined {
  const labels = new Map<string, string>();
  const label = /\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,|(?=\}))/y;
  label.lastIndex = start;
  let place = start;
  for (let found = label.exec(line); found !== null; found = label.exec(line)) {
    labels.set(found[1]!, unescaped(found[2]!));
    place = label.lastIndex;
  }
  const close = /\s*\}/y;
  close.lastIndex = place;
  return close.test(line) ? { labels, end: close.lastIndex } : undefined;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}
