import { growth, joined, NOTHING_KNOWN, type LoadSample } from './load-sample.ts';

/** Counters of a storage target since its server started; null where the dump holds no value. */
interface CumulativeSample extends Pick<LoadSample, 'bytesRead' | 'bytesWritten' | 'cpuPercent' | 'bytesUsed'> {
  /** Seconds since 1970. */
  readonly at: number;
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
    const interval: LoadSample = {
      ...NOTHING_KNOWN,
      start: last.at,
      end: sample.at,
      bytesRead: growth(last.bytesRead, sample.bytesRead),
      bytesWritten: growth(last.bytesWritten, sample.bytesWritten),
      cpuPercent: sample.cpuPercent,
      bytesUsed: sample.bytesUsed,
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
