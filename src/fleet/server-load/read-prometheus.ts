/** What Prometheus kept of file servers: their counters at moments, and what was done between them. */
import type { RecordingFile } from '../../trace/byte-source.ts';
import { CounterSeries } from './counter-series.ts';
import { counterValue, isMoment } from './counter-values.ts';
import { linesOf, wholeText } from './file-lines.ts';
import { atMost, loadRow, type ServerLoad } from './load-rows.ts';
import type { LoadFormat } from './load-source.ts';
import { Losses } from './losses.ts';
import { metricSample } from './openmetrics-text.ts';
import { rangeSeries } from './prometheus-json.ts';

/** An answer stands in memory as a whole, ten times as large as its text. */
const MOST_JSON_BYTES = 1 << 26;
/** Samples that are kept: a day of a hundred targets, reads and writes every 15 seconds, has 1,152,000. */
const MOST_SAMPLES = 1_500_000;

interface PrometheusFile {
  readonly file: RecordingFile;
  readonly format: Exclude<LoadFormat, 'jobstats'>;
}

/**
 * @param files answers to range queries and texts of OpenMetrics, in any order.
 * @param log key of the content.
 * @throws Error in words for the user when a file cannot be read, or none holds such samples.
 */
export async function readPrometheus(
  files: readonly PrometheusFile[],
  log: string,
  signal?: AbortSignal,
): Promise<ServerLoad> {
  const reader = new PrometheusReader();
  for (const { file, format } of files) {
    if (format === 'openmetrics') await reader.readText(file, signal);
    else reader.readRange(file.name, await wholeText(file, MOST_JSON_BYTES));
  }
  return reader.load(log);
}

class PrometheusReader {
  private readonly series = new CounterSeries();
  private readonly losses = new Losses();
  private kept = 0;

  async readText(file: RecordingFile, signal: AbortSignal | undefined): Promise<void> {
    let line = 0;
    for await (const lines of linesOf(file)) {
      signal?.throwIfAborted();
      for (const text of lines) {
        line++;
        const sample = metricSample(text);
        if (sample === undefined) continue;
        if (sample === null) this.losses.add('a line that is no sample is left out', file.name, line);
        else if (sample.at === undefined)
          this.losses.add(
            'a sample without a moment is left out (an exporter has none: ask Prometheus)',
            file.name,
            line,
          );
        else {
          const samples = this.series.samplesOf(sample.series, sample.name, sample.labels);
          this.keep(samples, sample.at, sample.value, () => this.lose(file.name, line));
        }
      }
    }
  }

  readRange(file: string, text: string): void {
    for (const [index, { name, labels, values }] of rangeSeries(file, text, this.losses).entries()) {
      const id = JSON.stringify([...labels].sort(([a], [b]) => (a < b ? -1 : 1)));
      const samples = this.series.samplesOf(id, name, labels);
      for (const pair of values) {
        const [at, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
        const moment = typeof at === 'number' ? at : NaN;
        this.keep(samples, moment, value, () => this.lose(file, index + 1, 'series'));
      }
    }
  }

  load(log: string): ServerLoad {
    const loads = this.series.loads();
    const { bounded, joins } = atMost(loads);
    const damage = [...this.losses.words(), ...this.series.notes];
    if (joins > 1) damage.push(`too many samples: ${joins} at a time are joined to one (give shorter times)`);
    if (this.series.isEmpty) damage.push('no series of targets of Lustre, of disks or of an NFS server');
    else if (loads.every(({ samples }) => samples.length === 0))
      damage.push('no counter has two samples: only differences say what was done');
    return { rows: bounded.flatMap(({ target, samples }) => samples.map((one) => loadRow(log, target, one))), damage };
  }

  private keep(samples: Map<number, number> | undefined, at: number, value: unknown, lose: () => void): void {
    if (samples === undefined) return;
    const count = typeof value === 'string' ? counterValue(value) : null;
    if (count === null || !isMoment(at)) {
      lose();
      return;
    }
    if (samples.has(at)) return;
    samples.set(at, count);
    if (++this.kept > MOST_SAMPLES)
      throw new Error(`more than ${MOST_SAMPLES.toLocaleString('en')} samples: ask for fewer series, or shorter times`);
  }

  private lose(file: string, place: number, unit?: string): void {
    this.losses.add('a sample whose value is no number of 0 or more is left out', file, place, unit);
  }
}
