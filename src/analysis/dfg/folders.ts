/**
 * Activities by folder. What an activity works on is read off its name, so that fixed mappings, rules and modules are
 * grouped alike: `read:/usr/lib` and `/usr/lib` lie in `/usr/lib`, a source line `emit (heat.c:12)` in `heat.c`.
 */

/** Stands behind the folder in the name of the activity that a collapsed folder is. */
const EVERYTHING = '/**';

/** The folder that an activity lies in, or null when its name tells none. A collapsed folder lies in the one above it. */
export function folderOf(activity: string): string | null {
  const path = pathIn(activity);
  if (path?.endsWith(EVERYTHING) !== true) return path;
  const above = path.slice(0, -EVERYTHING.length);
  const end = above.lastIndexOf('/');
  return end <= 0 ? null : above.slice(0, end);
}

function pathIn(activity: string): string | null {
  const afterCall = /^[^/$\s:]+:(?=[/$])/.exec(activity);
  const path = afterCall === null ? activity : activity.slice(afterCall[0].length);
  if (path.startsWith('/') || path.startsWith('$') || path.endsWith(EVERYTHING)) return path === '/' ? null : path;
  return / \(([^()/]+):\d+\)$/.exec(activity)?.[1] ?? null;
}

/** The folder and those above it, outermost first: `/a/b` is `/a`, `/a/b`. */
export function foldersAbove(folder: string): string[] {
  const all: string[] = [];
  for (let end = folder.indexOf('/', 1); end >= 0; end = folder.indexOf('/', end + 1)) all.push(folder.slice(0, end));
  all.push(folder);
  return all;
}

/** Name of the activity that a folder with everything in it becomes. */
export function collapsedActivity(folder: string): string {
  return `${folder}${EVERYTHING}`;
}

/** The folder of a collapsed activity. */
export function collapsedFolder(activity: string): string {
  return activity.slice(0, -EVERYTHING.length);
}

/** The outermost of the folders that holds an activity, or null. */
export function collapsedFolderOf(activity: string, folders: readonly string[]): string | null {
  const folder = folderOf(activity);
  if (folder === null) return null;
  let outermost: string | null = null;
  for (const candidate of folders) {
    const holds = folder === candidate || folder.startsWith(`${candidate}/`);
    if (holds && (outermost === null || candidate.length < outermost.length)) outermost = candidate;
  }
  return outermost;
}
