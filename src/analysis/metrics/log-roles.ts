import type { CounterTable } from '../../trace/counters.ts';
import { LAYERS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, HandleIndex } from '../../trace/indices.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import { LAYER_ROLE, type LayerRoles } from './layer-role.ts';

const MPI_IO = LAYERS.indexOf('MPI-IO');

/**
 * Roles in a Darshan log, by handle: a handle of it is one record of one process, file and layer. Of a file with rows of
 * several layers the lowest layer's are the requests (in two-phase I/O one process makes those of many, so it is the file
 * that decides); of a process's rows on a file the highest layer's are its own calls. Links are not asked: the log holds
 * segments for as long as there was memory for them, so that the calls below one may be missing.
 *
 * @returns undefined for logs of one layer, where every row is both.
 */
export function logRoles(trace: Trace): LayerRoles | undefined {
  const { handles, streams } = trace;
  const layers = layersOfHandles(trace);
  if (!layers.some((layer) => layer === MPI_IO)) return undefined;
  const lowest = new Int8Array(trace.files.length).fill(NONE);
  const highest = new Map<number, number>();
  const userOf = (handle: HandleIndex): number => handles.file.at(handle) * streams.length + handles.stream.at(handle);
  layers.forEach((layer, handle) => {
    const file = handles.file.at(handle);
    if (layer === NONE || file === NONE) return;
    lowest[file] = Math.max(lowest[file]!, layer);
    highest.set(userOf(handle), Math.min(highest.get(userOf(handle)) ?? layer, layer));
  });
  const roles = Uint8Array.from(
    layers,
    (layer, handle) =>
      (layer >= lowest[handles.file.at(handle)]! ? LAYER_ROLE.request : 0) |
      (layer <= highest.get(userOf(handle))! ? LAYER_ROLE.outermost : 0),
  );
  const readTraits = new Uint8Array(layers.length);
  const writeTraits = new Uint8Array(layers.length);
  const kinds = new MpiIoKinds(trace.counters?.modules.find(({ module }) => module === 'MPI-IO'));
  layers.forEach((layer, handle) => {
    if (layer !== MPI_IO) return;
    const rank = streams[handles.stream.at(handle)]!.rank ?? NONE;
    readTraits[handle] = kinds.of('READS', handles.file.at(handle), rank);
    writeTraits[handle] = kinds.of('WRITES', handles.file.at(handle), rank);
  });
  return {
    of: (chunk, i) => roles[chunk.handle[i]!] ?? 0,
    traitsOf: (chunk, i, reads, traits) => traits | ((reads ? readTraits : writeTraits)[chunk.handle[i]!] ?? 0),
  };
}

function layersOfHandles({ events, handles }: Trace): Int8Array {
  const layers = new Int8Array(handles.length).fill(NONE);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) if (chunk.handle[i]! !== NONE) layers[chunk.handle[i]!] = chunk.layer[i]!;
  });
  return layers;
}

/** Segments do not say whether an MPI-IO call was collective; the counters of the same file and rank do, unless both occur. */
class MpiIoKinds {
  /** Record of each file and rank (-1: of all ranks together). */
  private readonly records = new Map<string, number>();

  constructor(private readonly table: CounterTable | undefined) {
    for (let record = 0; record < (table?.length ?? 0); record++) {
      this.records.set(`${table!.file(record)} ${table!.rank(record)}`, record);
    }
  }

  /** TRAIT.independent, TRAIT.collective, or 0 when nobody knows. */
  of(direction: 'READS' | 'WRITES', file: FileIndex, rank: number): number {
    const record = this.records.get(`${file} ${rank}`) ?? this.records.get(`${file} -1`);
    if (record === undefined) return 0;
    const count = (kinds: readonly string[]): number =>
      kinds.reduce((sum, kind) => sum + Math.max(0, this.table!.get(record, `MPIIO_${kind}_${direction}`)), 0);
    const collective = count(['COLL', 'SPLIT']);
    const independent = count(['INDEP', 'NB']);
    if (collective > 0 && independent > 0) return 0;
    if (independent > 0) return TRAIT.independent;
    return collective > 0 ? TRAIT.collective : 0;
  }
}
