import { createReadStream, rmSync } from 'node:fs';
import { access, constants, cp, mkdir, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { messageOf } from '../../base/error-message.ts';
import { BundleError } from './redacted-files.ts';

/** Where a bundle goes. It is opened before the work, which may take minutes. */
interface BundleOutput {
  /** Writes what lies in a folder. @throws BundleError when it cannot be written. */
  write(folder: string): Promise<void>;
  /** Leaves nothing half-written behind. */
  abandon(): void;
}

/**
 * @param output a file whose name ends with `.tar.gz` or `.tgz`, else a folder that is empty or not there yet.
 * @throws BundleError when nothing can be written there.
 */
export function openBundleOutput(output: string): Promise<BundleOutput> {
  return isArchive(output) ? openArchive(output) : openFolder(output);
}

function isArchive(output: string): boolean {
  return /\.(tar\.gz|tgz)$/.test(output);
}

/** @throws BundleError when a file would be (in) the bundle itself. */
export async function checkOutside(file: string, output: string): Promise<void> {
  const [key, bundle] = [await realPlace(file), await realPlace(output)];
  if (key === bundle || (!isArchive(output) && key.startsWith(`${bundle}/`)))
    throw new BundleError(`${file}: the key must not be in the bundle: it says what the pseudonyms stand for`);
}

/** The path without links, also of what is not there yet. */
async function realPlace(file: string): Promise<string> {
  const absolute = path.resolve(file);
  if (absolute === '/') return absolute;
  const found = await realpath(absolute).catch(() => undefined);
  return found ?? path.join(await realPlace(path.dirname(absolute)), path.basename(absolute));
}

async function openArchive(output: string): Promise<BundleOutput> {
  const existed = (await stat(output).catch(() => undefined)) !== undefined;
  // For adding: the bundle before it stays until there is a new one.
  const handle = await open(output, 'a').catch((error: unknown) => {
    throw cannotWrite(output, error);
  });
  let begun = false;
  return {
    async write(folder) {
      const archive = pack();
      try {
        if ((await handle.stat()).isFile()) await handle.truncate(0);
        begun = true;
        await Promise.all([
          pipeline(archive, createGzip(), handle.createWriteStream()),
          addFolder(archive, folder, 'iolens-bundle').then(() => archive.finalize()),
        ]);
      } catch (error) {
        archive.destroy();
        throw cannotWrite(output, error);
      }
    },
    abandon() {
      handle.close().catch(() => undefined);
      if (begun || !existed) rmSync(output, { force: true });
    },
  };
}

async function openFolder(output: string): Promise<BundleOutput> {
  let made: string | undefined;
  try {
    made = await mkdir(output, { recursive: true });
    await access(output, constants.W_OK);
    if ((await readdir(output)).length > 0) throw new BundleError(`${output}: the folder is not empty`);
  } catch (error) {
    throw error instanceof BundleError ? error : cannotWrite(output, error);
  }
  return {
    async write(folder) {
      await cp(folder, output, { recursive: true }).catch((error: unknown) => {
        throw cannotWrite(output, error);
      });
    },
    abandon() {
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
    },
  };
}

function cannotWrite(output: string, error: unknown): BundleError {
  return new BundleError(`${output} cannot be written: ${messageOf(error)}`);
}

async function addFolder(archive: Pack, folder: string, name: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const from = path.join(folder, entry.name);
    const to = `${name}/${entry.name}`;
    if (entry.isDirectory()) await addFolder(archive, from, to);
    // Without owner: the names of user and group are no part of the bundle.
    else
      await pipeline(createReadStream(from), archive.entry({ name: to, size: (await stat(from)).size, mode: 0o644 }));
  }
}
