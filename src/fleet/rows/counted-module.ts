import { processesOf } from '../../analysis/counters/categories.ts';
import { extremesOf, greatestOf, sumOfAll, type Extremes } from '../../analysis/counters/group-figures.ts';
import { counterPrefix, operationCounters, sizeCounters, SMALL_BINS } from '../../analysis/counters/module-counters.ts';
import { FileGroups } from '../../analysis/counters/sums.ts';
import type { CounterTable } from '../../trace/counters.ts';
import type { Transfers } from './transfers.ts';

const COLLECTIVE = ['COLL', 'SPLIT'];
const INDEPENDENT = ['INDEP', 'NB'];

/** What each name of the schema is the sum of, in one module. */
function countersOf(table: CounterTable): Partial<Record<keyof Transfers, readonly string[]>> {
  const prefix = counterPrefix(table.module);
  const operations = operationCounters(table.module)!;
  const small = (direction: 'READ' | 'WRITE'): string[] => sizeCounters(table, direction).slice(0, SMALL_BINS);
  const kinds = (names: readonly string[], direction: string): string[] =>
    names.map((name) => `MPIIO_${name}_${direction}`);
  return {
    bytes_read: [`${prefix}_BYTES_READ`],
    bytes_written: [`${prefix}_BYTES_WRITTEN`],
    reads: operations.reads,
    writes: operations.writes,
    small_reads: small('READ'),
    small_writes: small('WRITE'),
    consecutive_reads: [`${prefix}_CONSEC_READS`],
    consecutive_writes: [`${prefix}_CONSEC_WRITES`],
    sequential_reads: [`${prefix}_SEQ_READS`],
    sequential_writes: [`${prefix}_SEQ_WRITES`],
    read_seconds: [`${prefix}_F_READ_TIME`],
    write_seconds: [`${prefix}_F_WRITE_TIME`],
    metadata_seconds: [`${prefix}_F_META_TIME`],
    ...(table.module === 'MPI-IO' && {
      collective_reads: kinds(COLLECTIVE, 'READS'),
      collective_writes: kinds(COLLECTIVE, 'WRITES'),
      independent_reads: kinds(INDEPENDENT, 'READS'),
      independent_writes: kinds(INDEPENDENT, 'WRITES'),
    }),
  };
}

/** The files of one module of a Darshan log with what it counted of each. */
export class CountedModule {
  readonly groups: FileGroups;
  /** Processes that used each file. */
  readonly users: Float64Array;
  readonly extremes: ReadonlyMap<number, Extremes>;
  private readonly columns: Partial<Record<keyof Transfers, Float64Array>> = {};

  /** @param processes of the job. */
  constructor(
    readonly table: CounterTable,
    processes: number,
  ) {
    this.groups = new FileGroups(table);
    this.users = processesOf(table, this.groups, processes);
    this.extremes = extremesOf(table, this.groups);
    for (const [name, counters] of Object.entries(countersOf(table)) as [keyof Transfers, readonly string[]][]) {
      if (counters.some((counter) => table.find(counter) !== undefined)) {
        this.columns[name] = sumOfAll(this.groups, counters);
      }
    }
    const prefix = counterPrefix(table.module);
    for (const direction of ['read', 'write'] as const) {
      const moment = `${prefix}_F_${direction.toUpperCase()}`;
      this.setColumn(`${direction}_start`, leastOf(this.groups, `${moment}_START_TIMESTAMP`));
      this.setColumn(`${direction}_end`, greatestOf(this.groups, [`${moment}_END_TIMESTAMP`]));
    }
  }

  get module(): string {
    return this.table.module;
  }

  /** Whether the module measures it. */
  measures(name: keyof Transfers): boolean {
    return this.columns[name] !== undefined;
  }

  /** 0 where it was not measured. */
  get(name: keyof Transfers, group: number): number {
    return this.columns[name]?.[group] ?? 0;
  }

  private setColumn(name: keyof Transfers, values: Float64Array | undefined): void {
    if (values !== undefined) this.columns[name] = values;
  }
}

/** The least value above 0, which stands for "never"; 0 where there is none. */
function leastOf(groups: FileGroups, counter: string): Float64Array {
  const least = new Float64Array(groups.length);
  groups.forEach(counter, (value, group) => {
    if (value > 0 && (least[group] === 0 || value < least[group]!)) least[group] = value;
  });
  return least;
}
