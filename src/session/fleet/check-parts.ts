import { stat } from 'node:fs/promises';
import { MANIFEST_FOLDER } from '../../fleet/store/manifest.ts';
import type { StoreContents } from '../../fleet/store/read-manifests.ts';
import { unnamedBatches } from '../../fleet/store/sweep.ts';
import type { LocalStore } from './local-store.ts';

/** Files that are asked for at once. */
const AT_ONCE = 32;

/**
 * Whether something lies in a store that does not count, since its manifest is not there.
 * @returns that and what to do, in words for the user; undefined when there is nothing.
 */
export async function uncounted(store: LocalStore): Promise<string | undefined> {
  const batches = await unnamedBatches(store);
  if (batches.length === 0) return undefined;
  const more = batches.length === 1 ? '' : `, and of ${batches.length - 1} more`;
  return (
    `${store.folder}: parts of the batch ${batches[0]!}${more} do not count, for ${MANIFEST_FOLDER}/${batches[0]!}.json is missing: ` +
    'an ingestion is under way, or ended before it was done, or the manifest was lost. iolens fleet ingest takes their ' +
    'logs in again, unless that was done since; parts that are a day old are taken away with the next ingestion'
  );
}

/**
 * Whether all files that the manifests name are there with the length that was written: what an engine says of one that is
 * not leads nobody to the cause.
 * @returns what is wrong and what to do, in words for the user; undefined when nothing is.
 */
export async function wrongParts(
  store: LocalStore,
  { batches }: Pick<StoreContents, 'batches'>,
): Promise<string | undefined> {
  const parts = batches.flatMap(({ id, parts: own }) => own.map((part) => ({ ...part, id })));
  const wrong: { id: string; what: string }[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < parts.length) {
      const { id, path, bytes } = parts[next++]!;
      const found = await stat(store.location(path)).catch((error: unknown) => error as NodeJS.ErrnoException);
      if (found instanceof Error)
        wrong.push({
          id,
          what: found.code === 'ENOENT' ? `${path} is missing` : `${path} cannot be read: ${found.message}`,
        });
      else if (found.size !== bytes) wrong.push({ id, what: `${path} has ${found.size} bytes instead of ${bytes}` });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, parts.length) }, work));
  if (wrong.length === 0) return undefined;
  const more = wrong.length === 1 ? '' : `, and so on: ${wrong.length} files of the store are wrong`;
  const manifests = [...new Set(wrong.map(({ id }) => `${MANIFEST_FOLDER}/${id}.json`))];
  const remove = manifests.length === 1 ? manifests[0]! : `${manifests[0]!} and ${manifests.length - 1} more`;
  return `${store.folder}: ${wrong[0]!.what}${more}. Copy back what is wrong, or remove ${remove} and run iolens fleet ingest again, which then reads the logs of this batch again`;
}
