import type { RecordingFile } from '../trace/byte-source.ts';
import type { ReadOptions, Trace } from '../trace/trace.ts';
import { looksLikeDarshan, readDarshan } from './darshan/darshan-reader.ts';
import { looksLikeDarshanText } from './darshan-text/recognise.ts';
import { readDarshanText } from './darshan-text/text-reader.ts';
import { looksLikeStrace } from './strace/recognise.ts';
import { readStrace } from './strace/strace-reader.ts';

/** A format of recordings. */
export interface Format {
  readonly name: string;
  /** Whether a file of this format begins like this (up to 64 KiB, decompressed). */
  recognises(head: Uint8Array): boolean;
  read(files: readonly RecordingFile[], options: ReadOptions): Promise<Trace>;
}

/** All formats, the most certain first: one that is told by a magic number comes before one that is told by its looks. */
export const FORMATS: readonly Format[] = [
  { name: 'darshan', recognises: looksLikeDarshan, read: readDarshan },
  { name: 'darshan-parser text', recognises: looksLikeDarshanText, read: readDarshanText },
  { name: 'strace', recognises: looksLikeStrace, read: readStrace },
];

export const HEAD_BYTES = 1 << 16;

/** The format of a file by its first bytes; undefined when no reader knows it. */
export function recogniseFormat(head: Uint8Array): Format | undefined {
  return FORMATS.find((format) => format.recognises(head));
}
