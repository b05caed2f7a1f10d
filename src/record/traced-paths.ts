import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** strace compares every path of every call with each of these. */
const MOST_PATHS = 1000;
const MOST_DEPTH = 8;

/** What `strace -P` can be told so that it traces the calls on some files and folders. */
interface TracedPaths {
  /** As strace compares them: text by text. */
  readonly paths: readonly string[];
  /** Folders whose files that are made later will be missing, and other limits, in words for the user. */
  readonly limits: readonly string[];
}

/**
 * `strace -P` takes files, no folders, and compares texts: the descriptor's path, and the argument as the program wrote
 * it. So a folder stands for the files that are in it now, and every file is named both absolutely and from the working
 * folder. What a program opens by another spelling (`../x`) is traced from the first call on its descriptor.
 *
 * @throws RangeError when there are too many files.
 */
export function pathsToTrace(given: readonly string[], workingFolder: string): TracedPaths {
  const files = new Set<string>();
  const limits: string[] = [];
  for (const name of given) {
    const absolute = path.resolve(workingFolder, name);
    files.add(absolute);
    if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    const before = files.size;
    addFilesIn(absolute, files, 0);
    limits.push(
      `of ${name} the ${files.size - before} files that are there now are recorded; strace cannot follow files that are made later`,
    );
  }
  const paths = [...files].flatMap((file) => {
    const relative = path.relative(workingFolder, file);
    return relative === '' || relative.startsWith('..') ? [file] : [file, relative, `./${relative}`];
  });
  return { paths, limits };
}

function addFilesIn(folder: string, files: Set<string>, depth: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < MOST_DEPTH) addFilesIn(name, files, depth + 1);
    } else if (entry.isFile()) files.add(name);
    if (files.size > MOST_PATHS)
      throw new RangeError(`${folder}: more than ${MOST_PATHS} files: strace would compare each call with all of them`);
  }
}
