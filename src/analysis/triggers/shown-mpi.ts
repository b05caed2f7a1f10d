/** What rows and functions of a recording show of MPI, where it holds more than system calls (OTF2, Recorder). */
import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import { layersPresent } from '../layers/layers-present.ts';

const MPI_IO = LAYERS.indexOf('MPI-IO');

/** Whether functions of MPI were recorded. */
export function showsMpi({ functions }: Trace): boolean {
  return functions?.functions.some(({ name }) => /^P?MPI_/.test(name)) ?? false;
}

/** It is a program of MPI, by whatever the recording shows: advice to use MPI-IO makes sense. */
export function isMpiProgram(trace: Trace, { processes }: Metrics): boolean {
  const ranks = new Set(trace.streams.map(({ rank, part }) => rank ?? trace.parts[part]?.launchId ?? ''));
  return (
    ranks.size > 1 ||
    (trace.counters?.job.processes ?? 1) > 1 ||
    (layersPresent(trace).all & (1 << MPI_IO)) !== 0 ||
    showsMpi(trace) ||
    [...processes.values()].some(({ callsMpi }) => callsMpi)
  );
}

/** Which transfers through MPI-IO go on while the program does something else. */
export interface BackgroundTransfers {
  reads: boolean;
  writes: boolean;
}

/** @returns undefined for recordings that show no calls of MPI-IO by themselves: nobody knows whether they waited. */
export function backgroundTransfers(trace: Trace): BackgroundTransfers | undefined {
  if (trace.counters !== undefined || (layersPresent(trace).all & (1 << MPI_IO)) === 0) return undefined;
  const found: BackgroundTransfers = { reads: false, writes: false };
  const { events, calls } = trace;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if ((chunk.flags[i]! & EVENT_FLAGS.nonBlocking) === 0 || chunk.layer[i] !== MPI_IO) continue;
      const operation = calls.operation[chunk.call[i]!];
      if (operation === OPERATION.read) found.reads = true;
      if (operation === OPERATION.write) found.writes = true;
    }
  });
  return found;
}

/** Files of which the program itself sets a view. */
export function viewedFiles({ events, calls }: Trace): ReadonlySet<FileIndex> {
  const files = new Set<FileIndex>();
  const call = calls.find('MPI_File_set_view');
  if (call === undefined) return files;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++)
      if (chunk.call[i] === call && chunk.parent[i] === NONE && chunk.file[i] !== NONE) files.add(chunk.file[i]!);
  });
  return files;
}
