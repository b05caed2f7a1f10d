import type { CounterTable } from '../../../trace/counters.ts';
import { NONE } from '../../../trace/events.ts';
import type { FileIndex } from '../../../trace/indices.ts';
import type { Amount, InsightFile } from '../insight.ts';

/** The records of a table by file; those whose names the log has lost go by the number of their record. */
export class FileGroups {
  /** Group of each record. */
  readonly groupOf: Int32Array;
  /** File of each group, or NONE. */
  private readonly files: FileIndex[] = [];

  constructor(table: CounterTable) {
    this.groupOf = new Int32Array(table.length);
    const named: number[] = [];
    const nameless = new Map<bigint, number>();
    for (let record = 0; record < table.length; record++) {
      const file = table.file(record);
      // Numbers of records are objects: only those without a name are looked at.
      let group = file === NONE ? nameless.get(table.recordId(record)) : named[file];
      if (group === undefined) {
        group = this.files.push(file) - 1;
        if (file === NONE) nameless.set(table.recordId(record), group);
        else named[file] = group;
      }
      this.groupOf[record] = group;
    }
  }

  get length(): number {
    return this.files.length;
  }

  file(group: number): number {
    return this.files[group]!;
  }
}

/** The files of a finding: the first of them with their amounts, and how many there are. */
export interface FileAmounts {
  /** By time, then events. */
  readonly files: readonly InsightFile[];
  readonly count: number;
  /** Of all of them, listed or not. */
  readonly amount: Readonly<Amount>;
}

function sum(values: Float64Array): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Files that a finding lists; a job can write a million. */
const MOST_FILES = 1000;

/** Adds up amounts by file. */
export class FileSums {
  private readonly events: Float64Array;
  private readonly bytes: Float64Array;
  private readonly times: Float64Array;
  private readonly takesPart: Uint8Array;

  constructor(private readonly groups: FileGroups) {
    this.events = new Float64Array(groups.length);
    this.bytes = new Float64Array(groups.length);
    this.times = new Float64Array(groups.length);
    this.takesPart = new Uint8Array(groups.length);
  }

  add(group: number, { events, bytes, timeNs }: Readonly<Amount>): void {
    this.takesPart[group] = 1;
    this.events[group]! += events;
    this.bytes[group]! += bytes;
    this.times[group]! += timeNs;
  }

  result(): FileAmounts {
    const part: number[] = [];
    this.takesPart.forEach((takes, group) => {
      if (takes === 1) part.push(group);
    });
    const files = this.costliest(part.filter((group) => this.groups.file(group) !== NONE)).map((group) => ({
      file: this.groups.file(group),
      events: this.events[group]!,
      bytes: this.bytes[group]!,
      timeNs: this.times[group]!,
    }));
    return {
      files,
      count: part.length,
      amount: { events: sum(this.events), bytes: sum(this.bytes), timeNs: sum(this.times) },
    };
  }

  /** Only those that can be among the first are put in order. */
  private costliest(groups: readonly number[]): number[] {
    const bound =
      groups.length <= MOST_FILES
        ? -Infinity
        : Float64Array.from(groups, (group) => this.times[group]!).sort()[groups.length - MOST_FILES]!;
    const first = groups.filter((group) => this.times[group]! >= bound);
    first.sort((a, b) => this.times[b]! - this.times[a]! || this.events[b]! - this.events[a]!);
    return first.slice(0, MOST_FILES);
  }
}
