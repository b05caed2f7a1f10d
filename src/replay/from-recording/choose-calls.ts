import type { TakesPart } from '../../analysis/dependencies/io-events.ts';
import { LAYERS, OPERATION, type Layer } from '../../trace/calls.ts';
import { CHUNK_ROWS, EVENT_FLAGS, NONE, NOT_MEASURED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

/** Layers whose calls can be repeated; of a file's calls those of the lowest reached the file system. */
export const REPLAYED_LAYERS = ['MPI-IO', 'STDIO', 'POSIX', 'system call'] as const satisfies readonly Layer[];
/** `requests`: what reached the file system, whatever its layer. */
export type ReplayedCalls = 'requests' | (typeof REPLAYED_LAYERS)[number];

/** Calls of a recording that a replay repeats, and what it leaves out. */
interface ChosenCalls {
  readonly takesPart: TakesPart;
  readonly notes: readonly string[];
}

const UPPER = LAYERS.indexOf('MPI-IO');

/** Counts by kind of thing, for a note. */
class LeftOut {
  private readonly counts = new Map<string, number>();

  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  notes(): string[] {
    return [...this.counts].sort(([, a], [, b]) => b - a).map(([what, count]) => `left out: ${count} ${what}`);
  }
}

/**
 * Chooses the calls of one layer. Each transfer is there once: a call that another layer made goes with that layer's.
 *
 * @param ignored 1 for each file that is none of the program's own: system, loader, libraries.
 * @throws RangeError in words for the user when the recording holds no such calls.
 */
export function chooseCalls(trace: Trace, wanted: ReplayedCalls, ignored: Uint8Array): ChosenCalls {
  const { events, files } = trace;
  const layers = wanted === 'requests' ? requestLayers(trace) : undefined;
  const onlyLayer = wanted === 'requests' ? NONE : LAYERS.indexOf(wanted);
  const hasChild = layers === undefined ? undefined : rowsWithChildren(trace);
  const isOfLayer = (layer: number, file: number, row: number): boolean => {
    if (layers === undefined) return layer === onlyLayer;
    return layer <= UPPER ? layer === layers[file]! : hasChild![row] === 0;
  };
  const leftOut = new LeftOut();
  let chosen = 0;
  const takesPart: TakesPart = (chunk, i, row) =>
    chunk.file[i] !== NONE &&
    ignored[chunk.file[i]!] === 0 &&
    files.at(chunk.file[i]!).kind === 'regular' &&
    chunk.error[i] === 0 &&
    (chunk.flags[i]! & (NOT_MEASURED | EVENT_FLAGS.cancelled)) === 0 &&
    isOfLayer(chunk.layer[i]!, chunk.file[i]!, row);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const row = number * CHUNK_ROWS + i;
      const file = chunk.file[i]!;
      if (file === NONE) continue;
      if (takesPart(chunk, i, row)) {
        chosen++;
        if (trace.calls.operation[chunk.call[i]!] === OPERATION.map)
          leftOut.add('mappings of files into memory: what they read and write is not seen');
      } else if (isOfLayer(chunk.layer[i]!, file, row)) leftOut.add(reasonOf(trace, file, ignored, chunk.error[i]!));
    }
  });
  if (chosen === 0) {
    const layer = wanted === 'requests' ? REPLAYED_LAYERS.join(', ') : wanted;
    throw new RangeError(`the recording holds no calls on files that could be replayed (${layer})`);
  }
  return { takesPart, notes: leftOut.notes() };
}

function reasonOf(trace: Trace, file: number, ignored: Uint8Array, error: number): string {
  const { kind } = trace.files.at(file);
  if (kind === 'pipe') return 'calls on pipes';
  if (kind === 'socket') return 'calls on sockets';
  if (kind === 'anonymous') return 'calls on things without a path';
  if (ignored[file] !== 0) return 'calls on files of the system, the loader and libraries';
  return error === 0 ? 'calls whose end was not recorded' : 'calls that failed';
}

/** By file: the lowest layer that moved its bytes. */
function requestLayers({ events, files }: Trace): Int8Array {
  const layers = new Int8Array(files.length).fill(NONE);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const file = chunk.file[i]!;
      if (file !== NONE && chunk.layer[i]! >= UPPER && chunk.layer[i]! > layers[file]!) layers[file] = chunk.layer[i]!;
    }
  });
  return layers;
}

/** 1 for each row below which there is a call of a lower layer. */
function rowsWithChildren({ events }: Trace): Uint8Array {
  const hasChild = new Uint8Array(events.length);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const parent = chunk.parent[i]!;
      if (parent !== NONE && (chunk.flags[i]! & EVENT_FLAGS.part) === 0) hasChild[parent] = 1;
    }
  });
  return hasChild;
}
