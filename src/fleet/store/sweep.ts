import { TABLE_NAMES } from '../schema/tables.ts';
import { batchTime } from './batch.ts';
import { MANIFEST_FOLDER, PART_FOLDER, type BatchManifest, type StoreFiles } from './manifest.ts';
import { manifestNames, parseManifest } from './read-manifests.ts';
import { removeReplaced } from './replaced.ts';

/**
 * Milliseconds after which no batch can still be on its way (it is written within seconds, a merged one within minutes), and
 * no question reads what an automatic compaction replaced.
 */
const OLD_MS = 24 * 3600 * 1000;

/**
 * Takes away what nobody reads and nobody will finish: parts that no manifest names, and files under the names that they
 * have while they are written, when their batches were begun more than a day ago; and batches that were replaced more than
 * a day ago. Files with other names stay.
 */
export async function sweepStore(files: StoreFiles, now: Date): Promise<void> {
  await removeReplaced(files, new Date(now.getTime() - OLD_MS));
  const isOld = (name: string): boolean => {
    const time = batchTime(name);
    return time !== undefined && now.getTime() - time.getTime() > OLD_MS;
  };
  const old: string[] = [];
  for (const folder of await partFolders(files))
    for (const name of await files.list(folder)) if (isOld(name)) old.push(`${folder}/${name}`);
  const manifests = await files.list(MANIFEST_FOLDER);
  const temporary = manifests.filter((name) => !name.endsWith('.json') && isOld(name));
  // Manifests are read behind the list of parts: a batch that was added between is named by one.
  const named = old.length === 0 ? new Set<string>() : await namedParts(files, manifests);
  const orphans = [...old.filter((path) => !named.has(path)), ...temporary.map((name) => `${MANIFEST_FOLDER}/${name}`)];
  for (const path of orphans) await files.remove(path);
}

/**
 * Batches with parts that no manifest names: what they hold does not count. Compaction takes manifests away behind the parts
 * that they name. A batch may have several parts of a month (`ID.1.parquet`).
 */
export async function unnamedBatches(files: StoreFiles): Promise<string[]> {
  const batches = new Set<string>();
  for (const folder of await partFolders(files))
    for (const name of await files.list(folder))
      if (name.endsWith('.parquet')) batches.add(name.slice(0, name.indexOf('.')));
  // Behind the list of parts, as above.
  for (const name of await manifestNames(files)) batches.delete(name.slice(0, -'.json'.length));
  return [...batches].sort();
}

async function partFolders(files: StoreFiles): Promise<string[]> {
  const folders: string[] = [];
  for (const table of TABLE_NAMES)
    for (const month of await files.list(`${PART_FOLDER}/${table}`)) folders.push(`${PART_FOLDER}/${table}/${month}`);
  return folders;
}

/** Parts of all batches, also of replaced ones, which go with their manifests. */
async function namedParts(files: StoreFiles, manifests: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  for (const name of manifests.filter((candidate) => candidate.endsWith('.json'))) {
    const manifest: BatchManifest = parseManifest(await files.read(`${MANIFEST_FOLDER}/${name}`), name);
    for (const { path } of manifest.parts) named.add(path);
  }
  return named;
}
