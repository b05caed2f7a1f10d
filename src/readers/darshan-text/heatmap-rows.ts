import type { Heatmap } from '../../trace/counters.ts';
import type { ModuleRows } from './record-rows.ts';

/** More bins than any release of Darshan makes (it folds them at 200): what is beyond is damage. */
const MOST_BINS = 1 << 16;

/** Which value of a heatmap a counter holds. */
interface HeatmapCounter {
  readonly kind: 'width' | 'READ' | 'WRITE';
  readonly bin: number;
}

/** `HEATMAP_F_BIN_WIDTH_SECONDS`, `HEATMAP_READ_BIN_0`, …: a record's bins, each in a row of its own. */
export class HeatmapRows implements ModuleRows {
  readonly heatmaps: Heatmap[] = [];
  private readonly counters: (HeatmapCounter | undefined)[] = [];
  private api = '';
  private rank = 0;
  private binWidth = NaN;
  private read: number[] = [];
  private written: number[] = [];
  private count = 0;

  constructor(private readonly nameOf: (counter: number) => string) {}

  begin(_recordId: bigint, rank: number, _file: number, fileName: string): void {
    this.api = fileName.replace(/^heatmap:/, '');
    this.rank = rank;
    [this.binWidth, this.read, this.written, this.count] = [NaN, [], [], 0];
  }

  expected(): number {
    return -1;
  }

  addNumber(counter: number, value: number): boolean {
    const place = (this.counters[counter] ??= parseCounter(this.nameOf(counter)));
    if (place.bin >= MOST_BINS) return true;
    if (place.kind === 'width') {
      if (!Number.isNaN(this.binWidth)) return false;
      this.binWidth = value;
    } else {
      const bins = place.kind === 'READ' ? this.read : this.written;
      if (bins[place.bin] !== undefined) return false;
      bins[place.bin] = value;
    }
    this.count++;
    return true;
  }

  addText(): boolean {
    return false;
  }

  finish(): number {
    if (this.count === 0) return 0;
    const bins = Math.max(this.read.length, this.written.length);
    const missing = (Number.isNaN(this.binWidth) ? 1 : 0) + 2 * bins - filled(this.read) - filled(this.written);
    this.heatmaps.push({
      api: this.api,
      rank: this.rank,
      binWidth: this.binWidth,
      read: Float64Array.from({ length: bins }, (_, bin) => this.read[bin] ?? 0),
      written: Float64Array.from({ length: bins }, (_, bin) => this.written[bin] ?? 0),
    });
    this.count = 0;
    return missing;
  }
}

/** Number of bins that have a value. */
function filled(bins: readonly number[]): number {
  return bins.reduce((count) => count + 1, 0);
}

function parseCounter(name: string): HeatmapCounter {
  const bin = /^HEATMAP_(READ|WRITE)_BIN_(\d+)$/.exec(name);
  if (bin !== null) return { kind: bin[1] as 'READ' | 'WRITE', bin: Number(bin[2]) };
  return { kind: 'width', bin: name === 'HEATMAP_F_BIN_WIDTH_SECONDS' ? 0 : MOST_BINS };
}
