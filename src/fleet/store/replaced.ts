import { batchTime } from './batch.ts';
import { MANIFEST_FOLDER, type BatchManifest, type StoreFiles } from './manifest.ts';
import { allManifests } from './read-manifests.ts';

/**
 * Takes away parts and manifests of batches that another replaces, left-overs of killed compactions too.
 * @param until only what was replaced before; all unless given.
 * @returns how many batches went.
 */
export async function removeReplaced(files: StoreFiles, until?: Date): Promise<number> {
  const manifests = await allManifests(files);
  const replaced = new Set(manifests.flatMap(({ replaces = [] }) => replaces));
  const isDue = (by: BatchManifest): boolean => {
    const time = batchTime(`${by.id}.`);
    return until === undefined || (time !== undefined && time < until);
  };
  const due = new Set(manifests.filter(isDue).flatMap(({ replaces = [] }) => replaces));
  const kept = manifests.filter(({ id }) => !replaced.has(id) || !due.has(id));
  const named = new Set(kept.flatMap(({ parts }) => parts.map(({ path }) => path)));
  const gone = manifests.filter(({ id }) => due.has(id));
  for (const { id, parts } of gone) {
    for (const { path } of parts) if (!named.has(path)) await files.remove(path);
    // The manifest goes last: until then it says what is left to do.
    await files.remove(`${MANIFEST_FOLDER}/${id}.json`);
  }
  return gone.length;
}
