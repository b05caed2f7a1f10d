import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StoreFiles } from '../../fleet/store/manifest.ts';

/** A store in a folder of this machine. */
export class LocalStore implements StoreFiles {
  constructor(readonly folder: string) {}

  /** Where a part of the store lies. @throws Error when the path leads out of the store. */
  location(within: string): string {
    const whole = path.join(this.folder, within);
    if (whole !== this.folder && !whole.startsWith(this.folder + path.sep))
      throw new Error(`${within}: leads out of the store ${this.folder}`);
    return whole;
  }

  async list(folder: string): Promise<readonly string[]> {
    try {
      return await readdir(this.location(folder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  read(within: string): Promise<Uint8Array> {
    return readFile(this.location(within));
  }

  async write(within: string, bytes: Uint8Array): Promise<void> {
    const whole = this.location(within);
    await mkdir(path.dirname(whole), { recursive: true });
    const temporary = `${whole}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      const file = await open(temporary, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, whole);
    } catch (error) {
      // On a full disk what was begun is in the way of everybody.
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async remove(within: string): Promise<void> {
    await rm(this.location(within), { force: true });
  }
}
