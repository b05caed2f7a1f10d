import type { FileTable } from '../../trace/files.ts';

/** Bytes of a name and of a path that every file system takes, with room for what is put before them. */
const LONGEST_NAME = 200;
const LONGEST_PATH = 2000;
/** What stands in a name as it is: no blanks (fio), no braces (expressions), nothing that a shell or a file system minds. */
const PLAIN = /[^A-Za-z0-9._+=@,~#-]/gu;

/**
 * Where each file of a recording stands below the folder of a replay: `/scratch/a` at `files/scratch/a`. No two files of
 * the recording stand at the same place, none outside, and no name goes on where a file stands.
 */
export class ReplayPaths {
  private readonly places = new Map<number, string>();
  private readonly taken = new Map<string, number>();
  private readonly folders = new Set<string>();

  /**
   * @param used indices of the files that the replay uses.
   * @param isFolder whether a file is known to be a folder.
   */
  constructor(files: FileTable, used: Iterable<number>, isFolder: (file: number) => boolean) {
    const all = [...used];
    const hosts = new Set(all.map((file) => files.at(file).host).filter((host) => host !== ''));
    const wanted = all.map((file) => {
      const { path, host } = files.at(file);
      const root = host !== '' && hosts.size > 1 ? `hosts/${encodeName(host)}` : 'files';
      return { file, place: placeOf(root, path) };
    });
    for (const { place } of wanted)
      for (let at = place.lastIndexOf('/'); at > 0; at = place.lastIndexOf('/', at - 1)) {
        const folder = place.slice(0, at);
        if (this.folders.has(folder)) break;
        this.folders.add(folder);
      }
    for (const { file, place } of wanted) this.put(file, place, isFolder(file));
  }

  private put(file: number, place: string, isFolder: boolean): void {
    // A name that was a file first and a folder later, or two names that are written alike.
    let free = !isFolder && this.folders.has(place) ? `${place}%file` : place;
    for (let number = 2; this.taken.has(free); number++) free = `${place}%${number}`;
    this.taken.set(free, file);
    this.places.set(file, free);
  }

  /** A path as replay programs have it: without braces, which would be expressions. */
  at(file: number): string {
    return this.places.get(file)!;
  }
}

function placeOf(root: string, path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') names.pop();
    else names.push(encodeName(name));
  }
  // What was recorded without a folder stands apart from what begins at the root.
  const place = [root, ...(path.startsWith('/') ? [] : ['%relative']), ...(names.length > 0 ? names : ['%root'])].join(
    '/',
  );
  return place.length <= LONGEST_PATH ? place : `${root}/%long/${digest(path)}`;
}

/** A name with everything unusual as `%XX` of its UTF-8 bytes, cut when it is too long. */
function encodeName(name: string): string {
  const encoded = name.replaceAll(PLAIN, (character) =>
    Array.from(
      new TextEncoder().encode(character),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
  return encoded.length <= LONGEST_NAME ? encoded : `${encoded.slice(0, LONGEST_NAME - 20)}%-${digest(name)}`;
}

/** 64 bits of a name, by FNV-1a over its characters, twice: names are told apart by it, collisions are handled by whoever asks. */
function digest(name: string): string {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let i = 0; i < name.length; i++) {
    low = Math.imul(low ^ name.charCodeAt(i), 0x01000193);
    high = Math.imul(high ^ name.charCodeAt(i), 0x85ebca6b) ^ (low >>> 13);
  }
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
