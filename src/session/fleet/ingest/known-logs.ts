import { createHash } from 'node:crypto';
import { DigestSet } from '../../../fleet/store/digest-set.ts';
import { MANIFEST_FOLDER, type LogEntry, type StoreFiles } from '../../../fleet/store/manifest.ts';
import { manifestNames, parseManifest } from '../../../fleet/store/read-manifests.ts';
import type { FoundSource } from '../source.ts';

/** How often the list of manifests is looked at while compactions change it. */
const MOST_LOOKS = 5;

/** What a store knows already: contents by key, and files that have not changed since. */
export class KnownLogs {
  private readonly keys = new DigestSet();
  private readonly files = new DigestSet();

  /**
   * Goes through the manifests one by one: of those of a million logs, 64 bytes a log are kept.
   * @param retry what could not be read counts as unknown.
   * @throws Error in words for the user when a manifest cannot be understood.
   */
  static async of(store: StoreFiles, retry: boolean): Promise<KnownLogs> {
    const known = new KnownLogs();
    const read = new Set<string>();
    // What a compaction has just taken away stands in a manifest that the list did not show yet.
    for (let look = 1, isWhole = false; look <= MOST_LOOKS && !isWhole; look++) {
      isWhole = true;
      for (const name of await manifestNames(store)) {
        if (read.has(name)) continue;
        const bytes = await store.read(`${MANIFEST_FOLDER}/${name}`).catch(() => undefined);
        if (bytes === undefined) {
          isWhole = false;
          continue;
        }
        read.add(name);
        for (const entry of parseManifest(bytes, name).logs)
          if (!(retry && entry.status === 'unreadable')) known.add(entry);
      }
    }
    return known;
  }

  private add(entry: LogEntry): void {
    // A copy of what cannot be read is told as such again, not as known.
    if (entry.log !== null && entry.status !== 'unreadable') this.keys.add(entry.log);
    // What could not even be opened may be there the next time; an empty file is known by its length.
    if (entry.log !== null || entry.format === '' || (entry.bytes === 0 && entry.modified > 0))
      this.files.add(digestOf(entry));
  }

  /** A file of the same name, length and time of the last change was taken in, or found to be nothing that can be. */
  isUnchanged(source: FoundSource): boolean {
    return this.files.has(digestOf(source));
  }

  /** @returns false when the content is in the store, or somebody else has claimed it. */
  claim(key: string): boolean {
    return this.keys.add(key);
  }
}

export function digestOf({ path, bytes, modified }: Pick<FoundSource, 'path' | 'bytes' | 'modified'>): string {
  return createHash('sha256').update(`${path}\0${bytes}\0${modified}`).digest('hex').slice(0, 32);
}
