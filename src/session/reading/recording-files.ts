import { machine } from '#machine';
import type { PackedSource, RecordingFile } from '../../trace/byte-source.ts';
import { messageOf } from '../../base/error-message.ts';
import { withoutStackSamples } from './companions.ts';
import { decompressed, isCompressed, type PositionedStream } from './compression/decompress.ts';
import { Pieces } from './compression/pieces.ts';
import { PackedBytes } from './compression/unpack.ts';
import { LocalSource, MemorySource } from '../machine/local-source.ts';
import { LocalStream } from '../machine/local-stream.ts';
import type { FileStatus, InputChunks } from '../machine/machine.ts';

/** Bytes of a file that has to stand in memory to be read by position. */
const MOST_IN_MEMORY = 1 << 30;

/** All bytes of a stream by position; they stand in memory. */
export async function streamAt(stream: PositionedStream): Promise<PackedSource> {
  return new PackedBytes(await MemorySource.readAll(stream, MOST_IN_MEMORY));
}

/** A file on this machine; compressed files are told by their first bytes and unpacked while they are read. */
export class LocalRecordingFile implements RecordingFile {
  readonly name: string;
  /** Bytes as stored; undefined until it is opened, unless they were known. */
  size: number | undefined;

  constructor(
    readonly path: string,
    size?: number,
    name: string = path.split('/').at(-1)!,
  ) {
    this.name = name;
    this.size = size;
  }

  async open(): Promise<PositionedStream> {
    const stream = await LocalStream.open(this.path);
    this.size = stream.size;
    try {
      return await decompressed(stream, stream.size);
    } catch (error) {
      await stream.close();
      throw error;
    }
  }

  async openAt(): Promise<PackedSource> {
    const source = await LocalSource.open(this.path);
    this.size = source.size;
    if (!(await isCompressed(source))) return new PackedBytes(source);
    await source.close();
    return streamAt(await this.open());
  }
}

/**
 * Whether a file is compressed as a whole.
 * @throws Error in words for the user when it cannot be read.
 */
export async function isPacked(path: string): Promise<boolean> {
  const source = await LocalSource.open(path);
  try {
    return await isCompressed(source);
  } finally {
    await source.close();
  }
}

/** What comes on standard input, compressed or not. It can be opened once. */
class StandardInput implements RecordingFile {
  readonly name = 'standard input';
  readonly path = '-';
  readonly size = undefined;

  open(): Promise<PositionedStream> {
    return decompressed(new InputStream(machine.standardInput()));
  }

  async openAt(): Promise<PackedSource> {
    return streamAt(await this.open());
  }
}

/** Hands out chunks in pieces of the wanted size. */
class InputStream implements PositionedStream {
  position = 0;
  private readonly pieces: Pieces;

  constructor(private readonly source: InputChunks) {
    this.pieces = new Pieces(source.chunks);
  }

  async read(target: Uint8Array): Promise<number> {
    const length = await this.pieces.read(target);
    this.position += length;
    return length;
  }

  close(): Promise<void> {
    this.source.close();
    return Promise.resolve();
  }
}

/** What a path means. */
export interface FilesAt {
  readonly files: readonly RecordingFile[];
  /** Names of folders in the folder: each is a recording of its own (docs/decisions/0013). */
  readonly folders: readonly string[];
  /** What else lies in the folder and cannot be a recording: name and reason. */
  readonly others: readonly (readonly [name: string, reason: string])[];
}

/**
 * The recording files that a path means: itself, or the files of a folder.
 * @throws Error in words for the user.
 */
export async function filesAt(location: string): Promise<FilesAt> {
  if (location === '-') return { files: [new StandardInput()], folders: [], others: [] };
  const status = await machine.files.status(location).catch((error: unknown) => {
    throw new Error(`${location}: ${messageOf(error)}`, { cause: error });
  });
  if (status.kind === 'folder') return filesOfFolder(machine.files.absolute(location));
  if (status.kind !== 'file') {
    throw new Error(`${location}: a pipe or a device is no recording; give "-" and its content on standard input`);
  }
  return { files: [new LocalRecordingFile(machine.files.absolute(location), status.size)], folders: [], others: [] };
}

async function filesOfFolder(folder: string): Promise<FilesAt> {
  const entries = await machine.files.list(folder).catch((error: unknown) => {
    throw new Error(`${folder}: ${messageOf(error)}`, { cause: error });
  });
  // A sample lends its stacks to the recording beside it, and its calls are the same calls again.
  const kept = new Set(withoutStackSamples(entries.map(({ name }) => name)));
  const files: RecordingFile[] = [];
  const folders: string[] = [];
  const others: [string, string][] = [];
  for (const entry of entries.filter(({ name }) => kept.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = `${folder.replace(/\/$/, '')}/${entry.name}`;
    const kind = entry.kind === 'link' ? await kindBehind(file) : entry.kind;
    if (kind === 'file') files.push(new LocalRecordingFile(file));
    else if (kind === 'folder') folders.push(entry.name);
    else others.push([entry.name, kind === 'other' ? 'a pipe or a device' : kind.problem]);
  }
  return { files, folders, others };
}

/** What a link leads to. */
async function kindBehind(link: string): Promise<FileStatus['kind'] | { problem: string }> {
  return machine.files.status(link).then(
    ({ kind }) => kind,
    (error: unknown) => ({ problem: messageOf(error) }),
  );
}

/** The files alone. */
export async function recordingFilesAt(location: string): Promise<readonly RecordingFile[]> {
  return (await filesAt(location)).files;
}
