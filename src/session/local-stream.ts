import { close, constants, fstatSync, open, read } from 'node:fs';
import { promisify } from 'node:util';
import type { ByteStream } from '../trace/byte-source.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

/** A file of this machine as a stream of its bytes. */
export class LocalStream implements ByteStream {
  position = 0;

  private constructor(
    private readonly descriptor: number,
    /** Bytes that the file had when it was opened. */
    readonly size: number,
  ) {}

  /**
   * Opens a regular file. Pipes and devices are refused at once: opening one must not wait for a writer.
   * @throws Error in words for the user.
   */
  static async open(file: string): Promise<LocalStream> {
    let descriptor: number;
    try {
      descriptor = await openFile(file, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    }
    // What the kernel knows of an open file takes it a microsecond; a round through the thread pool takes fifty.
    const status = fstatSync(descriptor);
    if (status.isFile()) return new LocalStream(descriptor, status.size);
    await closeFile(descriptor);
    throw new Error(`it is ${status.isDirectory() ? 'a folder' : 'a pipe or a device'}, no file`);
  }

  async read(target: Uint8Array): Promise<number> {
    if (this.position === this.size && this.size > 0) return this.atEnd();
    const bytes = await this.readAt(target);
    this.position += bytes;
    return bytes === 0 ? this.atEnd() : bytes;
  }

  private readAt(target: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      read(this.descriptor, target, 0, target.length, this.position, (error, bytes) => {
        if (error === null) resolve(bytes);
        else reject(new Error(reasonOf(error), { cause: error }));
      });
    });
  }

  /** @throws Error when the file has become another since it was opened. */
  private atEnd(): number {
    const { size } = fstatSync(this.descriptor);
    if (this.size === 0 || (size === this.size && this.position === size)) return 0;
    const what = size < this.size ? 'shrank' : 'grew';
    throw new Error(`the file ${what} while it was read, from ${this.size} to ${size} bytes`);
  }

  close(): Promise<void> {
    return closeFile(this.descriptor);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links lead in a circle',
  EISDIR: 'it is a folder, no file',
  ENXIO: 'it is a pipe or a device, no file',
  EIO: 'the device reports an error',
  EMFILE: 'too many files are open',
  ESTALE: 'the file server has lost it',
};

/** What an error of the operating system means, in words for the user. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
