/** How paths are named where there is no room for all of them: what tells them apart comes first, and the end stays. */

/** The name of a file or folder without where it lies. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder, with its slash, that all paths lie in; '' where that says nothing. The last part of none is in it. */
export function commonFolder(paths: readonly string[]): string {
  const [first, ...others] = paths;
  if (first === undefined) return '';
  let folder = folderOf(first);
  for (const path of others) {
    while (!path.startsWith(folder) || path === folder) {
      const above = folderOf(folder.slice(0, -1));
      if (above === folder) return '';
      folder = above;
    }
  }
  return folder === '/' ? '' : folder;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** For each path as many of its last parts as no other one ends with: `log.txt`, or `a/log.txt` beside `b/log.txt`. */
export function shortestEndings(paths: Iterable<string>): Map<string, string> {
  const endings = new Map<string, string>();
  let open = [...new Set(paths)];
  for (let parts = 1; open.length > 0; parts++) {
    const users = new Map<string, number>();
    for (const path of open) users.set(endingOf(path, parts), (users.get(endingOf(path, parts)) ?? 0) + 1);
    const next: string[] = [];
    for (const path of open) {
      const ending = endingOf(path, parts);
      if (users.get(ending) === 1 || ending === path) endings.set(path, ending);
      else next.push(path);
    }
    open = next;
  }
  return endings;
}

function endingOf(path: string, parts: number): string {
  let from = path.length - (path.endsWith('/') ? 1 : 0);
  for (let part = 0; part < parts && from > 0; part++) from = path.lastIndexOf('/', from - 1);
  return from <= 0 ? path : path.slice(from + 1);
}

/** The text, or as much of its begin and more of its end as fits: the end of a path, and the number of a line, say most. */
export function fittedText(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const letters = Array.from(text);
  const kept = (count: number): string => {
    const begin = Math.floor(count / 3);
    return `${letters.slice(0, begin).join('')}…${letters.slice(letters.length - (count - begin)).join('')}`;
  };
  let [most, none] = [0, letters.length];
  while (none - most > 1) {
    const middle = (most + none) >> 1;
    if (fits(kept(middle))) most = middle;
    else none = middle;
  }
  return most === 0 ? '…' : kept(most);
}
