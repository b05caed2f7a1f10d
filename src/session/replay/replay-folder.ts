import fs from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../../record/make-folders.ts';
import { messageOf } from '../../base/error-message.ts';
import { OPEN_MODE } from '../../trace/events.ts';
import type { FileCalls } from '../../replay/run/file-calls.ts';
import { ReplayError } from '../../replay/run/replay-error.ts';

const { constants } = fs;

/** Bits of OPEN_MODE and what they are on this machine. O_DIRECT is left out: Node's memory is not aligned for it. */
const FLAGS: readonly (readonly [bits: number, flag: number])[] = [
  [OPEN_MODE.create, constants.O_CREAT],
  [OPEN_MODE.exclusive, constants.O_EXCL],
  [OPEN_MODE.truncate, constants.O_TRUNC],
  [OPEN_MODE.append, constants.O_APPEND],
  [OPEN_MODE.dataSync, constants.O_DSYNC],
  [OPEN_MODE.sync, constants.O_SYNC],
  [OPEN_MODE.directory, constants.O_DIRECTORY],
];

/** The machine's flags for bits of OPEN_MODE. */
export function openFlags(mode: number): number {
  let flags = mode & OPEN_MODE.access;
  for (const [bits, flag] of FLAGS) if ((mode & bits) !== 0) flags |= flag;
  return flags;
}

/**
 * Makes a folder for a replay, or takes one that is empty: a replay overwrites and deletes.
 * @param existing also one that holds files, which the replay then reads, overwrites and deletes.
 * @returns its real path.
 * @throws ReplayError in words for the user.
 */
export function prepareFolder(folder: string, existing: boolean): string {
  try {
    makeFolders(folder);
    const real = fs.realpathSync.native(folder);
    if (!existing && fs.readdirSync(real).length > 0)
      throw new ReplayError(
        `${folder} is not empty, and a replay overwrites and deletes files: name a new folder, or say that this one may be used (--existing)`,
      );
    return real;
  } catch (error) {
    if (error instanceof ReplayError) throw error;
    throw new ReplayError(`${folder} cannot hold a replay: ${messageOf(error)}`);
  }
}

/** Files below one folder, by Node's calls, which wait until the system has done them. Symbolic links are not followed. */
export class ReplayFolder implements FileCalls {
  /** Folders that are known to be below the folder and no links. */
  private readonly verified = new Set<string>();

  /**
   * @param root a real path.
   * @param existing whether there may be files that no replay made.
   */
  constructor(
    private readonly root: string,
    private readonly existing: boolean,
  ) {
    this.verified.add(root);
  }

  open(name: string, mode: number): number {
    let flags = openFlags(mode) | constants.O_NOFOLLOW;
    // A pipe would hold the task up.
    if (this.existing) flags |= constants.O_NONBLOCK;
    const descriptor = fs.openSync(this.locate(name), flags, 0o666);
    if (this.existing) this.refuseOthers(descriptor, name);
    return descriptor;
  }

  close(descriptor: number): void {
    fs.closeSync(descriptor);
  }

  read(descriptor: number, target: Uint8Array, length: number, offset: number | null): number {
    return fs.readSync(descriptor, target, 0, length, offset);
  }

  write(descriptor: number, source: Uint8Array, length: number, offset: number | null): number {
    return fs.writeSync(descriptor, source, 0, length, offset);
  }

  sizeOf(descriptor: number): number {
    return fs.fstatSync(descriptor).size;
  }

  sync(descriptor: number, dataOnly: boolean): void {
    if (dataOnly) fs.fdatasyncSync(descriptor);
    else fs.fsyncSync(descriptor);
  }

  truncate(descriptor: number, length: number): void {
    fs.ftruncateSync(descriptor, length);
  }

  unlink(name: string): void {
    fs.unlinkSync(this.locate(name));
  }

  mkdir(name: string): void {
    fs.mkdirSync(this.locate(name));
  }

  rmdir(name: string): void {
    fs.rmdirSync(this.locate(name));
  }

  stat(name: string): void {
    fs.lstatSync(this.locate(name));
  }

  rename(name: string, to: string): void {
    fs.renameSync(this.locate(name), this.locate(to));
  }

  makeFoldersFor(name: string): void {
    const parts = path.dirname(name).split('/');
    for (let end = 1; end <= parts.length; end++) {
      const folder = this.locate(parts.slice(0, end).join('/'));
      try {
        fs.mkdirSync(folder);
      } catch (error) {
        // Another task was faster.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  /**
   * Where a path is, its folder being one below the replay's own and reached through no link.
   * @throws ReplayError when a link leads elsewhere; what the system says when there is no such folder.
   */
  private locate(name: string): string {
    const absolute = path.join(this.root, name);
    if (!absolute.startsWith(`${this.root}/`)) throw new ReplayError(`"${name}" is not below the folder of the replay`);
    const folder = path.dirname(absolute);
    if (this.verified.has(folder)) return absolute;
    if (fs.realpathSync.native(folder) !== folder)
      throw new ReplayError(`"${name}" leads through a symbolic link, which a replay does not follow`);
    this.verified.add(folder);
    return absolute;
  }

  private refuseOthers(descriptor: number, name: string): void {
    const status = fs.fstatSync(descriptor);
    if (status.isFile() || status.isDirectory()) return;
    fs.closeSync(descriptor);
    throw new ReplayError(`"${name}" is no regular file`);
  }
}
