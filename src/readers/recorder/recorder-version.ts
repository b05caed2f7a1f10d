import { UnreadableRecordingError } from '../../trace/trace.ts';

/**
 * How a Recorder directory is laid out (formats document "Recorder traces"):
 * - `peephole`: 2.2 and older, one file of records for each rank, each record compressed against one shortly before it;
 * - `signatures`: 2.3, a table of call signatures, a grammar and times for each rank;
 * - `ranked signatures`: 2.5, the same, and one table for all ranks where they were compressed together;
 * - `packed signatures`: 3.x, the same packed by zlib, and the times of all ranks in one file.
 */
type Generation = 'peephole' | 'signatures' | 'ranked signatures' | 'packed signatures';

export interface RecorderVersion {
  /** As the file VERSION has it; '' where there is none, as before 2.3. */
  readonly text: string;
  readonly generation: Generation;
}

const LONGEST_VERSION = 64;

/**
 * The generation of a directory, by its file VERSION. Directories of before 2.3 may have none: their files tell.
 * @param content of VERSION; undefined when there is no such file.
 * @param names of the directory's files.
 * @throws UnreadableRecordingError for versions whose layout is not known.
 */
export function recorderVersion(content: Uint8Array | undefined, names: readonly string[]): RecorderVersion {
  if (content === undefined) return { text: '', generation: withoutVersion(names) };
  const text = new TextDecoder('latin1').decode(content.subarray(0, LONGEST_VERSION)).trim();
  const version = /^(\d{1,4})\.(\d{1,4})/.exec(text);
  if (version === null)
    throw new UnreadableRecordingError('the file VERSION of this Recorder directory holds no version');
  const [major, minor] = [Number(version[1]), Number(version[2])];
  if (major === 3) return { text, generation: 'packed signatures' };
  if (major !== 2) {
    const known = '2 and 3';
    throw new UnreadableRecordingError(
      `Recorder ${text}: directories of version ${known} are read, this one is newer or older`,
    );
  }
  if (minor <= 2) return { text, generation: 'peephole' };
  // Snapshots on the way to 3.0 still call themselves 2.5.
  if (names.includes('recorder.ts')) return { text, generation: 'packed signatures' };
  return { text, generation: minor <= 3 ? 'signatures' : 'ranked signatures' };
}

function withoutVersion(names: readonly string[]): Generation {
  if (names.some((name) => /^\d+\.itf$/.test(name))) return 'peephole';
  if (names.includes('recorder.ts') || names.includes('recorder.cst')) return 'packed signatures';
  throw new UnreadableRecordingError(
    'the file VERSION of this Recorder directory is missing: its layout cannot be told',
  );
}
