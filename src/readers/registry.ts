import type { RecordingFile } from '../trace/byte-source.ts';
import type { FormatName } from '../trace/format-traits.ts';
import type { ReadOptions, Trace } from '../trace/trace.ts';
import { readCapture } from './capture/capture-reader.ts';
import { looksLikeCapture } from './capture/chunks.ts';
import { GrowingCapture } from './capture/growing-capture.ts';
import { looksLikeDarshan, readDarshan } from './darshan/darshan-reader.ts';
import { looksLikeDarshanText } from './darshan-text/recognise.ts';
import { readDarshanText } from './darshan-text/text-reader.ts';
import { looksLikeDfTracer, readDfTracer } from './dftracer/dftracer-reader.ts';
import type { GrowingReader } from './growing-reader.ts';
import { looksLikeHdf5Vol, readHdf5Vol } from './hdf5-vol/vol-reader.ts';
import { archiveFiles, isAnchor } from './otf2/otf2-folder.ts';
import { readOtf2 } from './otf2/otf2-reader.ts';
import { RECORDER } from './recorder/recorder-format.ts';
import { GrowingStrace } from './strace/growing-strace.ts';
import { looksLikeStrace } from './strace/recognise.ts';
import { readStrace } from './strace/strace-reader.ts';

/** A format of recordings; `FORMAT_TRAITS` says what they are like. */
export interface Format {
  readonly name: FormatName;
  /** Whether a file of this format begins like this (up to 64 KiB, decompressed). */
  recognises(head: Uint8Array): boolean;
  read(files: readonly RecordingFile[], options: ReadOptions): Promise<Trace>;
  /** Makes a reader of recordings that are still being written, where their files are only ever appended to. */
  grow?(options: ReadOptions): GrowingReader;
}

/** A format whose recordings are many files that belong together, told by their names. */
export interface FolderFormat {
  readonly name: FormatName;
  /** Whether a file of this name stands for the whole recording around it: opening it opens all. */
  isEntry(name: string): boolean;
  /**
   * The files of a recording in a folder, by names relative to it; undefined when it holds no recording of this format.
   * @param entries names of the folder's files.
   * @param list names of the files in a folder of the folder; none when it is not there.
   * @param entry the file that the user named; '' for the folder as a whole.
   * @throws UnreadableRecordingError when it holds several.
   */
  filesOf(
    entries: readonly string[],
    list: (folder: string) => Promise<readonly string[]>,
    entry: string,
  ): Promise<readonly string[] | undefined>;
  /** @param files as `filesOf` named them, in its order; `name` is relative to the folder. */
  read(files: readonly RecordingFile[], options: ReadOptions): Promise<Trace>;
}

/** Formats that are folders: they are looked for before the single files are looked at. */
export const FOLDER_FORMATS: readonly FolderFormat[] = [
  { name: 'otf2', isEntry: isAnchor, filesOf: archiveFiles, read: readOtf2 },
  RECORDER,
];

/** All formats, the most certain first: one that is told by a magic number comes before one that is told by its looks. */
export const FORMATS: readonly Format[] = [
  {
    name: 'iolens',
    recognises: looksLikeCapture,
    read: readCapture,
    grow: (options) => new GrowingCapture(options),
  },
  { name: 'darshan', recognises: looksLikeDarshan, read: readDarshan },
  { name: 'darshan-parser text', recognises: looksLikeDarshanText, read: readDarshanText },
  { name: 'dftracer', recognises: looksLikeDfTracer, read: readDfTracer },
  { name: 'hdf5-vol', recognises: looksLikeHdf5Vol, read: readHdf5Vol },
  {
    name: 'strace',
    recognises: looksLikeStrace,
    read: readStrace,
    grow: (options) => new GrowingStrace(options),
  },
];

export const HEAD_BYTES = 1 << 16;

/** The format of a file by its first bytes; undefined when no reader knows it. */
export function recogniseFormat(head: Uint8Array): Format | undefined {
  return FORMATS.find((format) => format.recognises(head));
}
