import { OPERATION } from '../../trace/calls.ts';
import { NONE, NOT_MEASURED, OPEN_MODE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';

/** Calls that change a folder or what is known of a file, as system calls, and as functions of the C library. */
const CHANGING =
  /^(unlink|remove|rename|mkdir|rmdir|link|symlink|mknod|mkfifo|f?truncate|l?f?chown|f?chmod|creat|fallocate|posix_fallocate)(at)?2?(64)?$/;
const RENAMING = /^rename(at)?2?$/;
/** What leads nowhere, or is the machine's own. */
const HARMLESS = /^\/(dev\/(null|zero|full|tty|pts\/|std|fd\/)|proc\/|tmp\/(ompi\.|pmix)|dev\/shm\/(vader|psm|ucx))/;

/**
 * The files that a program wrote, made, changed or removed, by their path as recorded. What it was handed open, such as a
 * standard output that a shell led into a file, is not its own choice: it is left out where the recording shows opens.
 */
export function writtenFiles(trace: Trace, metrics: Metrics): string[] {
  const written = new Set<FileIndex>();
  const changed = new Set<FileIndex>();
  const opened = new Set<FileIndex>();
  const changes = trace.calls.names.map((name) => CHANGING.test(name));
  const renames = trace.calls.names.map((name) => RENAMING.test(name));
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const file = chunk.file[i]!;
      if (file === NONE || chunk.error[i] !== 0 || chunk.flags[i]! & NOT_MEASURED) continue;
      const call = chunk.call[i]!;
      const operation = trace.calls.operation[call]!;
      if (operation === OPERATION.write) written.add(file);
      else if (operation === OPERATION.open) {
        opened.add(file);
        if (opensForWriting(chunk.argument[i]!)) changed.add(file);
      } else if (changes[call]!) changed.add(file);
      if (renames[call]! && chunk.argument[i]! >= 0) changed.add(chunk.argument[i]!);
    }
  });
  // A log that only counts has no calls.
  for (let cell = 0; cell < metrics.cells.length; cell++) {
    const file = metrics.fileOfCell[cell]!;
    if (file !== NONE && metrics.cells.get(cell, 'writtenBytes') > 0) written.add(file);
  }
  const own = opened.size === 0 ? [...written] : [...written].filter((file) => opened.has(file));
  return [...new Set([...own, ...changed])]
    .map((file) => trace.files.at(file))
    .filter(({ path, kind }) => kind === 'regular' && !HARMLESS.test(path))
    .map(({ path }) => path)
    .sort();
}

function opensForWriting(mode: number): boolean {
  if (!(mode >= 0)) return false;
  return (mode & OPEN_MODE.access) !== 0 || (mode & (OPEN_MODE.create | OPEN_MODE.truncate)) !== 0;
}
