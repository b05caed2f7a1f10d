import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { messageOf } from '../../base/error-message.ts';
import { BINDING, enginePackage, engineSubfolder } from './engine-binding.ts';
import { ENGINE_PACKAGES } from './engine-build.ts';

export const NPM_REGISTRY = 'https://registry.npmjs.org';
/** Bytes of a package that are taken at most; DuckDB's have 25 MB. */
const MOST_BYTES = 2 ** 28;
/** Bytes of all files in it. */
const MOST_UNPACKED = 2 ** 30;

/** Where the package comes from: a file that was carried over, or a registry. */
export type EngineSource = { readonly file: string } | { readonly registry: string };

interface InstallHooks {
  readonly signal?: AbortSignal;
  /** Bytes of all. */
  readonly progress?: (done: number, all: number | undefined) => void;
}

/** The package that this machine needs. */
interface NeededPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 as npm writes it; undefined where this version of the program does not know it. */
  readonly integrity: string | undefined;
}

export function neededPackage(): NeededPackage {
  const name = enginePackage();
  return { name, version: ENGINE_PACKAGES.version, integrity: ENGINE_PACKAGES.integrity[name] };
}

/** Where a registry has a package. */
export function packageAddress(registry: string, { name, version }: NeededPackage): string {
  return `${registry.replace(/\/+$/, '')}/${name}/-/${name.split('/')[1]!}-${version}.tgz`;
}

/**
 * Puts the SQL engine's native part into a folder: all of it or nothing.
 * @param folder one of those in which `findBinding` looks.
 * @returns the file that Node loads.
 * @throws Error in words for the user: not reached, not the package that is needed, changed on its way, no room.
 */
export async function installEngine(
  source: EngineSource,
  folder: string,
  needed: NeededPackage = neededPackage(),
  hooks: InstallHooks = {},
): Promise<string> {
  const bytes = 'file' in source ? await readFile(source.file) : await download(source.registry, needed, hooks);
  const from = 'file' in source ? source.file : packageAddress(source.registry, needed);
  checkIntegrity(bytes, needed, from);
  const files = await unpacked(bytes, from);
  checkPackage(files, needed, from);
  hooks.signal?.throwIfAborted();
  return put(files, folder);
}

async function download(registry: string, needed: NeededPackage, { signal, progress }: InstallHooks): Promise<Buffer> {
  const address = packageAddress(registry, needed);
  const response = await fetch(address, { ...(signal && { signal }) }).catch((error: unknown) => {
    signal?.throwIfAborted();
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${address}: not reached (${messageOf(cause)})`);
  });
  if (!response.ok || response.body === null) throw new Error(`${address}: the server answers ${response.status}`);
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const chunks: Uint8Array[] = [];
  let taken = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    taken += chunk.length;
    if (taken > MOST_BYTES) throw new Error(`${address}: more than ${MOST_BYTES} bytes are no package of the engine`);
    chunks.push(chunk);
    progress?.(taken, Number.isNaN(length) ? undefined : length);
  }
  return Buffer.concat(chunks);
}

function checkIntegrity(bytes: Uint8Array, { integrity, name, version }: NeededPackage, from: string): void {
  if (integrity === undefined)
    throw new Error(`${from}: it cannot be told whether this is ${name} ${version} (its SHA-512 is not known here)`);
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found !== integrity)
    throw new Error(`${from}: this is not ${name} ${version} as it was published (its SHA-512 is another)`);
}

/** Files of the package by their names; nothing that leads out of its folder. */
async function unpacked(bytes: Uint8Array, from: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const archive = extract();
  const input = Readable.from([bytes]).pipe(createGunzip());
  input.on('error', (error) => archive.destroy(error));
  input.pipe(archive);
  let taken = 0;
  try {
    for await (const entry of archive) {
      const [, name] = /^package\/([\w.-]+)$/.exec(entry.header.name) ?? [];
      const isWanted = entry.header.type === 'file' && name !== undefined;
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        taken += chunk.length;
        if (taken > MOST_UNPACKED) throw new Error('it is too large');
        if (isWanted) chunks.push(chunk);
      }
      if (isWanted) files.set(name, Buffer.concat(chunks));
    }
  } catch (error) {
    throw new Error(`${from}: no package of npm (${messageOf(error)})`, { cause: error });
  }
  return files;
}

function checkPackage(files: ReadonlyMap<string, Buffer>, { name, version }: NeededPackage, from: string): void {
  const found = describedAs(files.get('package.json'));
  if (found !== `${name} ${version}` || !files.has(BINDING))
    throw new Error(`${from}: ${name} ${version} is needed here, not ${found}`);
}

/** Name and version that a package gives itself. */
function describedAs(text: Buffer | undefined): string {
  try {
    const { name, version } = JSON.parse(text?.toString() ?? '') as { name?: string; version?: string };
    return `${name ?? 'a package without a name'} ${version ?? ''}`;
  } catch {
    return 'something else';
  }
}

async function put(files: ReadonlyMap<string, Buffer>, folder: string): Promise<string> {
  const target = path.join(folder, engineSubfolder());
  const making = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(making, { recursive: true });
    for (const [name, bytes] of files) await writeFile(path.join(making, name), bytes);
    await replace(making, target);
  } catch (error) {
    throw new Error(`${folder}: the engine cannot be put there (${messageOf(error)})`, { cause: error });
  } finally {
    await rm(making, { recursive: true, force: true }).catch(() => undefined);
  }
  return path.join(target, BINDING);
}

/** Two that install at once bring the same files. */
async function replace(making: string, target: string): Promise<void> {
  try {
    await rename(making, target);
  } catch (error) {
    const isWhole = await access(path.join(target, BINDING)).then(
      () => true,
      () => false,
    );
    if (isWhole) return;
    await rm(target, { recursive: true, force: true });
    await rename(making, target).catch(() => {
      throw error;
    });
  }
}
