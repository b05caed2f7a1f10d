import { getOrCreate } from '../../../base/grouping.ts';
import type { SiteIndex } from '../../sites/call-sites.ts';
import { NONE } from '../../../trace/events.ts';
import type { FileIndex, StreamIndex } from '../../../trace/indices.ts';
import type { LayerCalls } from './layer-calls.ts';

/** The same collective call of all processes of a group, each time that they made it: its *moments*. */
interface Series {
  readonly file: FileIndex;
  /** Index into `Trace.calls`. */
  readonly call: number;
  /** The streams that take part. */
  readonly streams: readonly StreamIndex[];
  /** All of them made the call equally often: the n-th calls belong together. */
  readonly isWhole: boolean;
  /** For each moment the calls that belong to it, as indices into `LayerCalls.collectives`. */
  readonly moments: readonly number[][];
}

interface GrowingSeries {
  readonly file: FileIndex;
  readonly group: number;
  readonly call: number;
  /** Calls of each stream. */
  readonly counts: Map<number, number>;
  readonly moments: number[][];
}

/**
 * Collective calls put together: the n-th call of a name on a file by each process of one communicator. The order of a
 * stream is that of its rows, so no clock is trusted.
 */
export function findSeries(calls: LayerCalls): readonly Series[] {
  const series = getOrCreate(known, calls, () => putTogether(calls));
  return series;
}

/** Several patterns ask for them. */
const known = new WeakMap<LayerCalls, readonly Series[]>();

function putTogether({ trace, collectives }: LayerCalls): Series[] {
  const series = new Map<string, GrowingSeries>();
  const { communicator } = trace.handles;
  let of: GrowingSeries | undefined;
  for (let index = 0; index < collectives.length; index++) {
    const file = collectives.file.at(index);
    const handle = collectives.handle.at(index);
    const call = collectives.call.at(index);
    const stream = collectives.stream.at(index);
    const group = handle === NONE ? NONE : communicator.at(handle);
    if (of?.file !== file || of.group !== group || of.call !== call) {
      const key = `${file} ${group} ${call}`;
      of = series.get(key) ?? { file, group, call, counts: new Map(), moments: [] };
      series.set(key, of);
    }
    const time = of.counts.get(stream) ?? 0;
    of.counts.set(stream, time + 1);
    if (time === of.moments.length) of.moments.push([]);
    of.moments[time]!.push(index);
  }
  return [...series.values()].map(({ file, call, counts, moments }) => {
    const times = [...counts.values()];
    return { file, call, streams: [...counts.keys()], isWhole: times.every((time) => time === times[0]), moments };
  });
}

/** Moments of one call from one call site (where stacks lead nowhere: on one file). */
export interface MomentGroup {
  readonly site: SiteIndex;
  readonly call: number;
  readonly files: Set<FileIndex>;
  readonly streams: Set<number>;
  readonly moments: number[][];
}

export function groupMoments(calls: LayerCalls, series: readonly Series[]): MomentGroup[] {
  const groups = new Map<string, MomentGroup>();
  for (const { file, call, moments } of series) {
    let group: MomentGroup | undefined;
    for (const moment of moments) {
      const site = calls.collectives.site.at(moment[0]!);
      if (group?.site !== site) {
        const key = site === NONE ? `file ${file} ${call}` : `site ${site} ${call}`;
        group = groups.get(key) ?? { site, call, files: new Set(), streams: new Set(), moments: [] };
        groups.set(key, group);
        group.files.add(file);
      }
      for (const index of moment) group.streams.add(calls.collectives.stream.at(index));
      group.moments.push(moment);
    }
  }
  return [...groups.values()];
}
