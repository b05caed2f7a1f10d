/** What a storage or metadata target did between two samples; counts are null where the dump holds none. */
export interface LoadSample {
  /** Seconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly bytesRead: number | null;
  readonly bytesWritten: number | null;
  readonly operations: number | null;
  readonly cpuPercent: number | null;
}

/** Counters since the server started; null where the dump holds no value. */
interface CumulativeSample {
  readonly at: number;
  readonly bytesRead: number | null;
  readonly bytesWritten: number | null;
  readonly operations: number | null;
  readonly cpuPercent: number | null;
}

/** Turns cumulative counters of one target, in the order of time, into what was done between samples. */
export class LoadSeries {
  readonly samples: LoadSample[] = [];
  private last: CumulativeSample | undefined;
  /** Intervals that become one sample, and how many the last one holds. */
  private joins = 1;
  private lastHolds = 0;

  /** @returns false when the sample is not later than the one before: it is left out. */
  add(sample: CumulativeSample): boolean {
    const { last, samples } = this;
    if (last !== undefined && sample.at <= last.at) return false;
    this.last = sample;
    if (last === undefined) return true;
    const interval = {
      start: last.at,
      end: sample.at,
      bytesRead: growth(last.bytesRead, sample.bytesRead),
      bytesWritten: growth(last.bytesWritten, sample.bytesWritten),
      operations: growth(last.operations, sample.operations),
      cpuPercent: sample.cpuPercent,
    };
    if (this.lastHolds > 0 && this.lastHolds < this.joins) {
      samples.push(joined(samples.pop()!, interval));
      this.lastHolds++;
    } else {
      samples.push(interval);
      this.lastHolds = 1;
    }
    return true;
  }

  /** Makes one sample of each two, and from now on one of as many intervals as that makes. */
  halve(): void {
    const { samples } = this;
    let kept = 0;
    for (let i = 0; i < samples.length; i += 2) {
      const [first, second] = [samples[i]!, samples[i + 1]];
      samples[kept++] = second === undefined ? first : joined(first, second);
      if (second !== undefined && i + 2 === samples.length) this.lastHolds += this.joins;
    }
    samples.length = kept;
    this.joins *= 2;
  }
}

/** What a cumulative counter grew by; one that has become less began again from 0 and shows what was done since. */
export function growth(before: number | null, now: number | null): number | null {
  if (before === null || now === null) return null;
  return now >= before ? now - before : now;
}

function joined(first: LoadSample, second: LoadSample): LoadSample {
  const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : a + b);
  const [before, after] = [first.end - first.start, second.end - second.start];
  const mean = (a: number, b: number): number => (a * before + b * after) / (before + after);
  const { cpuPercent } = first;
  return {
    start: first.start,
    end: second.end,
    bytesRead: sum(first.bytesRead, second.bytesRead),
    bytesWritten: sum(first.bytesWritten, second.bytesWritten),
    operations: sum(first.operations, second.operations),
    cpuPercent:
      cpuPercent === null || second.cpuPercent === null
        ? (cpuPercent ?? second.cpuPercent)
        : mean(cpuPercent, second.cpuPercent),
  };
}
