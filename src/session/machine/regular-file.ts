import { close, constants, fstatSync, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { messageOf } from '../../base/error-message.ts';
import type { OpenFile } from './machine.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

/** A regular file of this machine that is open for reading. Errors are in words for the user. */
export class RegularFile implements OpenFile {
  private constructor(
    private readonly descriptor: number,
    /** Bytes that it had when it was opened. */
    readonly size: number,
  ) {}

  /**
   * Pipes and devices are refused at once: opening one must not wait for a writer.
   * @throws Error in words for the user.
   */
  static async open(file: string): Promise<RegularFile> {
    let descriptor: number;
    try {
      descriptor = await openFile(file, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    }
    // What the kernel knows of an open file takes it a microsecond; a round through the thread pool takes fifty.
    const status = fstatSync(descriptor);
    if (status.isFile()) return new RegularFile(descriptor, status.size);
    await closeFile(descriptor);
    throw new Error(`it is ${status.isDirectory() ? 'a folder' : 'a pipe or a device'}, no file`);
  }

  /** Bytes that it has now. */
  get sizeNow(): number {
    return fstatSync(this.descriptor).size;
  }

  /** One read of the operating system: it may give fewer bytes than there are. */
  read(position: number, target: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) =>
      read(this.descriptor, target, 0, target.length, position, (error, bytes) => {
        if (error === null) resolve(bytes);
        else reject(new Error(reasonOf(error), { cause: error }));
      }),
    );
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
  return REASONS[code] ?? messageOf(error);
}
