import picomatch from 'picomatch';
import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, type EventChunk } from '../../trace/events.ts';
import type { FileTable } from '../../trace/files.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';

/**
 * Files that belong to the system, the loader, the run-times and the message-passing library. What happens to them is
 * seldom the user's doing, so by default it is no finding and is not part of "the program's I/O time".
 */
export const DEFAULT_IGNORED: readonly string[] = [
  '/proc/**',
  '/sys/**',
  '/dev/**',
  '/run/**',
  '/etc/**',
  '/usr/**',
  '/lib/**',
  '/lib32/**',
  '/lib64/**',
  '/bin/**',
  '/sbin/**',
  '/opt/**/lib/**',
  '/memfd:*',
  '/var/lib/**',
  '/var/run/**',
  '/tmp/ompi.*/**',
  '/tmp/ompi.*',
  '/tmp/pmix*/**',
  '/tmp/.X11-unix/**',
  '**/*.so',
  '**/*.so.*',
  '**/*.py',
  '**/*.pyc',
  '**/__pycache__/**',
  // Folders that an import asks about; conda, pyenv and modules of clusters have them anywhere.
  '**/lib/python3.*/**',
  '**/lib64/python3.*/**',
  '**/site-packages/**',
  '**/dist-packages/**',
  '**/.pmix/**',
  '**/.openmpi/**',
  '**/*.locktest.*',
  // What tracers write.
  '**/*.darshan',
  '**/*.darshan_partial',
  '**/*.pfw',
  '**/*.pfw.gz',
  '**/*.drishti',
  '**/*.iorec',
  '**/scorep-20[0-9][0-9]*/**',
  '**/recorder-20[0-9][0-9][0-9][0-9][0-9][0-9]/**',
];

/**
 * Marks the files that findings and totals leave out: 1 for ignored. Pipes, sockets and other things without a path are
 * always among them: file advice does not fit them.
 *
 * @param pipes files with a path that are pipes all the same (`namedPipes`).
 */
export function ignoredFiles(
  files: FileTable,
  patterns: readonly string[] = DEFAULT_IGNORED,
  pipes: ReadonlySet<FileIndex> = NONE_IS_PIPE,
): Uint8Array {
  const matches = matcherOf(patterns);
  return Uint8Array.from(files.files, ({ path, kind }, file) =>
    kind !== 'regular' || pipes.has(file) || matches(path) ? 1 : 0,
  );
}

const NONE_IS_PIPE: ReadonlySet<FileIndex> = new Set();

const matchers = new WeakMap<readonly string[], (path: string) => boolean>();

/** Made once for a list: whoever reads many recordings judges all by the same one. */
function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  let matches = matchers.get(patterns);
  if (matches === undefined) {
    const each = patterns.map(patternMatcher);
    matches = (path) => each.some((match) => match(path));
    matchers.set(patterns, matches);
  }
  return matches;
}

/** What a pattern without braces and their like is made of; a class of letters stands for one of them. */
const PLAIN = /^([\w*/.:-]|\[[\w-]+\])+$/;

/** The expression of a pattern is costly: it is asked only about paths that hold the longest word of the pattern. */
function patternMatcher(pattern: string): (path: string) => boolean {
  const matches = picomatch(pattern, { dot: true });
  if (!PLAIN.test(pattern) || pattern.startsWith('.')) return matches;
  const words = pattern.split(/\[[^\]]*\]|[*/]/);
  const word = words.reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  return (path) => path.includes(word) && matches(path);
}

/** Whether an event's file counts. */
export function counts(ignored: Uint8Array, file: FileIndex): boolean {
  return file !== NONE && ignored[file] === 0;
}

/** The file of an event: of a copy between a pipe and a file the file counts, whichever of both its row names. */
export function fileThatCounts({ calls }: Trace, ignored: Uint8Array, chunk: EventChunk, i: number): FileIndex {
  const file = chunk.file[i]!;
  if (counts(ignored, file) || calls.operation[chunk.call[i]!] !== OPERATION.copy) return file;
  // The row of the other side stands behind it; at the end of a chunk one call in many is left out.
  const hasOther = i + 1 < chunk.file.length && (chunk.flags[i + 1]! & EVENT_FLAGS.part) !== 0;
  return hasOther && counts(ignored, chunk.file[i + 1]!) ? chunk.file[i + 1]! : file;
}
