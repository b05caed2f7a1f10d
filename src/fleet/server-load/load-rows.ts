import type { Row } from '../schema/tables.ts';
import { joined, type LoadSample } from './load-sample.ts';
import type { ServerTarget } from './server-target.ts';

/** Rows that the storage targets of a source become at most; above, samples are joined two by two. */
export const MOST_ROWS = 1 << 19;

export interface ServerLoad {
  readonly rows: Row<'server_load'>[];
  /** What was lost, in words. */
  readonly damage: readonly string[];
}

interface Series {
  readonly target: ServerTarget;
  readonly samples: readonly LoadSample[];
}

/** @returns the same with as few samples as there is room for: two of each target are joined, again and again. */
export function atMost(series: readonly Series[], mostRows = MOST_ROWS): { bounded: readonly Series[]; joins: number } {
  let bounded = series;
  let joins = 1;
  const rows = (): number => bounded.reduce((sum, { samples }) => sum + samples.length, 0);
  while (rows() > Math.max(mostRows, series.length)) {
    bounded = bounded.map(({ target, samples }) => ({ target, samples: halved(samples) }));
    joins *= 2;
  }
  return { bounded, joins };
}

function halved(samples: readonly LoadSample[]): LoadSample[] {
  const halves: LoadSample[] = [];
  for (let i = 0; i < samples.length; i += 2) {
    const [first, second] = [samples[i]!, samples[i + 1]];
    halves.push(second === undefined ? first : joined(first, second));
  }
  return halves;
}

/** @param log key of the content that it comes from. */
export function loadRow(log: string, target: ServerTarget, sample: LoadSample): Row<'server_load'> {
  return {
    log,
    file_system: target.fileSystem,
    server: target.server,
    target: target.name,
    target_kind: target.kind,
    target_index: target.index,
    start_time: sample.start,
    end_time: sample.end,
    seconds: sample.end - sample.start,
    bytes_read: sample.bytesRead,
    bytes_written: sample.bytesWritten,
    operations: sample.operations,
    cpu_percent: sample.cpuPercent,
    bytes_used: sample.bytesUsed,
    opens: sample.opens,
    closes: sample.closes,
    creates: sample.creates,
    removes: sample.removes,
    renames: sample.renames,
    getattrs: sample.getattrs,
    setattrs: sample.setattrs,
  };
}
