import { open } from 'node:fs/promises';
import type { LocalStore } from '../local-store.ts';

/** In the store's own folder, while a compaction is under way. */
const CLAIM_FILE = 'compaction.claim';
/** How often whoever compacts says that it still does. */
const REFRESH_MS = 60_000;
/** A claim that was not renewed for so long was given up: whoever made it is gone. */
const STALE_MS = 10 * REFRESH_MS;

interface CompactionClaim {
  release(): Promise<void>;
}

/**
 * Says to other processes that this one compacts, so that they need not do the same work. It is no lock: two that compact
 * at once lose nothing and double nothing, they only write more than they need.
 * @returns undefined when another process is at it, or no file can be made.
 */
export async function claimCompaction(store: LocalStore): Promise<CompactionClaim | undefined> {
  const text = await store.read(CLAIM_FILE).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
  if (text !== undefined) {
    const claimed = Date.parse(text);
    // One of the future is of a clock that was set since; one that says nothing is torn.
    if (Math.abs(Date.now() - claimed) < STALE_MS) return undefined;
    await store.remove(CLAIM_FILE).catch(() => undefined);
  }
  try {
    const file = await open(store.location(CLAIM_FILE), 'wx');
    await file.writeFile(new Date().toISOString());
    await file.close();
  } catch {
    return undefined;
  }
  let renewed: Promise<void> = Promise.resolve();
  const renewal = setInterval(() => {
    renewed = store.write(CLAIM_FILE, new TextEncoder().encode(new Date().toISOString())).catch(() => undefined);
  }, REFRESH_MS);
  renewal.unref();
  return {
    release: async () => {
      clearInterval(renewal);
      await renewed;
      await store.remove(CLAIM_FILE).catch(() => undefined);
    },
  };
}
