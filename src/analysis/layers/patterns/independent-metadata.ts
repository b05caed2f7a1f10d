import { LAYERS, OPERATION } from '../../../trace/calls.ts';
import { EVENT_FLAGS, NONE, NOT_COUNTED, CHUNK_ROWS, type EventChunk } from '../../../trace/events.ts';
import { counted, formatBytes, formatCount } from '../../quantities.ts';
import { SizeDistribution } from '../../metrics/sizes.ts';
import type { Amount, Recommendation } from '../../triggers/insight.ts';
import { callPicture } from './call-split.ts';
import type { LayerCalls } from './layer-calls.ts';
import type { Links } from './links.ts';
import { timesCall, type LayerPattern, type PatternPlace } from './pattern.ts';
import * as snippets from './snippets.ts';
import type { UpperCalls } from './upper-calls.ts';

const HDF5 = LAYERS.indexOf('HDF5');
const MPI_IO = LAYERS.indexOf('MPI-IO');

/** Calls that move the values of data sets; what any other call of HDF5 reads or writes in the file is metadata. */
const MOVES_DATA = /^H5D(read|write)/;
const IS_ATTRIBUTE = /^H5A/;

/** Independent requests for metadata, from one call site by one call of HDF5. */
interface MetadataRequests {
  readonly site: number;
  /** Index into `Trace.calls`: what the program called. */
  readonly call: number;
  /** Entries of `UpperCalls` that made them. */
  readonly callers: Set<number>;
  readonly sum: Amount;
  readonly files: Map<number, Amount>;
  readonly streams: Set<number>;
  readonly sizes: SizeDistribution;
  reads: number;
  /** Entry that made the most, and how many it made. */
  widest: number;
  most: number;
  lastEntry: number;
  ofLastEntry: number;
}

class Gathering {
  readonly groups = new Map<string, MetadataRequests>();

  constructor(
    private readonly calls: LayerCalls,
    private readonly links: Links,
    private readonly upper: UpperCalls,
  ) {}

  read(chunk: EventChunk, rows: number, first: number): void {
    const { operation, names } = this.calls.trace.calls;
    for (let i = 0; i < rows; i++) {
      if (chunk.layer[i] !== MPI_IO || chunk.flags[i]! & (NOT_COUNTED | EVENT_FLAGS.collective)) continue;
      const kind = operation[chunk.call[i]!];
      if (kind !== OPERATION.read && kind !== OPERATION.write) continue;
      const entry = this.callOfHdf5(first + i);
      if (entry === NONE || MOVES_DATA.test(names[this.upper.call[entry]!]!)) continue;
      this.add(chunk, i, entry, kind === OPERATION.read);
    }
  }

  /** Entry of the call of HDF5 that a request is made for, NONE where there is none. */
  private callOfHdf5(row: number): number {
    for (const above of this.links.above(row)) {
      const entry = this.upper.entryOf[above]!;
      if (entry !== NONE && this.upper.layer[entry] === HDF5) return this.upper.group[entry] === NONE ? NONE : entry;
    }
    return NONE;
  }

  private add(chunk: EventChunk, i: number, entry: number, isRead: boolean): void {
    const { site, call, file } = this.upper;
    const key = site[entry] === NONE ? `file ${file[entry]!} ${call[entry]!}` : `site ${site[entry]!} ${call[entry]!}`;
    let group = this.groups.get(key);
    if (group === undefined) {
      group = { ...emptyRequests(), site: site[entry]!, call: call[entry]!, widest: entry };
      this.groups.set(key, group);
    }
    const amount = group.files.get(chunk.file[i]!) ?? { events: 0, bytes: 0, timeNs: 0 };
    for (const of of [amount, group.sum]) {
      of.events++;
      of.bytes += chunk.bytes[i]!;
      if (chunk.duration[i]! > 0) of.timeNs += chunk.duration[i]!;
    }
    if (chunk.file[i] !== NONE) group.files.set(chunk.file[i]!, amount);
    group.streams.add(chunk.stream[i]!);
    group.sizes.add(chunk.bytes[i]!);
    group.callers.add(entry);
    if (isRead) group.reads++;
    group.ofLastEntry = group.lastEntry === entry ? group.ofLastEntry + 1 : 1;
    group.lastEntry = entry;
    if (group.ofLastEntry > group.most) [group.widest, group.most] = [entry, group.ofLastEntry];
  }
}

function emptyRequests(): Omit<MetadataRequests, 'site' | 'call' | 'widest'> {
  return {
    callers: new Set(),
    sum: { events: 0, bytes: 0, timeNs: 0 },
    files: new Map(),
    streams: new Set(),
    sizes: new SizeDistribution(),
    reads: 0,
    most: 0,
    lastEntry: NONE,
    ofLastEntry: 0,
  };
}

/** Calls for attributes in the whole run: they are most of the metadata in openPMD and its like. */
function attributeCalls({ trace, upper }: LayerCalls): number {
  let count = 0;
  for (const group of upper!.groups) if (IS_ATTRIBUTE.test(trace.calls.names[group.call]!)) count += group.calls;
  return count;
}

function place(calls: LayerCalls, requests: MetadataRequests, attributes: number): PatternPlace {
  const { site, sum, files, streams, sizes, reads, callers } = requests;
  const name = calls.trace.calls.names[requests.call]!;
  const writes = sum.events - reads;
  const kinds = [reads > 0 ? counted(reads, 'read') : '', writes > 0 ? counted(writes, 'write') : '']
    .filter((text) => text !== '')
    .join(' and ');
  const medianBytes = sizes.median();
  return {
    site,
    amount: sum,
    weight: sum.events,
    lostNs: sum.timeNs,
    files,
    streams: streams.size,
    medianBytes,
    subject: `${timesCall(callers.size, name)} of ${formatCount(streams.size)} processes make ${kinds} of ${formatBytes(medianBytes)} for metadata of HDF5, each process by itself; they`,
    remark:
      attributes === 0
        ? ''
        : `The program makes ${counted(attributes, 'call')} for attributes, which are metadata of HDF5.`,
    evidence: {
      upperCalls: callers.size,
      independentReads: reads,
      independentWrites: writes,
      processes: streams.size,
      attributeCalls: attributes,
    },
    recommendations: ADVICE,
    picture: () => callPicture(calls, requests.widest, name),
  };
}

const ADVICE: readonly Recommendation[] = [
  {
    audience: 'code',
    text: 'Let HDF5 read and write its metadata collectively: one rank reads for all, and the writes of all ranks become one. All ranks then have to make the same calls.',
    snippet: snippets.hdf5CollectiveMetadata('c'),
    alternatives: [snippets.hdf5CollectiveMetadata('fortran')],
  },
  {
    audience: 'code',
    text: 'HDF5 1.10.5 to 1.10.8 (and 1.12.0, 1.12.1) forget that setting of the file for reads: with them set it for the objects that are opened, too.',
    snippet: snippets.hdf5ObjectMetadata('c'),
    alternatives: [snippets.hdf5ObjectMetadata('fortran')],
  },
];

/** Section V.A of Drishti's cross-layer paper (openPMD): many small attributes, and every rank moves their metadata by itself. */
export const INDEPENDENT_METADATA: LayerPattern = {
  code: 'L30',
  name: 'hdf5-independent-metadata',
  title: 'HDF5 metadata read or written by each process by itself',
  find(calls) {
    const { links, upper, trace } = calls;
    if (links === undefined || upper === undefined) return [];
    const gathering = new Gathering(calls, links, upper);
    trace.events.chunks.forEach((chunk, number) => {
      gathering.read(chunk, trace.events.rowsIn(number), number * CHUNK_ROWS);
    });
    const attributes = attributeCalls(calls);
    // One process that reads for all others is what collective metadata look like.
    return [...gathering.groups.values()]
      .filter(({ streams }) => streams.size > 1)
      .map((requests) => place(calls, requests, attributes));
  },
  explains: ['M02', 'M03', 'P05', 'P06', 'P15', 'P16', 'P17'],
};
