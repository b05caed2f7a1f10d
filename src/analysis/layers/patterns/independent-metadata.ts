import type { Recommendation } from '../../triggers/insight.ts';
import { advising, countOf, naming, say, slot } from '../../triggers/message.ts';
import { callPicture, spreadOf } from './call-split.ts';
import type { LayerCalls } from './layer-calls.ts';
import {
  callList,
  libraryOf,
  outermostGroups,
  placeOfRequests,
  timesCall,
  type LayerPattern,
  type PatternPlace,
} from './pattern.ts';
import * as snippets from './snippets.ts';
import type { UpperGroup } from './upper-calls.ts';

/** Most of what becomes of a call has to be small pieces, else it is about something else: opening, say. */
const MOSTLY = 0.5;

/** Streams that move small pieces below the calls of each group. */
function streamsWithPieces({ upper }: LayerCalls): Map<number, Set<number>> {
  const streams = new Map<number, Set<number>>();
  if (upper === undefined) return streams;
  for (let entry = 0; entry < upper.length; entry++) {
    if (upper.tiny[entry] === 0) continue;
    const of = streams.get(upper.group[entry]!) ?? new Set();
    of.add(upper.stream[entry]!);
    streams.set(upper.group[entry]!, of);
  }
  return streams;
}

/** Attributes by the names of the calls that move them. */
const ATTRIBUTE = /^(H5A|nc(mpi)?_(get|put)_att)/;

/** Calls that describe what is in the file, or write down its description. What a data set moves is data, however little. */
function describes({ trace }: LayerCalls, group: UpperGroup): boolean {
  const library = libraryOf(group);
  if (library !== 'HDF5' && library !== 'NetCDF') return false;
  const isTransfer = group.operation === 'read' || group.operation === 'write';
  return !isTransfer || ATTRIBUTE.test(trace.calls.names[group.call]!);
}

const ADVICE: readonly Recommendation[] = [
  {
    audience: 'code',
    text: 'Let one rank read the metadata and hand it to all, and write it collectively.',
    snippet: snippets.hdf5CollectiveMetadata('c'),
    alternatives: [snippets.hdf5CollectiveMetadata('fortran')],
  },
  {
    audience: 'code',
    ...advising(
      say`HDF5 ${naming('advisedVersion', '1.10.5')} to ${naming('advisedVersion', '1.10.8')}, ${naming('advisedVersion', '1.12.0')} and ${naming('advisedVersion', '1.12.1')} forget that setting of the file for reads: with these, set it for the objects that are opened, too.`,
    ),
    snippet: snippets.hdf5ObjectMetadata('c'),
    alternatives: [snippets.hdf5ObjectMetadata('fortran')],
  },
  {
    audience: 'code',
    ...advising(
      say`Let HDF5 keep its metadata together, in blocks of ${slot('advisedSize', 1 << 20)}, and few: one attribute that holds an array instead of many.`,
    ),
    snippet: snippets.hdf5MetadataBlock('c'),
    alternatives: [snippets.hdf5MetadataBlock('fortran')],
  },
];

function place(calls: LayerCalls, group: UpperGroup, streams: number): PatternPlace {
  const { lower } = group;
  const name = calls.trace.calls.names[group.call]!;
  return {
    ...placeOfRequests(group),
    weight: lower.tinyCalls,
    subject: say`${timesCall(group.calls, name)} of ${countOf('processes', group.streams.size, 'process', 'processes')} became ${slot('lowerCalls', lower.tinyCalls)} small reads and writes of metadata below (${slot('lowerMeanSize', Math.round(lower.tinyBytes / lower.tinyCalls))} on average: ${callList(calls, lower.byCall)}), made by ${slot('processesBelow', streams)} processes, each for itself; the calls below`,
    evidence: {
      upperCalls: group.calls,
      lowerCalls: lower.reads + lower.writes,
      lowerTinyCalls: lower.tinyCalls,
      lowerTinyBytes: lower.tinyBytes,
      processes: group.streams.size,
      processesWithRequests: streams,
      lowerTimeNs: lower.timeNs,
    },
    recommendations: ADVICE,
    picture: () => callPicture(calls, spreadOf(calls, group, (entry) => calls.upper!.tiny[entry]!).widest, name),
  };
}

/** Section V.A of Drishti's paper: every rank reads and writes the metadata of HDF5 by itself. */
export const INDEPENDENT_METADATA: LayerPattern = {
  code: 'L30',
  name: 'independent-metadata',
  title: 'Every process reads and writes the metadata for itself',
  isOfAllPlaces: true,
  find(calls) {
    const streams = streamsWithPieces(calls);
    return outermostGroups(calls)
      .filter((group) => describes(calls, group) && (streams.get(group.number)?.size ?? 0) > 1)
      .filter(({ lower }) => lower.tinyCalls >= MOSTLY * (lower.reads + lower.writes + lower.others))
      .map((group) => place(calls, group, streams.get(group.number)!.size));
  },
  explains: ['P05', 'P06', 'P15', 'P16', 'P17', 'M02', 'M03', 'L14'],
};
