import { UnreadableRecordingError } from '../../trace/trace.ts';
import type { RecorderVersion } from './recorder-version.ts';

/** What `recorder.mt` says of all ranks. */
export interface RecorderMetadata {
  readonly ranks: number;
  /** Seconds since 1970 that the ranks' times count from; NaN for 2.2, where each rank has its own. */
  readonly startTime: number;
  /** Seconds that one tick of a time is. */
  readonly resolution: number;
  /** The ranks share one table of signatures, and those that did the same share a grammar. */
  readonly ranksAreMerged: boolean;
  readonly timesArePacked: boolean;
  /** By identifier. */
  readonly functions: readonly string[];
}

/** More ranks than any machine has: then the bytes are no metadata. */
const MOST_RANKS = 1 << 24;
/** Identifiers are a byte. */
const MOST_FUNCTIONS = 256;
/** Bytes in front of the names, by generation. 3.x reserves more than it uses. */
const HEADER_BYTES = { peephole: 24, signatures: 32, 'ranked signatures': 40, 'packed signatures': 1024 } as const;
/** Snapshots that call themselves 2.5 have the fields of 3.x without the reserve. */
const SNAPSHOT_HEADER_BYTES = 40;
const NEWLINE = 10;

/**
 * @param content of `recorder.mt`.
 * @throws UnreadableRecordingError when it makes no sense: nothing of the directory can be read without it.
 */
export function readMetadata(content: Uint8Array, { generation, text }: RecorderVersion): RecorderMetadata {
  const isSnapshot = generation === 'packed signatures' && text.startsWith('2.');
  const header = isSnapshot ? SNAPSHOT_HEADER_BYTES : HEADER_BYTES[generation];
  if (content.length <= header) {
    throw new UnreadableRecordingError(
      `recorder.mt holds ${content.length} bytes; ${header} and the names of functions were expected`,
    );
  }
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const fields = FIELDS[generation](view);
  const { ranks, resolution } = fields;
  if (!(ranks > 0 && ranks <= MOST_RANKS)) {
    throw new UnreadableRecordingError(`recorder.mt says that there were ${ranks} ranks`);
  }
  if (!(resolution > 0 && resolution <= 1)) {
    throw new UnreadableRecordingError(`recorder.mt says that times count ${resolution} seconds`);
  }
  const functions = functionNames(content.subarray(header));
  if (functions.length === 0) throw new UnreadableRecordingError('recorder.mt holds no names of functions');
  return { ...fields, functions };
}

type Fields = Omit<RecorderMetadata, 'functions'>;

/** Structures as C lays them out on a little endian machine. */
const FIELDS: Readonly<Record<RecorderVersion['generation'], (view: DataView) => Fields>> = {
  peephole: (view) => {
    const mode = view.getInt32(12, true);
    if (mode !== PLAIN_RECORDS && mode !== PEEPHOLE_RECORDS) {
      throw new UnreadableRecordingError(
        `this Recorder directory was written in the mode "${MODES[mode] ?? mode}"; "binary" and "recorder" are read`,
      );
    }
    return {
      resolution: view.getFloat64(0, true),
      ranks: view.getInt32(8, true),
      startTime: NaN,
      ranksAreMerged: false,
      timesArePacked: false,
    };
  },
  signatures: (view) => signatureFields(view, false),
  'ranked signatures': (view) => signatureFields(view, view.getInt32(32, true) !== 0),
  'packed signatures': (view) => ({
    ranks: view.getInt32(0, true),
    startTime: view.getFloat64(16, true),
    resolution: view.getFloat64(24, true),
    timesArePacked: view.getUint8(36) !== 0,
    ranksAreMerged: view.getUint8(37) !== 0,
  }),
};

/** Ways in which 2.2 writes records. */
const MODES: readonly string[] = ['text', 'binary', 'recorder', 'zlib'];
const PLAIN_RECORDS = 1;
const PEEPHOLE_RECORDS = 2;

function signatureFields(view: DataView, ranksAreMerged: boolean): Fields {
  return {
    ranks: view.getInt32(0, true),
    startTime: view.getFloat64(8, true),
    resolution: view.getFloat64(16, true),
    ranksAreMerged,
    timesArePacked: false,
  };
}

/** The names of before 2.5 are those of the profiling interface. */
function functionNames(bytes: Uint8Array): string[] {
  const names: string[] = [];
  const decoder = new TextDecoder('latin1');
  for (let from = 0; names.length < MOST_FUNCTIONS;) {
    const end = bytes.indexOf(NEWLINE, from);
    if (end < 0) break;
    names.push(decoder.decode(bytes.subarray(from, end)).replace(/^PMPI/, 'MPI'));
    from = end + 1;
  }
  return names;
}
