import { NONE } from '../../../trace/events.ts';
import type { CounterTable } from '../../../trace/counters.ts';
import type { Amount, InsightFile } from '../insight.ts';

/** Which records of a module: all, those of all processes together (rank -1), or those of one process each. */
export type RecordSet = 'all' | 'shared' | 'individual';

/** One record of a module, while it is looked at: do not keep it. */
export interface RecordView {
  /** Index into `Trace.files`, or NONE when the log holds no name for it. */
  readonly file: number;
  /** The process, or -1: all together. */
  readonly rank: number;
  /** The same for all records of a file. */
  readonly id: bigint;
  /** Value of a counter; NaN where it was not measured (-1), or the module has no such counter. */
  get(counter: string): number;
}

/** The files of a finding: the first of them with their amounts, and how many there are. */
export interface FileAmounts {
  readonly files: readonly InsightFile[];
  readonly count: number;
}

/** Files that a finding lists; a job can write a million. */
const MOST_FILES = 1000;

/** The records of one Darshan module, as rules read them. */
export class ModuleView {
  private readonly sums = new Map<string, number>();

  constructor(private readonly table: CounterTable) {}

  get name(): string {
    return this.table.module;
  }

  /** The recorder ran out of memory: records are missing. */
  get incomplete(): boolean {
    return this.table.incomplete;
  }

  get records(): number {
    return this.table.length;
  }

  /** Sum of counters over records; what was not measured adds nothing. */
  sum(counters: string | readonly string[], over: RecordSet = 'all'): number {
    if (typeof counters !== 'string') return counters.reduce((sum, counter) => sum + this.sum(counter, over), 0);
    const key = `${over} ${counters}`;
    let sum = this.sums.get(key);
    if (sum === undefined) {
      sum = this.sumOf(counters, over);
      this.sums.set(key, sum);
    }
    return sum;
  }

  private sumOf(counter: string, over: RecordSet): number {
    const { table } = this;
    const index = table.find(counter);
    if (index === undefined) return 0;
    let sum = 0;
    for (let record = 0; record < table.length; record++) {
      const value = table.value(record, index);
      if (value !== -1 && belongs(table.rank(record), over)) sum += value;
    }
    return sum;
  }

  forEach(visit: (record: RecordView) => void, over: RecordSet = 'all'): void {
    const { table } = this;
    let at = 0;
    const view: RecordView = {
      get file() {
        return table.file(at);
      },
      get rank() {
        return table.rank(at);
      },
      get id() {
        return table.recordId(at);
      },
      get: (counter) => {
        const value = table.get(at, counter);
        return value === -1 ? NaN : value;
      },
    };
    for (; at < table.length; at++) if (belongs(table.rank(at), over)) visit(view);
  }

  /** Adds up by file what each record takes part with; undefined: it takes none. */
  files(part: (record: RecordView) => Amount | undefined, over: RecordSet = 'all'): FileAmounts {
    const byFile = new Map<number | bigint, Amount>();
    this.forEach((record) => {
      const amount = part(record);
      if (amount === undefined) return;
      const key = fileKey(record);
      const sum = byFile.get(key);
      if (sum === undefined) byFile.set(key, { ...amount });
      else {
        sum.events += amount.events;
        sum.bytes += amount.bytes;
        sum.timeNs += amount.timeNs;
      }
    }, over);
    const files = [...byFile].flatMap(([file, amount]) => (typeof file === 'number' ? [{ file, ...amount }] : []));
    files.sort((a, b) => b.timeNs - a.timeNs || b.events - a.events);
    return { files: files.slice(0, MOST_FILES), count: byFile.size };
  }
}

/** What records of one file have in common, also where the log lost its name. */
export function fileKey({ file, id }: RecordView): number | bigint {
  return file === NONE ? id : file;
}

function belongs(rank: number, over: RecordSet): boolean {
  return over === 'all' || (rank === -1) === (over === 'shared');
}
