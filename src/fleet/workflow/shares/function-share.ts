import { LAYERS } from '../../../trace/calls.ts';
import { NONE } from '../../../trace/events.ts';
import type { FunctionCallTable, FunctionDefinition, FunctionRole } from '../../../trace/function-calls.ts';
import type { Trace } from '../../../trace/trace.ts';
import { ShareSum } from './share-sum.ts';
import type { LayerTimes } from './layer-times.ts';

const GROUP_OF_ROLE = {
  computation: 'computation',
  communication: 'communication',
  synchronisation: 'communication',
  'I/O': 'io',
  metadata: 'io',
} as const satisfies Record<FunctionRole, string>;

/**
 * The exclusive time of functions that were entered and left, by what they do and by who offers them (Tschüter, section
 * 4.4.2): what a function does itself, without those that it calls. What is left of a process's time is computation.
 */
export function functionShare(trace: Trace, functions: FunctionCallTable, layers: LayerTimes): ShareSum {
  const { seconds, calls } = exclusiveTimes(trace, functions);
  const layerOf = layersByName(trace);
  const sum = new ShareSum();
  functions.functions.forEach((definition, index) => {
    const group = GROUP_OF_ROLE[definition.role];
    if (calls[index] === 0) return;
    const paradigm = group === 'io' ? layerName(definition, layerOf) : paradigmName(definition);
    sum.add(group, paradigm, seconds[index]!, calls[index]!, null);
  });
  for (const [layer, { bytes }] of layers) if (bytes > 0) sum.add('io', layer, 0, null, bytes);
  return sum;
}

/** Of those of communication alone, for formats that record only these. */
export function communicationShare(trace: Trace, functions: FunctionCallTable, sum: ShareSum): void {
  const { seconds, calls } = exclusiveTimes(trace, functions);
  functions.functions.forEach((definition, index) => {
    if (GROUP_OF_ROLE[definition.role] === 'communication' && calls[index]! > 0)
      sum.add('communication', paradigmName(definition), seconds[index]!, calls[index]!, null);
  });
}

/** By function: seconds in it without those that it calls, and how often it was called. */
function exclusiveTimes(
  { streams }: Trace,
  functions: FunctionCallTable,
): { readonly seconds: Float64Array; readonly calls: Float64Array } {
  const seconds = new Float64Array(functions.functions.length);
  const calls = new Float64Array(functions.functions.length);
  const ends = new Float64Array(streams.length);
  for (let row = 0; row < functions.length; row++) {
    const end = functions.start.at(row) + zeroIfUnknown(functions.duration.at(row));
    const stream = functions.stream.at(row);
    if (end > ends[stream]!) ends[stream] = end;
  }
  for (let row = 0; row < functions.length; row++) {
    const known = functions.duration.at(row);
    // One that was not left lasts until the last that is known of its stream.
    const ns = Number.isNaN(known) ? Math.max(0, ends[functions.stream.at(row)]! - functions.start.at(row)) : known;
    const called = functions.function.at(row);
    seconds[called]! += ns / 1e9;
    calls[called]!++;
    const caller = functions.caller.at(row);
    if (caller !== NONE) seconds[functions.function.at(caller)]! -= ns / 1e9;
  }
  return { seconds, calls };
}

function zeroIfUnknown(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}

function paradigmName({ paradigm }: FunctionDefinition): string {
  return paradigm === '' ? 'program' : paradigm;
}

function layerName({ name, paradigm }: FunctionDefinition, layerOf: ReadonlyMap<string, string>): string {
  return layerOf.get(name) ?? (paradigm === 'MPI' ? 'MPI-IO' : paradigm === '' ? 'I/O' : paradigm);
}

/** Layers of I/O functions as their records say; the name alone does not tell where handles belong. */
function layersByName({ events, calls }: Trace): ReadonlyMap<string, string> {
  const layerOf = new Map<number, number>();
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) if (!layerOf.has(chunk.call[i]!)) layerOf.set(chunk.call[i]!, chunk.layer[i]!);
  });
  // A call that does what its name does not say has that behind it (OTF2: `MPI_Wait (read)`).
  return new Map([...layerOf].map(([call, layer]) => [calls.names[call]!.replace(/ \(\w+\)$/, ''), LAYERS[layer]!]));
}
