import type { SiteIndex } from '../../sites/call-sites.ts';
import { LAYERS } from '../../../trace/calls.ts';
import type { Amount, Recommendation, Severity, TimeOfStreams } from '../../triggers/insight.ts';
import { countOf, listed, naming, say, slot, type Sentence } from '../../triggers/message.ts';
import type { Thresholds } from '../../triggers/thresholds.ts';
import type { LayerCalls } from './layer-calls.ts';
import type { PatternPicture } from './picture.ts';
import type { StreamTimes, UpperGroup } from './upper-calls.ts';

/** A place where a pattern is seen: a call site, or a file where stacks lead nowhere. */
export interface PatternPlace {
  /** Index into `CallSites.sites`, or NONE. */
  readonly site: SiteIndex;
  /** The calls at this place that take part: those of the upper layer. */
  readonly amount: Amount;
  /** Calls that decide whether it is worth a word, where they are others than those of `amount`. */
  readonly weight: number;
  /** Nanoseconds that decide likewise: those of `amount`, or what of them is lost. */
  readonly lostNs: number;
  /** What is lost is no time of I/O calls: it is lost besides. */
  readonly isBesideCalls?: true;
  /** `lostNs` by stream, where the run waits for the slowest of them. */
  readonly timeOfStreams?: TimeOfStreams;
  /** Other places at which consequences of this one are seen. */
  readonly around?: readonly SiteIndex[];
  readonly files: ReadonlyMap<number, Amount>;
  readonly streams: number;
  /** Median bytes of these calls; NaN when they move none. */
  readonly medianBytes: number;
  /** A sentence without its full stop, to be followed by the share of the time. */
  readonly subject: Sentence;
  /** What there is to be said after the share of the time; empty where there is nothing. */
  readonly remark?: Sentence;
  /** Fixed where the share of the time says nothing about how bad it is. */
  readonly severity?: Severity;
  readonly evidence: Readonly<Record<string, number>>;
  readonly recommendations: readonly Recommendation[];
  /** Drawn when the place is the costliest of the finding. */
  readonly picture: () => PatternPicture | undefined;
}

/** A pattern across layers: a pure function over the linked calls of a recording. */
export interface LayerPattern {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  find(calls: LayerCalls, thresholds: Thresholds): PatternPlace[];
  /** Its places are weighed together: each by itself may be next to nothing. */
  readonly isOfAllPlaces?: true;
  /** Its time is what the library does itself, beside the requests. */
  readonly isOwnWork?: true;
  /** Patterns that say it better: a place that one of them names is left out. */
  readonly unless?: readonly string[];
  /** Triggers and patterns that name the cause: a place that one of them names carries their code. */
  readonly explainedBy?: readonly string[];
  /** Triggers that see the consequence of this pattern: their places carry its code. */
  readonly explains?: readonly string[];
}

function amountOf({ calls, bytes, timeNs }: UpperGroup): Amount {
  return { events: calls, bytes, timeNs };
}

/** What a place has in common with the group of calls that it is. */
export function placeOf(
  group: UpperGroup,
): Pick<PatternPlace, 'site' | 'amount' | 'lostNs' | 'timeOfStreams' | 'files' | 'streams' | 'medianBytes'> {
  const { site, files, streams, calls, bytes, timeNs } = group;
  const medianBytes = bytes > 0 ? Math.round(bytes / calls) : NaN;
  const timeOfStreams = streamTimes(group, ({ timeNs: all }) => all);
  return { site, amount: amountOf(group), lostNs: timeNs, timeOfStreams, files, streams: streams.size, medianBytes };
}

/** What each stream spends in the calls of a group. */
export function streamTimes({ streams }: UpperGroup, of: (times: StreamTimes) => number): TimeOfStreams {
  return new Map([...streams].map(([stream, times]) => [stream, of(times)]));
}

/** What the library takes for itself is worth a sentence from this share of its calls' time on. */
const NAMED_SHARE = 0.1;

/**
 * The same where what costs are the calls below: their time is what can be saved, and what the libraries above them take
 * for themselves is said apart.
 */
export function placeOfRequests(
  group: UpperGroup,
): Pick<PatternPlace, 'site' | 'amount' | 'lostNs' | 'timeOfStreams' | 'files' | 'streams' | 'medianBytes' | 'remark'> {
  const { timeNs } = group;
  // Calls below one can go on side by side.
  const belowNs = Math.min(timeNs, group.lower.timeNs);
  return {
    ...placeOf(group),
    amount: { ...amountOf(group), timeNs: belowNs },
    lostNs: belowNs,
    timeOfStreams: streamTimes(group, ({ timeNs: all, lowerNs }) => Math.min(all, lowerNs)),
    remark: apartText(timeNs, belowNs),
  };
}

/** A sentence on what calls take besides the calls below them; empty where that is little. */
export function apartText(timeNs: number, belowNs: number): Sentence {
  return timeNs - belowNs < NAMED_SHARE * timeNs
    ? []
    : say`Of the ${slot('timeOfCalls', timeNs)} from call to return ${slot('timeOfLibrary', timeNs - belowNs)} are spent above them, in the library itself.`;
}

/** Attributes hold little, and none is a block of many values. */
export function attributesOnce(isRead: boolean): Recommendation {
  const text = isRead
    ? 'Read each attribute once, before the loop, and keep its value.'
    : 'Write each attribute once, when its value is final; what changes with each step belongs in a data set or variable.';
  return { audience: 'code', text };
}

/** `1 H5Dwrite`, `34 × H5Dwrite`. */
export function timesCall(count: number, name: string): Sentence {
  return say`${slot('upperCalls', count)}${count === 1 ? '' : ' ×'} ${naming('function', name)}`;
}

/** `64 pwrite, 3 lseek`: the commonest first. */
export function callList({ trace }: Pick<LayerCalls, 'trace'>, byCall: readonly number[]): Sentence {
  const counts: [name: string, count: number][] = [];
  byCall.forEach((count, call) => counts.push([trace.calls.names[call]!, count]));
  counts.sort((a, b) => b[1] - a[1]);
  const named = counts
    .slice(0, 3)
    .map(([name, count]) => say`${slot('callsOfFunction', count)} ${naming('function', name)}`);
  const left = counts.slice(3).reduce((sum, [, count]) => sum + count, 0);
  return left === 0 ? listed(named, ', ') : say`${listed(named, ', ')} and ${countOf('otherCalls', left, 'other')}`;
}

/** Layers by what advice for them has in common. */
export type Library = 'HDF5' | 'NetCDF' | 'MPI-IO' | 'STDIO' | 'other';

export function libraryOf({ layer }: Pick<UpperGroup, 'layer'>): Library {
  const name = LAYERS[layer];
  if (name === 'HDF5' || name === 'MPI-IO' || name === 'STDIO') return name;
  return name === 'NetCDF' || name === 'PnetCDF' ? 'NetCDF' : 'other';
}

/** Calls of NetCDF below which none of HDF5 is: they move a file of the classic format, which has no chunks. */
export function isClassicNetcdf({ upper, trace }: LayerCalls, group: UpperGroup): boolean {
  if (libraryOf(group) !== 'NetCDF') return false;
  const isHdf5 = (name: string | undefined): boolean => name?.startsWith('H5') === true;
  if (group.lower.byCall.some((_, call) => isHdf5(trace.calls.names[call]))) return false;
  return !upper!.groups.some(
    ({ call, files }) => isHdf5(trace.calls.names[call]) && [...files.keys()].some((file) => group.files.has(file)),
  );
}

/** Groups of the program's own calls; none in a recording of one layer. */
export function outermostGroups({ upper }: LayerCalls): UpperGroup[] {
  return (upper?.groups ?? []).filter(({ isOutermost }) => isOutermost);
}

/** Hosts of streams; those that the recording does not name are one. */
export function hostsOf({ trace }: Pick<LayerCalls, 'trace'>, streams: Iterable<number>): Set<string> {
  return new Set([...streams].map((stream) => trace.streams[stream]?.host ?? ''));
}
