import { stat } from 'node:fs/promises';
import path from 'node:path';
import { STORE_FILE } from '../../fleet/store/manifest.ts';
import { LocalStore } from './local-store.ts';

/** A store that is there. @throws Error in words for the user when it is none. */
export async function existingStore(folder: string): Promise<LocalStore> {
  const place = path.resolve(folder);
  const file = await stat(path.join(place, STORE_FILE)).catch(() => undefined);
  if (file?.isFile() !== true)
    throw new Error(`${folder}: this is not a store (${STORE_FILE} is missing); iolens fleet ingest makes one`);
  return new LocalStore(place);
}
