import type { ByteSource } from '../trace/byte-source.ts';
import { ElfFile } from './elf.ts';
import { fileName } from '../base/path-names.ts';
import { folderName, type DebugDownloads, type SymbolFiles } from './symbol-files.ts';

/** An ELF file together with where it lies. */
export interface OpenedElf {
  readonly path: string;
  readonly elf: ElfFile;
  readonly source: ByteSource;
}

export async function openElf(files: SymbolFiles, path: string): Promise<OpenedElf | undefined> {
  const source = await files.open(path);
  if (source === undefined) return undefined;
  try {
    return { path, elf: await ElfFile.open(source), source };
  } catch (error) {
    await source.close();
    throw error;
  }
}

export function hasDebugInformation(elf: ElfFile): boolean {
  return elf.section('.debug_info') !== undefined || elf.section('.zdebug_info') !== undefined;
}

/**
 * Finds the separate file with the debug information of a stripped binary, in the order that debuggers use: by build id,
 * then by `.gnu_debuglink` beside the binary, in its `.debug` folder, and under the debug folders, last on the servers.
 *
 * @returns the file, or every place that was looked at.
 */
export async function separateDebugFile(
  files: SymbolFiles,
  binary: OpenedElf,
  debugFolders: readonly string[],
  downloads: DebugDownloads | undefined,
): Promise<OpenedElf | { looked: string[] }> {
  const buildId = await binary.elf.buildId();
  const link = await binary.elf.debugLink();
  const candidates = [...byBuildId(buildId, debugFolders), ...byLink(binary.path, link?.name, debugFolders)];
  const looked: string[] = [];
  for (const path of candidates) {
    looked.push(path);
    const found = await openElf(files, path).catch(() => undefined);
    if (found === undefined) continue;
    if (hasDebugInformation(found.elf) && (await belongsTo(found, buildId, link?.checksum))) return found;
    await found.source.close();
  }
  if (downloads === undefined || buildId === '') return { looked };
  const downloaded = await downloads.debugFile(buildId);
  if ('problem' in downloaded) return { looked: [...looked, downloaded.problem] };
  const found = await openElf(files, downloaded.path).catch(() => undefined);
  if (found !== undefined && hasDebugInformation(found.elf) && (await found.elf.buildId()) === buildId) return found;
  await found?.source.close();
  return { looked: [...looked, `${downloaded.path} (downloaded, but it is not the debug file of this build)`] };
}

/** The file that `.gnu_debugaltlink` names, if it is there and is the right one. */
export async function alternateDebugFile(
  files: SymbolFiles,
  debug: OpenedElf,
  debugFolders: readonly string[],
  downloads: DebugDownloads | undefined,
): Promise<OpenedElf | undefined> {
  const link = await debug.elf.alternateLink();
  if (link === undefined) return undefined;
  const relative = link.name.startsWith('/') ? link.name : `${folderName(debug.path)}/${link.name}`;
  for (const path of [relative, ...byBuildId(link.buildId, debugFolders)]) {
    const found = await openWithId(files, path, link.buildId);
    if (found !== undefined) return found;
  }
  const downloaded = await downloads?.debugFile(link.buildId);
  return downloaded !== undefined && 'path' in downloaded
    ? openWithId(files, downloaded.path, link.buildId)
    : undefined;
}

async function openWithId(files: SymbolFiles, path: string, buildId: string): Promise<OpenedElf | undefined> {
  const found = await openElf(files, path).catch(() => undefined);
  if (found === undefined || (await found.elf.buildId()) === buildId) return found;
  await found.source.close();
  return undefined;
}

function byBuildId(buildId: string, folders: readonly string[]): string[] {
  if (buildId.length < 4) return [];
  return folders.map((folder) => `${folder}/.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`);
}

function byLink(binary: string, link: string | undefined, folders: readonly string[]): string[] {
  // The name comes from the file: only a plain name is followed.
  if (link === undefined || fileName(link) !== link || link === '..') return [];
  const folder = folderName(binary);
  return [`${folder}/${link}`, `${folder}/.debug/${link}`, ...folders.map((debug) => `${debug}${folder}/${link}`)];
}

async function belongsTo(debug: OpenedElf, buildId: string, checksum: number | undefined): Promise<boolean> {
  const debugId = await debug.elf.buildId();
  if (buildId !== '' && debugId !== '') return buildId === debugId;
  return checksum !== undefined && (await crc32(debug.source)) === checksum;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum that `.gnu_debuglink` holds (CRC-32 as in zlib), over the whole file. */
async function crc32(source: ByteSource): Promise<number> {
  const chunk = new Uint8Array(1 << 20);
  let crc = 0xffffffff;
  for (let position = 0; position < source.size;) {
    const length = await source.read(position, chunk);
    if (length === 0) break;
    for (let i = 0; i < length; i++) crc = CRC_TABLE[(crc ^ chunk[i]!) & 255]! ^ (crc >>> 8);
    position += length;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
