import { counterValue, isMoment } from './counter-values.ts';
import { NOTHING_KNOWN, type Amounts, type Quantity } from './load-sample.ts';
import type { Losses } from './losses.ts';
import { quantitiesOf } from './metadata-operations.ts';

/** What a target counted of one job. */
export interface JobCounters {
  /** Moment of its last call, seconds since 1970. */
  readonly at: number;
  /** When the target began to count it; null before Lustre 2.15. */
  readonly since: number | null;
  readonly counters: Amounts;
}

/** The jobs of one target at one moment. */
export interface TargetDump {
  /** `scratch-OST0000`; '' where nothing names it. */
  readonly target: string;
  /** By `job_id` as printed: `4711`, `dd.1000`, `"bash:0:node7"`. */
  readonly jobs: ReadonlyMap<string, JobCounters>;
  /** All records are complete, as far as one can see. */
  readonly isWhole: boolean;
  /** Counters of a job: fewer than in other looks of the target are a sign of a cut. */
  readonly counters: number;
  readonly line: number;
}

const HEADER = /^(?:obdfilter|mdt)\.([^\s=]+)\.job_stats=\s*(?:job_stats:)?$/;
const OTHER_PARAMETER = /^[\w-]+\.[^\s=]+=/;
const COUNTER = /^(\w+):\s*\{(.*)\}$/;
const CUT_COUNTER = /^\w+:\s*\{/;
const CUT = 'a counter without its end is left out';
/** What begins something new, and is not the rest of a line before. */
const BEGIN = /^(?:-|\w+:\s*\{|(?:snapshot|start|elapsed)_time:)/;
const TIME = /^(snapshot_time|start_time|elapsed_time):\s*(\S*)/;

interface OpenRecord {
  readonly job: string;
  readonly line: number;
  at: number;
  since: number | null;
  readonly counters: Record<Quantity, number | null>;
  /** How many lines with counters it has. */
  lines: number;
}

/**
 * Reads what `lctl get_param obdfilter.*.job_stats mdt.*.job_stats` prints, a line at a time (`lprocfs_jobstats_seq_show` of
 * lustre/obdclass/lprocfs_jobstats.c, 2.10 to 2.16).
 */
export class JobstatsText {
  private target: string;
  /** False between a parameter of another kind and the next target. */
  private isInside = true;
  private isAfterHeader = false;
  private jobs = new Map<string, JobCounters>();
  private isWhole = true;
  private dumpLine = 0;
  private lastLines = 0;
  private mostLines = 0;
  private record: OpenRecord | undefined;
  private cut: { readonly text: string; readonly line: number } | undefined;
  private line = 0;

  /** @param unnamed name of the target where the text itself has none (`lctl get_param -n`); '' if there is none either. */
  constructor(
    private readonly file: string,
    private readonly unnamed: string,
    private readonly losses: Losses,
  ) {
    this.target = unnamed;
  }

  /** @returns the dump that ended with this line. */
  add(text: string): TargetDump | undefined {
    this.line++;
    const line = text.trim();
    const header = HEADER.exec(line);
    if (header !== null) {
      const dump = this.end();
      this.begin(header[1]!);
      this.isAfterHeader = !line.endsWith('job_stats:');
      return dump;
    }
    if (line === 'job_stats:') {
      if (this.isAfterHeader) {
        this.isAfterHeader = false;
        return undefined;
      }
      const dump = this.end();
      this.begin(this.unnamed);
      return dump;
    }
    if (OTHER_PARAMETER.test(line)) {
      const dump = this.end();
      this.isInside = false;
      return dump;
    }
    // What stands at the margin is somebody else's, such as the output of `date` between two looks.
    const isOwn = /^[\s-]/.test(text) || /[{}]/.test(line);
    if (line !== '' && isOwn && this.isInside) this.addInside(line);
    return undefined;
  }

  /** @returns the dump that is open: the text ended. */
  end(): TargetDump | undefined {
    this.endRecord();
    const { target, jobs, dumpLine, mostLines: counters } = this;
    // Cut between two lines: the last job has fewer than others.
    const isWhole = this.isWhole && this.lastLines === counters;
    if (this.isWhole && !isWhole) this.losses.add('a look ends early', this.file, this.line);
    this.begin(this.unnamed);
    this.dumpLine = 0;
    return dumpLine === 0 ? undefined : { target, jobs, isWhole, counters, line: dumpLine };
  }

  private begin(target: string): void {
    this.target = target;
    this.isInside = true;
    this.isWhole = true;
    this.dumpLine = this.line;
    this.jobs = new Map();
    this.lastLines = 0;
    this.mostLines = 0;
  }

  private addInside(text: string): void {
    const line = this.continued(text);
    const job = /^-\s*job_id:(.*)$/.exec(line);
    if (job !== null) {
      this.endRecord();
      const counters = { ...NOTHING_KNOWN };
      this.record = { job: job[1]!.trim(), line: this.line, at: NaN, since: null, counters, lines: 0 };
      return;
    }
    const time = TIME.exec(line);
    if (time !== null) {
      this.addTime(time[1]!, Number(time[2]));
      return;
    }
    const counter = COUNTER.exec(line);
    if (counter !== null) {
      this.addCounter(counter[1]!, counter[2]!);
      return;
    }
    if (CUT_COUNTER.test(line)) {
      this.cut = { text: line, line: this.line };
      return;
    }
    this.lose('a line that is none of jobstats is left out');
  }

  /** A counter that was wrapped, as by a terminal, goes on in the next line. */
  private continued(line: string): string {
    const { cut } = this;
    if (cut === undefined) return line;
    this.cut = undefined;
    if (!BEGIN.test(line)) return `${cut.text} ${line}`;
    this.lose(CUT, cut.line);
    return line;
  }

  private addTime(name: string, seconds: number): void {
    const { record } = this;
    if (record === undefined) {
      this.lose('a line without a job is left out');
      return;
    }
    if (name === 'snapshot_time') record.at = seconds;
    else if (name === 'start_time' && isMoment(seconds)) record.since = seconds;
  }

  private addCounter(name: string, values: string): void {
    const { record } = this;
    if (record === undefined) {
      this.lose('a line without a job is left out');
      return;
    }
    record.lines++;
    const isBytes = name === 'read_bytes' || name === 'write_bytes';
    const found = isBytes ? /\bsum:\s*([^\s,]+)/.exec(values) : /\bsamples:\s*([^\s,]+)/.exec(values);
    const value = counterValue(found?.[1]);
    if (value === null) {
      this.lose('a counter whose value is no number of 0 or more is left out');
      return;
    }
    if (isBytes) record.counters[name === 'read_bytes' ? 'bytesRead' : 'bytesWritten'] = value;
    else
      for (const quantity of quantitiesOf(name)) record.counters[quantity] = (record.counters[quantity] ?? 0) + value;
  }

  private lose(what: string, line = this.line): void {
    this.isWhole = false;
    this.losses.add(what, this.file, line);
  }

  private endRecord(): void {
    const { record, cut } = this;
    this.record = undefined;
    this.cut = undefined;
    if (cut !== undefined) this.lose(CUT, cut.line);
    if (record === undefined) return;
    if (!isMoment(record.at)) {
      this.isWhole = false;
      this.losses.add('a job without a moment (snapshot_time) is left out', this.file, record.line);
      return;
    }
    this.lastLines = record.lines;
    this.mostLines = Math.max(this.mostLines, record.lines);
    if (this.dumpLine === 0) this.dumpLine = record.line;
    const { at, since, counters } = record;
    this.jobs.set(record.job, { at, since, counters });
  }
}
