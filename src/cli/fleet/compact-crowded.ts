import { messageOf } from '../../base/error-message.ts';
import { compactCrowdedStore, type CompactionReport } from '../../session/fleet/ingest/compact-store.ts';
import type { LocalStore } from '../../session/fleet/local-store.ts';
import { Progress } from '../progress.ts';
import { say } from '../say.ts';

/**
 * Merges the small files of a store when there are too many after an ingestion. What was taken in is safe by then: when it
 * cannot be done the ingestion has not failed.
 * @returns what was done; undefined when nothing was.
 */
export async function compactCrowded(
  store: LocalStore,
  mode: 'never' | 'auto' | 'plain',
  signal: AbortSignal,
): Promise<CompactionReport | undefined> {
  const bar = new Progress(mode, 'compacting');
  try {
    return await compactCrowdedStore(store, { signal, progress: (share) => bar.update(share) });
  } catch (error) {
    bar.done();
    if (signal.aborted) return undefined;
    const isMissing = error instanceof Error && error.name === 'EngineMissingError';
    const why = isMissing
      ? 'the store has many small files; with the SQL engine (iolens fleet engine --install)'
      : `the small files of the store were not merged (${messageOf(error)});`;
    say(`${why} iolens fleet compact --store ${store.folder} merges them`);
    return undefined;
  } finally {
    bar.done();
  }
}
