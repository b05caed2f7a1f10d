import { NONE } from '../../../trace/events.ts';
import { formatCount, formatDuration } from '../../../base/quantities.ts';
import type { Recommendation } from '../../triggers/insight.ts';
import { advising, say, slot, type Sentence } from '../../triggers/message.ts';
import type { Thresholds } from '../../triggers/thresholds.ts';
import { kindOf, lowerRowsOf, timeBar } from './lower-rows.ts';
import type { LayerCalls } from './layer-calls.ts';
import {
  callList,
  isClassicNetcdf,
  libraryOf,
  outermostGroups,
  placeOfRequests,
  timesCall,
  type LayerPattern,
  type Library,
  type PatternPlace,
} from './pattern.ts';
import { pictureOf, type PatternPicture, type PictureLane } from './picture.ts';
import * as snippets from './snippets.ts';
import type { UpperGroup } from './upper-calls.ts';

/** How many calls one became, over the calls of a group. */
interface Spread {
  readonly least: number;
  readonly median: number;
  readonly most: number;
  /** Entry of the call that became the most. */
  readonly widest: number;
}

/** @param of calls below an entry. */
export function spreadOf({ upper }: LayerCalls, group: UpperGroup, of: (entry: number) => number): Spread {
  const counts = new Float64Array(group.calls);
  let at = 0;
  let widest = NONE;
  for (let entry = 0; entry < upper!.length; entry++) {
    if (upper!.group[entry] !== group.number) continue;
    counts[at++] = of(entry);
    if (widest === NONE || of(entry) > of(widest)) widest = entry;
  }
  counts.sort();
  return { least: counts[0]!, median: counts[(counts.length - 1) >> 1]!, most: counts.at(-1)!, widest };
}

/** `67 for each`, `67 for each on average, 60 to 73`. */
function each(mean: number, { least, most }: Spread): Sentence {
  const range = least === most ? [] : say` on average, ${slot('leastForEach', least)} to ${slot('mostForEach', most)}`;
  const text = mean < 10 ? String(Number(mean.toPrecision(2))) : formatCount(mean);
  return say`${slot('lowerCallsForEach', mean, text)} for each${range}`;
}

/** One call of the program above, what became of it below, both over time. */
export function callPicture(calls: LayerCalls, entry: number, name: string): PatternPicture | undefined {
  const row = calls.upper!.row[entry]!;
  const below = lowerRowsOf(calls, [row]).get(row)!;
  const byName = new Map<string, number[]>();
  for (const lower of below) {
    const lowerName = calls.trace.calls.names[calls.trace.events.value('call', lower)]!;
    const list = byName.get(lowerName) ?? [];
    list.push(lower);
    byName.set(lowerName, list);
  }
  const lanes: PictureLane[] = [...byName].map(([label, rows]) => ({
    label,
    amount: `${formatCount(rows.length)} ${rows.length === 1 ? 'call' : 'calls'}`,
    bars: rows.map((lower) => timeBar(calls, lower, kindOf(calls, lower))),
  }));
  const took = formatDuration(calls.upper!.duration[entry]!);
  return pictureOf(
    {
      title: `One ${name}, and the calls that it became`,
      description: `One ${name} of ${took} above; below it, over the same time, ${lanes.map(({ label, amount }) => `${amount} of ${label}`).join(', ')}.`,
      axis: 'time',
    },
    [{ label: name, amount: took, bars: [timeBar(calls, row, 'call')] }, ...lanes],
  );
}

/** What the requests below one call leave out between them is as much as what they move, or more. */
function skipsBytes({ lower }: UpperGroup): boolean {
  return lower.skippedBytes >= lower.readBytes + lower.writtenBytes;
}

function splitAdvice(library: Library, group: UpperGroup, isClassic: boolean): Recommendation[] {
  const bytes = Math.round(group.bytes / group.calls);
  const isParallel = group.streams.size > 1;
  switch (library) {
    case 'HDF5':
      return [
        {
          audience: 'code',
          ...advising(
            say`HDF5 makes a request for each chunk that a call touches and, in a contiguous data set, for each run of elements that lie side by side in the file${skipsBytes(group) ? ': here gaps lie between them' : ''}. Choose chunks of the shape of what one call moves${bytes > 0 ? say` (${slot('meanSize', bytes)})` : []}, or let one call select whole rows, from first to last element.${isParallel ? ' Transfer collectively, so that MPI-IO joins the requests of all processes.' : ''}`,
          ),
          snippet: snippets.hdf5Chunks('c', isParallel),
          alternatives: [snippets.hdf5Chunks('fortran', isParallel), snippets.h5pyChunks()],
        },
      ];
    case 'NetCDF':
      if (isClassic) return classicAdvice(group);
      return [
        {
          audience: 'code',
          text: `NetCDF makes a request for each chunk that a call touches and, in a variable without chunks, for each run of elements that lie side by side in the file. Choose chunks of the shape of what one call moves, or let one call move whole rows.${isParallel ? ' Access the variable collectively.' : ''}`,
          snippet: snippets.netcdfChunks(isParallel),
        },
      ];
    case 'MPI-IO':
      return [
        {
          audience: 'code',
          text: 'Describe the pieces by a file view and let all processes call the collective variant: MPI-IO then joins them into large requests.',
          snippet: snippets.collectiveWithView('c', group.operation === 'read'),
          alternatives: [snippets.collectiveWithView('fortran', group.operation === 'read')],
        },
      ];
    case 'STDIO':
      return [
        {
          audience: 'code',
          text: 'Give the stream a buffer as large as what one call moves, before its first use.',
          snippet: snippets.largerStreamBuffer(),
        },
      ];
    default:
      return [{ audience: 'code', text: 'Look for a setting of the library that makes its requests larger.' }];
  }
}

/** A classic file goes through one buffer of the library; who reads parts with gaps between reads only more by a larger one. */
export function classicAdvice({ operation, lower }: UpperGroup): Recommendation[] {
  const size = slot('lowerMedianSize', lower.sizes.median());
  if (operation === 'read') {
    return [
      {
        audience: 'code',
        ...advising(
          say`Files of the classic format go through a buffer of the library, here of ${size}, which is refilled for each piece that lies elsewhere: read what lies side by side in the file with one call (whole records) and take the parts from memory, or store what is read together side by side.`,
        ),
        snippet: snippets.netcdfWholeBlock(true),
        alternatives: snippets.netcdfWholeBlockIn(true),
      },
    ];
  }
  return [
    {
      audience: 'code',
      ...advising(
        say`Files of the classic format go through a buffer of the library, here of ${size}: ask for a larger one, of ${slot('advisedSize', 1 << 18)} or so (bufrsizehintp of nc__create). Where all that is defined is written anyway, turn off the fill values that are written first (nc_set_fill with NC_NOFILL).`,
      ),
      snippet: snippets.netcdfClassicBuffer('c'),
      alternatives: [snippets.netcdfClassicBuffer('fortran')],
    },
  ];
}

function splitPlace(calls: LayerCalls, group: UpperGroup, smallBytes: number): PatternPlace {
  const { lower } = group;
  const transfers = lower.reads + lower.writes;
  const name = calls.trace.calls.names[group.call]!;
  const spread = spreadOf(calls, group, (entry) => calls.upper!.transfers[entry]!);
  const size = lower.sizes.median();
  const moved = group.bytes > 0 ? say` (${slot('upperBytes', group.bytes)})` : [];
  return {
    ...placeOfRequests(group),
    weight: transfers,
    subject: say`${timesCall(group.calls, name)}${moved} became ${slot('lowerCalls', transfers)} reads and writes below (${each(transfers / group.calls, spread)}): ${callList(calls, lower.byCall)}, mostly of ${slot('lowerMedianSize', size)}; the calls below`,
    // Large pieces are what file systems like; many small ones are not.
    ...(size >= smallBytes && { severity: 'info' as const }),
    evidence: {
      upperCalls: group.calls,
      lowerCalls: transfers,
      lowerOtherCalls: lower.others,
      callsPerCall: transfers / group.calls,
      leastCallsPerCall: spread.least,
      medianCallsPerCall: spread.median,
      mostCallsPerCall: spread.most,
      upperBytes: group.bytes,
      lowerBytes: lower.readBytes + lower.writtenBytes,
      lowerMedianBytes: size,
      lowerTimeNs: lower.timeNs,
    },
    recommendations: splitAdvice(libraryOf(group), group, isClassicNetcdf(calls, group)),
    picture: () => callPicture(calls, spread.widest, name),
  };
}

/** Section 3.3.1.1 of Tschüter, figure 3.16: one call of a library becomes many of a lower one. */
export const CALL_SPLIT: LayerPattern = {
  code: 'L20',
  name: 'call-split-below',
  title: 'A library makes one call into many requests',
  find: (calls, { split_calls, small_bytes }: Thresholds) =>
    outermostGroups(calls)
      .filter(({ operation }) => operation === 'read' || operation === 'write')
      .filter((group) => group.lower.reads + group.lower.writes >= split_calls * group.calls)
      .map((group) => splitPlace(calls, group, small_bytes)),
  unless: ['L22', 'L29'],
  explainedBy: ['L14'],
  explains: ['P05', 'P06', 'P15', 'P16'],
};

const QUESTIONS: ReadonlySet<string> = new Set(['open', 'close', 'metadata', 'sync', 'other']);

/** Section V.A of Drishti's paper; "metadata storms at open and close": one call that moves no data costs many small ones. */
export const METADATA_BELOW: LayerPattern = {
  code: 'L28',
  name: 'metadata-below-one-call',
  title: 'Opening, closing and describing takes many calls below',
  find: (calls, { split_calls }) =>
    outermostGroups(calls)
      .filter(({ operation }) => QUESTIONS.has(operation))
      .filter((group) => lowerCalls(group) >= split_calls * group.calls)
      .map((group) => metadataPlace(calls, group)),
  unless: ['L30'],
  explainedBy: ['L02', 'L43', 'L42', 'L40'],
  explains: ['P05', 'P06', 'P09', 'P10', 'P11', 'P13', 'P15', 'P16', 'P17', 'L05'],
};

function lowerCalls({ lower }: UpperGroup): number {
  return lower.reads + lower.writes + lower.others;
}

function metadataPlace(calls: LayerCalls, group: UpperGroup): PatternPlace {
  const { lower } = group;
  const name = calls.trace.calls.names[group.call]!;
  const spread = spreadOf(calls, group, (entry) => calls.upper!.transfers[entry]! + calls.upper!.others[entry]!);
  const all = lowerCalls(group);
  const who = group.streams.size > 1 ? say` of ${slot('processes', group.streams.size)} processes` : [];
  return {
    ...placeOfRequests(group),
    weight: all,
    subject: say`${timesCall(group.calls, name)}${who} became ${slot('lowerCalls', all)} calls below (${each(all / group.calls, spread)}): ${callList(calls, lower.byCall)}; the calls below`,
    evidence: {
      upperCalls: group.calls,
      lowerCalls: all,
      callsPerCall: all / group.calls,
      leastCallsPerCall: spread.least,
      medianCallsPerCall: spread.median,
      mostCallsPerCall: spread.most,
      lowerBytes: lower.readBytes + lower.writtenBytes,
      lowerTinyCalls: lower.tinyCalls,
      lowerTimeNs: lower.timeNs,
    },
    recommendations: isClassicNetcdf(calls, group)
      ? [DEFINE_ONCE]
      : writesKeptData(calls, group)
        ? [chunksAdvice(libraryOf(group))]
        : metadataAdvice(libraryOf(group), group.streams.size),
    picture: () => callPicture(calls, spread.widest, name),
  };
}

/** Most of what closing writes are data that the program had handed over before, and the library kept: its chunks. */
function writesKeptData(calls: LayerCalls, { lower, files }: UpperGroup): boolean {
  const large = lower.writtenBytes - lower.tinyBytes;
  const handed = outermostGroups(calls)
    .filter((group) => group.operation === 'write')
    .flatMap((group) => [...group.files].filter(([file]) => files.has(file)))
    .reduce((sum, [, { bytes }]) => sum + bytes, 0);
  return large >= lower.writtenBytes / 2 && handed >= large / 2 && large > 0;
}

function chunksAdvice(library: Library): Recommendation {
  return {
    audience: 'code',
    text: 'Most of what is written here is data that the library had kept, one chunk with each call: make chunks that hold many of the records that the program writes.',
    ...(library === 'HDF5' || library === 'NetCDF' ? { snippet: snippets.chunksOfRecords(library) } : {}),
  };
}

const DEFINE_ONCE: Recommendation = {
  audience: 'code',
  text: 'Define all dimensions, variables and attributes before the one nc_enddef, and write the data after it: in a file of the classic format each later nc_redef and nc_enddef may move all data that are there. Where more is to come, leave room for it (h_minfree of nc__enddef).',
};

function metadataAdvice(library: Library, streams: number): Recommendation[] {
  if (library !== 'HDF5' && library !== 'NetCDF')
    return [{ audience: 'code', text: 'Open once and keep it open; ask once and keep the answer.' }];
  const together: Recommendation = {
    audience: 'code',
    text: 'Let one rank read the metadata and hand it to all, and write it collectively.',
    snippet: snippets.hdf5CollectiveMetadata('c'),
    alternatives: [snippets.hdf5CollectiveMetadata('fortran')],
  };
  const block: Recommendation = {
    audience: 'code',
    ...advising(
      say`Let HDF5 keep its metadata together, in blocks of ${slot('advisedSize', 1 << 20)}, and few: one attribute that holds an array instead of many, objects in the newest format.`,
    ),
    snippet: snippets.hdf5MetadataBlock('c'),
    alternatives: [snippets.hdf5MetadataBlock('fortran')],
  };
  return streams > 1 ? [together, block] : [block];
}
