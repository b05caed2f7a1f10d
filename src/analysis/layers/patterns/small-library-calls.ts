import type { Recommendation } from '../../triggers/insight.ts';
import { advising, say, slot } from '../../triggers/message.ts';
import { callPicture, spreadOf } from './call-split.ts';
import type { LayerCalls } from './layer-calls.ts';
import {
  attributesOnce,
  callList,
  libraryOf,
  outermostGroups,
  placeOf,
  streamTimes,
  timesCall,
  type LayerPattern,
  type Library,
  type PatternPlace,
} from './pattern.ts';
import * as snippets from './snippets.ts';
import type { UpperGroup } from './upper-calls.ts';

/** What the library itself takes of the time of its calls; with less the requests below are what costs. */
const MOSTLY = 0.5;
/** How many requests there are for a call, at most: where each makes its own they are what is too many. */
const GATHERED = 0.5;

/** Streams of the C library are made for small pieces: what a call costs there is nanoseconds. */
const LIBRARIES: ReadonlySet<Library> = new Set<Library>(['HDF5', 'NetCDF', 'MPI-IO']);

const LIBRARY_CALL = /^(H5|nc_|ncmpi_|MPI_)/;

/** Values that describe a file, a data set or a variable. */
const ATTRIBUTES = /^(H5A|nc(mpi)?_(get|put)_att)/;

/** Nanoseconds that the library takes for itself. */
function ownNs({ timeNs, lower }: UpperGroup): number {
  return timeNs - lower.timeNs;
}

/** What of the calls at the bottom is none of another library's, which serves it from its memory. */
function requestsOf({ trace }: LayerCalls, { lower }: UpperGroup): number {
  return lower.byCall.reduce((sum, count, call) => sum + (LIBRARY_CALL.test(trace.calls.names[call]!) ? 0 : count), 0);
}

/** Where no call on a file became requests, whoever recorded it did not look: nobody knows what the library gathers. */
function isSeenBelow({ upper }: LayerCalls, { files, lower }: UpperGroup): boolean {
  if (lower.byCall.length > 0) return true;
  const others = upper?.groups.filter((group) => group.lower.byCall.length > 0) ?? [];
  return others.some((group) => [...group.files.keys()].some((file) => files.has(file)));
}

function advice(library: Library, group: UpperGroup): Recommendation {
  const isRead = group.operation === 'read';
  switch (library) {
    case 'HDF5':
      return {
        audience: 'code',
        text: `${isRead ? 'Read many of these elements by one H5Dread' : 'Collect many of these elements in memory and write them by one H5Dwrite'}: select the whole block.`,
        snippet: snippets.hdf5WholeBlock('c', isRead),
        alternatives: [snippets.hdf5WholeBlock('fortran', isRead), snippets.h5pyWholeBlock(isRead)],
      };
    case 'NetCDF':
      return {
        audience: 'code',
        ...advising(
          say`${isRead ? 'Read' : 'Write'} an array by one call, with counts above ${slot('advisedNumber', 1)}, instead of its elements or rows in a loop.`,
        ),
        snippet: snippets.netcdfWholeBlock(isRead),
        alternatives: snippets.netcdfWholeBlockIn(isRead),
      };
    default:
      return {
        audience: 'code',
        text: isRead
          ? 'Read a block that holds many of these pieces by one call, and take them out of memory.'
          : 'Collect the pieces in memory and write the block by one call.',
        snippet: snippets.collectiveWithView('c', isRead),
        alternatives: [snippets.collectiveWithView('fortran', isRead)],
      };
  }
}

function place(calls: LayerCalls, group: UpperGroup): PatternPlace {
  const { lower } = group;
  const name = calls.trace.calls.names[group.call]!;
  const spread = spreadOf(calls, group, (entry) => calls.upper!.transfers[entry]!);
  const requests = requestsOf(calls, group);
  const became = lower.byCall.length === 0 ? 'made no request' : say`became ${callList(calls, lower.byCall)}`;
  const all = placeOf(group);
  const isTogether = group.collectiveCalls > 0;
  return {
    ...all,
    amount: { ...all.amount, timeNs: ownNs(group) },
    weight: group.calls,
    lostNs: ownNs(group),
    timeOfStreams: streamTimes(group, ({ timeNs, lowerNs }) => Math.max(0, timeNs - lowerNs)),
    subject: say`${timesCall(group.calls, name)} of ${slot('meanSize', Math.round(group.bytes / group.calls))} ${became}: the library gathers them, and its own work${isTogether ? ' and the meeting of all processes' : ''}, ${slot('timeForEach', ownNs(group) / group.calls)} for each call, is what costs. Without the calls below they`,
    evidence: {
      upperCalls: group.calls,
      upperBytes: group.bytes,
      lowerCalls: requests,
      lowerTimeNs: lower.timeNs,
      libraryTimeNs: ownNs(group),
    },
    recommendations: [
      ATTRIBUTES.test(name) ? attributesOnce(group.operation === 'read') : advice(libraryOf(group), group),
    ],
    picture: () => (requests === 0 ? undefined : callPicture(calls, spread.widest, name)),
  };
}

/**
 * Small transfers that a library serves from its memory: no request shows them, and their price is the library's way from
 * the call to the bytes. Of collective calls it is the way to the other processes, too.
 */
export const SMALL_LIBRARY_CALLS: LayerPattern = {
  code: 'L32',
  name: 'small-library-calls',
  title: 'Many small calls of a library, whose own work costs',
  find(calls, { tiny_bytes }) {
    if (!calls.trace.capabilities.duration) return [];
    return outermostGroups(calls)
      .filter((group) => LIBRARIES.has(libraryOf(group)))
      .filter(({ operation }) => operation === 'read' || operation === 'write')
      .filter(({ bytes, calls: count }) => bytes > 0 && bytes < tiny_bytes * count)
      .filter((group) => ownNs(group) > MOSTLY * group.timeNs && requestsOf(calls, group) <= GATHERED * group.calls)
      .filter((group) => isSeenBelow(calls, group))
      .map((group) => place(calls, group));
  },
  isOwnWork: true,
  unless: ['L30'],
  explains: ['P05', 'P06', 'L14'],
};
