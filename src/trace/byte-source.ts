/**
 * How the core reaches bytes. Files, archives, standard input, and a browser's blobs implement these; nothing else in
 * the core knows where bytes come from.
 */

/** Bytes in order, once. */
export interface ByteStream {
  /**
   * Copies the next bytes into `target`.
   * @returns how many; 0 at the end.
   * @throws WrongChecksumError at the end, where some of the bytes are not those that were written; any other Error when the
   * source cannot be read further. Both in words for the user.
   */
  read(target: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** All bytes were read, and some are wrong: nobody knows which. */
export class WrongChecksumError extends Error {
  override name = 'WrongChecksumError';
}

/** Bytes by position. */
export interface ByteSource {
  readonly size: number;
  /** Copies bytes from `position` into `target`; returns how many there were (fewer only at the end). */
  read(position: number, target: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** How the parts of a file are packed. */
export type Packing = 'none' | 'zlib' | 'bzip2';

/** Packed bytes that make no sense. */
export class UnpackError extends Error {
  override name = 'UnpackError';

  /** @param next position of the next stream that is sound, where one was found behind the damage. */
  constructor(
    message: string,
    readonly next: number | undefined,
  ) {
    super(message);
  }
}

/** A file whose parts are reached by position, packed or not. */
export interface PackedSource extends ByteSource {
  /**
   * Unpacks the streams that stand one behind the other in `length` bytes from `position`, in pieces that are valid until
   * the next one is asked for.
   * @throws UnpackError in words for the user when they are damaged, after everything before the damage was handed out.
   */
  unpack(packing: Packing, position: number, length: number): AsyncGenerator<Uint8Array>;
}

/** A file of a recording, not opened yet. */
export interface RecordingFile {
  /** Name for the user and for conventions that live in names (`cid_host_rid.st`): the last part of the path. */
  readonly name: string;
  /** The whole path, or '-' for standard input. */
  readonly path: string;
  /** Bytes as stored, for progress; undefined when nobody can know. */
  readonly size: number | undefined;
  /** Opens it, decompressed. `position` is how many stored bytes were consumed so far, for progress. */
  open(): Promise<ByteStream & { readonly position: number }>;
  /**
   * Opens it by position. What is compressed as a whole, or comes on standard input, is unpacked into memory first.
   * @throws Error in words for the user when it cannot be opened, or is too large for memory.
   */
  openAt(): Promise<PackedSource>;
}

/** A file of a recording that is still being written. */
export interface GrowingFile {
  readonly name: string;
  readonly path: string;
  /** Bytes that wait to be read. */
  readonly more: number;
  /** The file from its beginning; a read that gives 0 bytes is at the end of what there is now. */
  readonly stream: ByteStream;
  /** What stands behind the first `position` bytes counts as not read: the next read begins there. */
  goBack(position: number): void;
}
