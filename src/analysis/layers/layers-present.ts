import { getOrCreate } from '../../base/grouping.ts';
import { LAYERS, SYSTEM_CALL_LAYER } from '../../trace/calls.ts';
import type { EventTable } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

/** Which layers the rows of a recording are of; a bit for each index into LAYERS. */
interface LayersPresent {
  readonly all: number;
  /** Rows above the lowest layer. */
  readonly upperRows: number;
  readonly byStream: Uint8Array;
}

const known = new WeakMap<EventTable, LayersPresent>();

/** Looked at once for each table of events; recordings of one layer are not looked at at all. */
export function layersPresent(trace: Trace): LayersPresent {
  const { events, streams } = trace;
  const present = getOrCreate(known, events, () =>
    isOfOneLayer(trace)
      ? {
          all: 1 << SYSTEM_CALL_LAYER,
          upperRows: 0,
          byStream: new Uint8Array(streams.length).fill(1 << SYSTEM_CALL_LAYER),
        }
      : lookAt(trace),
  );
  return present;
}

export function hasSeveralLayers(trace: Trace): boolean {
  const { all } = layersPresent(trace);
  return (all & (all - 1)) !== 0;
}

/** Indices into LAYERS, the highest layer first. */
export function layersOf(trace: Trace): number[] {
  const { all } = layersPresent(trace);
  return [...LAYERS.keys()].filter((layer) => (all & (1 << layer)) !== 0);
}

function isOfOneLayer({ capabilities, sources }: Trace): boolean {
  return capabilities.systemCallsOnly === true && sources === undefined;
}

function lookAt({ events, streams }: Trace): LayersPresent {
  const byStream = new Uint8Array(streams.length);
  const byLayer = new Uint32Array(LAYERS.length);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      byStream[chunk.stream[i]!]! |= 1 << chunk.layer[i]!;
      byLayer[chunk.layer[i]!]!++;
    }
  });
  const all = byStream.reduce((bits, ofStream) => bits | ofStream, 0);
  return { all, upperRows: events.length - (byLayer.findLast((rows) => rows > 0) ?? 0), byStream };
}
