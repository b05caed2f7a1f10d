import { machine } from '#machine';
import { filesAt } from '../reading/recording-files.ts';

/** What a look at a file shows without opening it. */
export interface FileState {
  /** Bytes. */
  readonly size: number;
  /** Seconds since 1970 of the last change. */
  readonly modified: number;
  /** Differs between a file and one that took its name. */
  readonly identity: string;
}

/** Files that are looked at at once. */
const LOOKS_AT_ONCE = 16;

/**
 * Looks at the files of a recording: those that were named, and those that lie in named folders now. Whoever wants to know
 * of changes looks again (docs/decisions/0080): notifications of the system do not come over network file systems, where
 * recordings of clusters lie.
 */
export class WatchedFiles {
  constructor(private readonly paths: readonly string[]) {}

  /** The files that are there, by path. */
  async look(): Promise<Map<string, FileState>> {
    const found = await Promise.all(this.paths.map((path) => filesAt(path).catch(() => undefined)));
    const files = found.flatMap((at) => (at === undefined ? [] : at.files)).map(({ path }) => path);
    const states = new Map<string, FileState>();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < files.length) {
        const file = files[next++]!;
        const status = await machine.files.status(file).catch(() => undefined);
        if (status?.kind !== 'file') continue;
        const { size, modified, identity } = status;
        states.set(file, { size, modified, identity });
      }
    };
    await Promise.all(Array.from({ length: Math.min(LOOKS_AT_ONCE, files.length) }, work));
    return states;
  }
}
