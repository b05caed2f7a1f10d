import { MANIFEST_FOLDER, type BatchManifest, type PartEntry, type StoreFiles } from './manifest.ts';

/** What of the store's parts counts. */
export interface StoreContents {
  /** By id. Batches that others replace are gone. */
  readonly batches: readonly BatchManifest[];
  readonly parts: readonly PartEntry[];
  /** Rows that an earlier batch has too: of these parts (by path) those of these logs are left out. */
  readonly repeated: readonly { readonly path: string; readonly log: string }[];
}

/** Files that are open at once: a process may open some thousand, and a file server answers no faster. */
const AT_ONCE = 32;
/** How often the list may change under the reader: compactions take minutes. */
const MOST_LOOKS = 5;

/**
 * Reads the manifests of a store.
 * @throws Error in words for the user when one cannot be understood: to go on without it would hide data.
 */
export async function readManifests(files: StoreFiles): Promise<StoreContents> {
  const all = await allManifests(files);
  const replaced = new Set(all.flatMap(({ replaces }) => replaces ?? []));
  const batches = all.filter(({ id }) => !replaced.has(id));
  const parts = batches.flatMap((batch) => batch.parts);
  return { batches, parts, repeated: repeatedLogs(batches) };
}

/** Names of the manifests, those of earlier batches first. */
export async function manifestNames(files: StoreFiles): Promise<string[]> {
  return (await files.list(MANIFEST_FOLDER)).filter((name) => name.endsWith('.json')).sort();
}

/** All manifests, also those of batches that are replaced, by id. One that a compaction takes away meanwhile is replaced by one that the list did not show yet. */
export async function allManifests(files: StoreFiles): Promise<BatchManifest[]> {
  const read = new Map<string, BatchManifest>();
  for (let look = 1; ; look++) {
    const names = await manifestNames(files);
    try {
      await readNew(files, names, read);
      return names.map((name) => read.get(name)!);
    } catch (error) {
      const now = new Set(await manifestNames(files));
      if (look === MOST_LOOKS || names.every((name) => now.has(name))) throw error;
    }
  }
}

async function readNew(files: StoreFiles, names: readonly string[], read: Map<string, BatchManifest>): Promise<void> {
  const missing = names.filter((name) => !read.has(name));
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < missing.length) {
      const name = missing[next++]!;
      read.set(name, parseManifest(await files.read(`${MANIFEST_FOLDER}/${name}`), name));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, missing.length) }, work));
}

/** @throws Error in words for the user when these bytes are none. */
export function parseManifest(bytes: Uint8Array, name: string): BatchManifest {
  try {
    const manifest = JSON.parse(new TextDecoder().decode(bytes)) as Partial<BatchManifest>;
    if (manifest.schema === 'iolens/store-batch@1' && Array.isArray(manifest.parts) && Array.isArray(manifest.logs))
      return manifest as BatchManifest;
  } catch {
    // Told below, as any other text that is no manifest.
  }
  throw new Error(
    `${MANIFEST_FOLDER}/${name} of the store is damaged: a manifest of I/O Lens is expected (schema iolens/store-batch@1). ` +
      'Copy it back, or remove it and run iolens fleet ingest again, which then reads the logs of this batch again',
  );
}

/** Two ingestions at the same time may take in the same content: the first batch keeps it. */
export function repeatedLogs(batches: readonly BatchManifest[]): { path: string; log: string }[] {
  const kept = new Set<string>();
  const repeated: { path: string; log: string }[] = [];
  for (const { logs, parts } of batches) {
    for (const { log, status } of logs) {
      if (log === null || (status !== 'stored' && status !== 'damaged')) continue;
      if (kept.has(log)) repeated.push(...parts.map(({ path }) => ({ path, log })));
      kept.add(log);
    }
  }
  return repeated;
}
