import { HEAD_BYTES } from '../../readers/registry.ts';
import type { KeptFile } from '../machine/kept-file.ts';
import type { LocalRecordingFile } from '../reading/recording-files.ts';

export type SourceFile = LocalRecordingFile | KeptFile;

/** Recordings that are told by their names need no look. */
const RECORDING = /\.(darshan|st|strace|pfw|drishti|iorec)(\.(gz|xz|bz2|zst))?$/;

export function isNamedAsRecording(path: string): boolean {
  return RECORDING.test(path);
}

/** The first bytes of a file, unpacked. */
export async function headOf(file: SourceFile): Promise<Uint8Array> {
  const stream = await file.open();
  try {
    return await filled(new Uint8Array(HEAD_BYTES), stream);
  } finally {
    await stream.close();
  }
}

/** @returns as much of `target` as there are bytes for. */
export async function filled(
  target: Uint8Array,
  stream: { read(target: Uint8Array): Promise<number> },
): Promise<Uint8Array> {
  let length = 0;
  while (length < target.length) {
    const got = await stream.read(target.subarray(length));
    if (got === 0) break;
    length += got;
  }
  return target.subarray(0, length);
}
