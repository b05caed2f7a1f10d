import { OPERATION } from '../../../trace/calls.ts';
import { NONE } from '../../../trace/events.ts';
import type { Recommendation } from '../../triggers/insight.ts';
import { advising, say, slot } from '../../triggers/message.ts';
import { callPicture, spreadOf } from './call-split.ts';
import type { LayerCalls } from './layer-calls.ts';
import {
  libraryOf,
  outermostGroups,
  placeOf,
  streamTimes,
  timesCall,
  type LayerPattern,
  type PatternPlace,
} from './pattern.ts';
import * as snippets from './snippets.ts';
import type { UpperGroup } from './upper-calls.ts';

/** What the library itself takes of the time of its calls, and the share of pieces that were read before, at least. */
const MOSTLY = 0.5;

/** Pieces of the file that calls of a group read below, and how many of them the same process had read before below these. */
interface Pieces {
  all: number;
  again: number;
  readonly seen: Set<string>;
  /** Bytes of the pieces that are not the same. */
  distinctBytes: number;
}

/** Whether a group reads whole pieces through the library, whose own work on them is what costs. */
function isCandidate(group: UpperGroup): boolean {
  const { operation, lower, calls, timeNs } = group;
  const library = libraryOf(group);
  if (operation !== 'read' || (library !== 'HDF5' && library !== 'NetCDF')) return false;
  return lower.reads >= calls / 2 && timeNs - lower.timeNs > MOSTLY * timeNs;
}

/** Goes over the requests once, for all candidates. */
function piecesOf({ trace, links, upper }: LayerCalls, candidates: readonly UpperGroup[]): Map<number, Pieces> {
  const found = new Map<number, Pieces>();
  for (const { number } of candidates) found.set(number, { all: 0, again: 0, seen: new Set(), distinctBytes: 0 });
  const { events, calls } = trace;
  for (let row = 0; row < links!.parentOf.length; row++) {
    if (links!.parentOf[row] === NONE || links!.isUpper(row)) continue;
    links!.forEachAbove(row, (above) => {
      const entry = upper!.entryOf[above]!;
      const pieces = entry === NONE ? undefined : found.get(upper!.group[entry]!);
      if (pieces === undefined || calls.operation[events.value('call', row)] !== OPERATION.read) return;
      const bytes = events.value('bytes', row);
      const offset = events.value('offset', row);
      pieces.all++;
      // Of a place that is not known nobody can say that it was read before.
      if (Number.isNaN(offset)) return;
      const key = `${events.value('stream', row)} ${events.value('file', row)} ${offset} ${bytes}`;
      if (pieces.seen.has(key)) pieces.again++;
      else {
        pieces.seen.add(key);
        pieces.distinctBytes += bytes;
      }
    });
  }
  return found;
}

function advice(library: 'HDF5' | 'NetCDF'): Recommendation {
  const text =
    'Let the cache of the library hold all chunks that are in use until they are done with (unpacked they are larger than in the file), or read whole chunks with one call and take the parts from memory.';
  return library === 'HDF5'
    ? {
        audience: 'code',
        ...advising(
          say`${text} The cache of a data set is ${slot('advisedSize', 1 << 20)} unless H5Pset_chunk_cache says otherwise; a larger chunk is not kept.`,
        ),
        snippet: snippets.hdf5ChunkCache('c'),
        alternatives: [snippets.hdf5ChunkCache('fortran'), snippets.h5pyChunkCache()],
      }
    : { audience: 'code', text, snippet: snippets.netcdfChunkCache(), alternatives: snippets.netcdfChunkCacheIn() };
}

function place(calls: LayerCalls, group: UpperGroup, { all, again, distinctBytes }: Pieces): PatternPlace {
  const { lower, timeNs } = group;
  const ownNs = timeNs - lower.timeNs;
  const name = calls.trace.calls.names[group.call]!;
  const { widest } = spreadOf(calls, group, (entry) => calls.upper!.transfers[entry]!);
  const amount = { events: group.calls, bytes: group.bytes, timeNs: ownNs };
  return {
    ...placeOf(group),
    amount,
    weight: group.calls,
    lostNs: ownNs,
    timeOfStreams: streamTimes(group, (times) => Math.max(0, times.timeNs - times.lowerNs)),
    subject: say`${timesCall(group.calls, name)} of ${slot('meanSize', Math.round(group.bytes / group.calls))} read ${slot('pieces', all)} pieces of the file, ${slot('piecesAgain', again)} of them (${slot('sharePiecesAgain', again / all)}) not for the first time: its cache did not hold them, and the library works on each again (unpacks it, say), ${slot('timeForEach', ownNs / group.calls)} for each call. Without the calls below they`,
    evidence: {
      upperCalls: group.calls,
      upperBytes: group.bytes,
      lowerCalls: lower.reads,
      lowerReadBytes: lower.readBytes,
      lowerTimeNs: lower.timeNs,
      libraryTimeNs: ownNs,
      pieces: all,
      piecesAgain: again,
      distinctBytes,
    },
    recommendations: [advice(libraryOf(group) as 'HDF5' | 'NetCDF')],
    picture: () => callPicture(calls, widest, name),
  };
}

/** Parts of chunks that are read and unpacked anew for each call: the cache of the library does not hold a chunk. */
export const CHUNKS_AGAIN: LayerPattern = {
  code: 'L41',
  name: 'chunks-read-again',
  title: 'The same chunks read and unpacked for each call',
  find(calls) {
    if (!calls.trace.capabilities.duration || calls.links === undefined) return [];
    const candidates = outermostGroups(calls).filter(isCandidate);
    if (candidates.length === 0) return [];
    const pieces = piecesOf(calls, candidates);
    return candidates
      .filter(({ number }) => pieces.get(number)!.again > MOSTLY * pieces.get(number)!.all)
      .map((group) => place(calls, group, pieces.get(group.number)!));
  },
  isOwnWork: true,
  explains: ['P09', 'P11', 'L05', 'P05', 'L21'],
};
