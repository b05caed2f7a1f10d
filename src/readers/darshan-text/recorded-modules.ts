import type { CounterTable, FileLayout, Heatmap } from '../../trace/counters.ts';
import { APMPI_NAMES } from '../darshan/counter-names.ts';
import { layoutOf } from '../darshan/module-layouts.ts';
import type { CounterRows } from './counter-rows.ts';
import { HeatmapRows } from './heatmap-rows.ts';
import { LayoutRows } from './layout-rows.ts';
import { RecordRows, type KnownCounter, type ModuleHead, type ModuleRows } from './record-rows.ts';

/** Those whose records are no table of counters. */
const OTHER_MODULES = ['LUSTRE', 'HEATMAP', 'APMPI', 'DXT_POSIX', 'DXT_MPIIO'];

/** Modules whose rows were met, in the order of the text. */
export class RecordedModules {
  private readonly modules = new Map<string, { readonly rows: ModuleRows; readonly output: number }>();

  /**
   * Where the rows of a module go.
   * @param output number of the output that is read.
   * @returns undefined when an earlier output holds the module already.
   */
  rowsOf(module: string, output: number, counters: CounterRows, head: () => ModuleHead): ModuleRows | undefined {
    let known = this.modules.get(module);
    if (known === undefined) {
      known = { rows: newRows(module, counters, head), output };
      this.modules.set(module, known);
    }
    return known.output === output ? known.rows : undefined;
  }

  has(module: string): boolean {
    return this.modules.has(module);
  }

  get tables(): CounterTable[] {
    return this.all().flatMap((rows) => (rows instanceof RecordRows && rows.table !== undefined ? [rows.table] : []));
  }

  get layouts(): FileLayout[] {
    return this.all().flatMap((rows) => (rows instanceof LayoutRows ? rows.layouts : []));
  }

  get heatmaps(): Heatmap[] {
    return this.all().flatMap((rows) => (rows instanceof HeatmapRows ? rows.heatmaps : []));
  }

  private all(): ModuleRows[] {
    return [...this.modules.values()].map(({ rows }) => rows);
  }
}

function newRows(module: string, counters: CounterRows, head: () => ModuleHead): ModuleRows {
  const nameOf = (counter: number): string => counters.nameOf(counter);
  if (module === 'LUSTRE') return new LayoutRows(nameOf);
  if (module === 'HEATMAP') return new HeatmapRows(nameOf);
  const known = knownCounters(module, head().version);
  return new RecordRows(
    module,
    known.map(({ name, ...counter }) => ({ ...counter, counter: counters.intern(name) })),
    nameOf,
    head,
  );
}

/**
 * Counters of a module as the current release names them.
 * @param version of the module in the log; 0 when the text does not say.
 */
function knownCounters(module: string, version: number): (Omit<KnownCounter, 'counter'> & { name: string })[] {
  if (module === 'APMPI') {
    // Times that processes wait for each other are printed by those logs only that hold them.
    const times = APMPI_NAMES.floats.filter((name) => !name.includes('_SYNC_TIME'));
    return [...APMPI_NAMES.integers, ...times].map((name) => ({ name, absent: NaN, isPrinted: true }));
  }
  const layout = layoutOf(module, version);
  if (layout === undefined) return [];
  const numbers = layout.integers + layout.floats;
  return layout.counters.map((name, column) => {
    const isPrinted = !layout.isGuess && layout.at[column]! >= 0 && column < numbers;
    return { name, absent: layout.fill[column]!, isPrinted };
  });
}

/** Whether a module has a table of counters. */
export function hasCounters(module: string): boolean {
  return layoutOf(module, 0) !== undefined;
}

/** Whether this program knows what the records of a module mean. */
export function isKnownModule(module: string): boolean {
  return hasCounters(module) || OTHER_MODULES.includes(module);
}
