import type { Recommendation } from '../../triggers/insight.ts';
import { hasNoGaps, READ_FOR_NOTHING } from '../../triggers/library-advice.ts';
import { listed, say, slot } from '../../triggers/message.ts';
import { callPicture, classicAdvice, spreadOf } from './call-split.ts';
import type { LayerCalls } from './layer-calls.ts';
import {
  isClassicNetcdf,
  libraryOf,
  outermostGroups,
  placeOfRequests,
  timesCall,
  type LayerPattern,
  type PatternPlace,
} from './pattern.ts';
import * as snippets from './snippets.ts';
import type { UpperGroup } from './upper-calls.ts';

/** Why more is moved below than above. */
type Cause =
  | 'read for nothing'
  | 'read before write'
  | 'moved again'
  | 'metadata'
  | 'whole blocks'
  | 'fill values'
  | 'read ahead'
  | 'unknown';

/** A part of what is moved on top must be as large as this to be its cause. */
const MOSTLY = 0.5;

const WORDS: Readonly<Record<Cause, string>> = {
  'read for nothing': 'it reads before it writes, although no gap is among what it writes',
  'read before write': 'what is around the data is read before it is written (read-modify-write)',
  'moved again':
    'the same bytes are moved several times below one call: the cache of the library is smaller than a chunk',
  metadata: 'most of the rest are small pieces of metadata',
  'whole blocks':
    'the library moves whole blocks (chunks, or what its buffer holds) where a part of each was asked for',
  'fill values': 'whole blocks are moved where a part of each was asked for, or fill values are written first',
  'read ahead': 'the buffer of the stream reads on past what was asked for',
  unknown: 'the recording does not show why',
};

function causeOf(group: UpperGroup): Cause {
  const { lower, bytes, operation } = group;
  const library = libraryOf(group);
  const extra = lower.readBytes + lower.writtenBytes - bytes;
  if (operation === 'write' && lower.readBytes >= MOSTLY * extra) {
    const isForNothing = library === 'MPI-IO' && hasNoGaps(lower.writtenBytes, bytes);
    return isForNothing ? 'read for nothing' : 'read before write';
  }
  if (lower.repeatedBytes >= MOSTLY * extra) return 'moved again';
  if (lower.tinyBytes >= MOSTLY * extra) return 'metadata';
  if (library === 'HDF5' || library === 'NetCDF') return operation === 'read' ? 'whole blocks' : 'fill values';
  return library === 'STDIO' && operation === 'read' ? 'read ahead' : 'unknown';
}

const CHUNKS: Recommendation = {
  audience: 'code',
  text: 'Give chunks the shape that one call moves, let the cache hold those in use, and write no fill values where everything is written anyway.',
  snippet: snippets.hdf5NoFillAndCache('c'),
  alternatives: [
    snippets.hdf5NoFillAndCache('fortran'),
    snippets.hdf5Chunks('c', false),
    snippets.hdf5Chunks('fortran', false),
  ],
};

const WHOLE_BLOCKS: Recommendation = {
  audience: 'code',
  text: 'Read what lies side by side in the file with one call (whole rows, whole chunks) and take the parts from memory; or store the data in chunks of the shape that one call moves.',
  snippet: snippets.hdf5WholeBlock('c', true),
  alternatives: [
    snippets.hdf5WholeBlock('fortran', true),
    snippets.h5pyWholeBlock(true),
    snippets.hdf5Chunks('c', false),
    snippets.hdf5Chunks('fortran', false),
  ],
};

const ADVICE: Readonly<Record<Cause, readonly Recommendation[]>> = {
  'read for nothing': [READ_FOR_NOTHING],
  'read before write': [
    {
      audience: 'code',
      text: 'Write whole blocks: pieces that begin and end where chunks (or blocks of the file system) do need no read first.',
      snippet: snippets.hdf5Chunks('c', false),
      alternatives: [snippets.hdf5Chunks('fortran', false)],
    },
  ],
  'moved again': [CHUNKS],
  'whole blocks': [WHOLE_BLOCKS],
  'fill values': [CHUNKS],
  metadata: [
    {
      audience: 'code',
      text: 'Let HDF5 keep its metadata together in large blocks.',
      snippet: snippets.hdf5MetadataBlock('c'),
      alternatives: [snippets.hdf5MetadataBlock('fortran')],
    },
  ],
  'read ahead': [
    {
      audience: 'code',
      text: 'Places all over a file do not suit a stream: read them with pread, or give the stream a buffer no larger than a record.',
    },
  ],
  unknown: [],
};

function place(calls: LayerCalls, group: UpperGroup, smallBytes: number): PatternPlace {
  const { lower } = group;
  const name = calls.trace.calls.names[group.call]!;
  const moved = lower.readBytes + lower.writtenBytes;
  const cause = causeOf(group);
  const ratio = moved / group.bytes;
  const both = [
    ...(lower.readBytes > 0
      ? [say`${slot('lowerReadBytes', lower.readBytes)} read by ${slot('lowerReads', lower.reads)}`]
      : []),
    ...(lower.writtenBytes > 0
      ? [say`${slot('lowerWrittenBytes', lower.writtenBytes)} written by ${slot('lowerWrites', lower.writes)}`]
      : []),
  ];
  return {
    ...placeOfRequests(group),
    weight: moved - group.bytes >= smallBytes ? Infinity : lower.reads + lower.writes,
    subject: say`${timesCall(group.calls, name)} for ${slot('upperBytes', group.bytes)} became ${listed(both, ' and ')} calls below, ${slot('timesAsMuch', ratio, String(Number(ratio.toPrecision(2))))} times as much: ${WORDS[cause]}; the calls below`,
    evidence: {
      upperBytes: group.bytes,
      lowerReadBytes: lower.readBytes,
      lowerWrittenBytes: lower.writtenBytes,
      amplification: ratio,
      repeatedBytes: lower.repeatedBytes,
      tinyBytes: lower.tinyBytes,
      lowerCalls: lower.reads + lower.writes,
    },
    recommendations: isClassicNetcdf(calls, group) ? classicAdvice(group) : ADVICE[cause],
    picture: () => {
      const { widest } = spreadOf(
        calls,
        group,
        (entry) => calls.upper!.readBytes[entry]! + calls.upper!.writtenBytes[entry]!,
      );
      return callPicture(calls, widest, name);
    },
  };
}

/** Section 3.3.1.1 of Tschüter, "varying number of transferred bytes". */
export const BYTE_AMPLIFICATION: LayerPattern = {
  code: 'L21',
  name: 'more-bytes-below',
  title: 'A library moves more bytes than it was asked for',
  find: (calls, { amplification, small_bytes }) =>
    outermostGroups(calls)
      .filter(({ operation, bytes }) => (operation === 'read' || operation === 'write') && bytes > 0)
      .filter(({ lower, bytes }) => lower.readBytes + lower.writtenBytes >= amplification * bytes)
      .map((group) => place(calls, group, small_bytes)),
  unless: ['L22'],
  explainedBy: ['L42', 'L41'],
  explains: ['P09', 'P10'],
};
