import { getOrCreate } from '../../../base/grouping.ts';
import type { CounterTable } from '../../../trace/counters.ts';
import { leftOutRecords } from '../../counters/left-out-records.ts';
import type { FileIndex } from '../../../trace/indices.ts';
import type { Amount } from '../insight.ts';
import { FileGroups, FileSums, type FileAmounts } from './file-groups.ts';

/** Which records of a module: all, those of all processes together (rank -1), or those of one process each. */
export type RecordSet = 'all' | 'shared' | 'individual';

/** One record of a module, while it is looked at: do not keep it. */
export interface RecordView {
  /** Index into `Trace.files`, or NONE when the log holds no name for it. */
  readonly file: FileIndex;
  /** The process, or -1: all together. */
  readonly rank: number;
  /** The same for all records of a file. */
  readonly id: bigint;
  /** The file's place among those of the module, also where its name is lost. */
  readonly group: number;
  /** Value of a counter; NaN where it was not measured (-1), or the module has no such counter. */
  get(counter: string): number;
}

/** The records of one Darshan module, as rules read them. */
export class ModuleView {
  private readonly sums = new Map<string, number>();
  private groups: FileGroups | undefined;
  /** 1 for records of files that do not count; undefined where all of them do. */
  private readonly leftOut: Uint8Array | undefined;

  /** @param leftOutFiles 1 for files that do not count. */
  constructor(
    private readonly table: CounterTable,
    leftOutFiles?: Uint8Array,
  ) {
    this.leftOut = leftOutFiles && leftOutRecords(table, leftOutFiles);
  }

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

  private has(record: number, over: RecordSet): boolean {
    return this.leftOut?.[record] !== 1 && belongs(this.table.rank(record), over);
  }

  /** Sum of counters over records; what was not measured adds nothing. */
  sum(counters: string | readonly string[], over: RecordSet = 'all'): number {
    if (typeof counters !== 'string') return counters.reduce((sum, counter) => sum + this.sum(counter, over), 0);
    const key = `${over} ${counters}`;
    const sum = getOrCreate(this.sums, key, () => this.sumOf(counters, over));
    return sum;
  }

  private sumOf(counter: string, over: RecordSet): number {
    const { table } = this;
    const index = table.find(counter);
    if (index === undefined) return 0;
    let sum = 0;
    table.forEachValues(index, (values, first, records) => {
      if (values === 0 || values === -1) return;
      for (let i = 0; i < records; i++) {
        const value = typeof values === 'number' ? values : values[i]!;
        if (value !== -1 && this.has(first + i, over)) sum += value;
      }
    });
    return sum;
  }

  /** The files of the module, as `RecordView.group` counts them. */
  get fileGroups(): FileGroups {
    this.groups ??= new FileGroups(this.table);
    return this.groups;
  }

  forEach(visit: (record: RecordView) => void, over: RecordSet = 'all'): void {
    const { table } = this;
    const groupsOf = (): FileGroups => this.fileGroups;
    let at = 0;
    const view: RecordView = {
      get group() {
        return groupsOf().groupOf[at]!;
      },
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
    for (; at < table.length; at++) if (this.has(at, over)) visit(view);
  }

  /** Adds up by file what each record takes part with; undefined: it takes none. */
  files(part: (record: RecordView) => Amount | undefined, over: RecordSet = 'all'): FileAmounts {
    const sums = new FileSums(this.fileGroups);
    this.forEach((record) => {
      const amount = part(record);
      if (amount !== undefined) sums.add(record.group, amount);
    }, over);
    return sums.result();
  }
}

function belongs(rank: number, over: RecordSet): boolean {
  return over === 'all' || (rank === -1) === (over === 'shared');
}
