import { getOrCreate } from '../../base/grouping.ts';
import { MountTable } from '../counters/mounts.ts';
import { processesOfStreams } from '../metrics/processes.ts';
import { formatBytes, formatCount } from '../../base/quantities.ts';
import { LAYERS } from '../../trace/calls.ts';
import { NONE, NOT_MEASURED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { directionsOfCalls, type FileAccesses } from './file-accesses.ts';
import { MARK, type FileName, type OffsetFileFacts, type OffsetFileRow, type Striping } from './offsets.ts';

/** What all accesses of a file in one layer amount to. */
export interface FileSums {
  /** Index into `Trace.files`. */
  readonly file: FileIndex;
  /** Index into LAYERS. */
  readonly layer: number;
  accesses: number;
  /** Of these at places that nobody knows. */
  unplaced: number;
  bytesRead: number;
  bytesWritten: number;
  readonly processes: Set<number>;
}

/** One pass over the events; for each file its layers, highest first. */
export function fileSums(trace: Trace): ReadonlyMap<number, readonly FileSums[]> {
  const found = new Map<number, FileSums[]>();
  const directions = directionsOfCalls(trace);
  const processOfStream = processesOfStreams(trace);
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const direction = directions[chunk.call[i]!]!;
      const file = chunk.file[i]!;
      if (direction === 0 || file === NONE || !(chunk.bytes[i]! > 0)) continue;
      if ((chunk.flags[i]! & NOT_MEASURED) !== 0 || chunk.error[i] !== 0) continue;
      const sums = sumsOf(found, file, chunk.layer[i]!);
      sums.accesses++;
      if (!(chunk.offset[i]! >= 0)) sums.unplaced++;
      if (direction === MARK.read) sums.bytesRead += chunk.bytes[i]!;
      else sums.bytesWritten += chunk.bytes[i]!;
      sums.processes.add(processOfStream[chunk.stream[i]!]!);
    }
  });
  for (const layers of found.values()) layers.sort((a, b) => a.layer - b.layer);
  return found;
}

function sumsOf(found: Map<number, FileSums[]>, file: FileIndex, layer: number): FileSums {
  const layers = getOrCreate(found, file, () => []);
  let sums = layers.find((each) => each.layer === layer);
  if (sums === undefined) {
    sums = { file, layer, accesses: 0, unplaced: 0, bytesRead: 0, bytesWritten: 0, processes: new Set() };
    layers.push(sums);
  }
  return sums;
}

/** Files with accesses at known places, most bytes first, those that no finding counts last. */
export function fileRows(
  trace: Trace,
  sums: ReadonlyMap<number, readonly FileSums[]>,
  ignored: Uint8Array,
): { rows: OffsetFileRow[]; withoutOffsets: number } {
  const lowest = [...sums.values()].map((layers) => layers.at(-1)!);
  const placed = lowest.filter(({ accesses, unplaced }) => accesses > unplaced);
  const rows = placed.map(({ file, accesses, bytesRead, bytesWritten, processes }) => ({
    host: trace.files.at(file).host,
    path: trace.files.at(file).path,
    accesses,
    bytesRead,
    bytesWritten,
    processes: processes.size,
    ignored: ignored[file] === 1,
  }));
  const bytes = (row: OffsetFileRow): number => row.bytesRead + row.bytesWritten;
  rows.sort((a, b) => Number(a.ignored) - Number(b.ignored) || bytes(b) - bytes(a) || (a.path < b.path ? -1 : 1));
  return { rows, withoutOffsets: lowest.length - placed.length };
}

/** Indices of a file; of all hosts where none is named and no file of that path belongs to all. */
export function findFile({ files }: Pick<Trace, 'files'>, { host, path }: FileName): Set<number> {
  const ofPath = files.files.flatMap((file, index) => (file.path === path ? [index] : []));
  const exact = ofPath.filter((index) => files.at(index).host === host);
  return new Set(exact.length > 0 || host !== '' ? exact : ofPath);
}

/** @param sums of the file's layers; @param blockBytes what is assumed where the recording does not say. */
export function fileFacts(
  trace: Trace,
  file: FileName,
  files: ReadonlySet<FileIndex>,
  sums: readonly FileSums[],
  accesses: FileAccesses,
): OffsetFileFacts {
  const layers = [...new Set(sums.map(({ layer }) => layer))].sort((a, b) => a - b).map((layer) => LAYERS[layer]!);
  return {
    file,
    layers,
    processes: new Set(sums.flatMap(({ processes }) => [...processes])).size,
    stripings: stripingsOf(trace, files),
    blockBytes: blockBytes(trace, files),
    hasTimes: accesses.length > accesses.untimed,
    notes: notesOf(trace, file, accesses),
  };
}

/** How a file lies on storage targets; nothing where the recording does not say. */
export function stripingsOf({ counters }: Trace, files: ReadonlySet<FileIndex>): Striping[] {
  const layout = counters?.layouts.find((each) => each.file !== NONE && files.has(each.file));
  const components = layout?.components.filter(({ stripeSize }) => stripeSize > 0) ?? [];
  return components.map(({ stripeSize, stripeCount, extentStart, extentEnd, targets }) => ({
    stripeSize,
    stripeCount,
    fromByte: Math.max(0, extentStart),
    toByte: extentEnd < 0 ? null : extentEnd,
    targets,
  }));
}

/** What Darshan recorded of the file system. */
function blockBytes({ counters }: Trace, files: ReadonlySet<FileIndex>): number | null {
  const posix = counters?.modules.find(({ module }) => module === 'POSIX');
  const column = posix?.find('POSIX_FILE_ALIGNMENT');
  if (posix === undefined || column === undefined) return null;
  for (let record = 0; record < posix.length; record++) {
    const bytes = posix.value(record, column);
    if (files.has(posix.file(record)) && bytes > 1) return bytes;
  }
  return null;
}

function notesOf({ counters }: Trace, { path }: FileName, accesses: FileAccesses): string[] {
  const { unplaced, untimed, length, maps, isCompared } = accesses;
  const notes: string[] = [];
  const calls = (number: number): string => (number === 1 ? '1 access is' : `${formatCount(number)} accesses are`);
  if (unplaced.accesses > 0)
    notes.push(
      `${calls(unplaced.accesses)} left out (${formatBytes(unplaced.bytes)}): the recording does not tell where in the file.`,
    );
  if (length > 0 && untimed === length) notes.push('The recording has no times: accesses are shown in their order.');
  else if (untimed > 0) notes.push(`${calls(untimed)} without a time: they are seen in the order of accesses only.`);
  if (maps > 0)
    notes.push('The file is mapped into memory: what is read or written through the map is not in the recording.');
  if (!isCompared) notes.push('There are too many writes to tell which go over another process’s bytes.');
  if (counters === undefined) return notes;
  const { fileSystem } = new MountTable(counters.job.mounts).find(path);
  const hasLayout = counters.layouts.length > 0;
  if (fileSystem === 'lustre' && !hasLayout) notes.push('The log holds no Lustre layouts: stripes are not known.');
  return notes;
}

/** `stripe 5, OST 12`; '' where no component covers the byte. */
export function stripeText(stripings: readonly Striping[], byte: number): string {
  const striping = stripings.find(({ fromByte, toByte }) => byte >= fromByte && (toByte === null || byte < toByte));
  if (striping === undefined) return '';
  const { stripeSize, stripeCount, targets } = striping;
  const stripe = Math.floor(byte / stripeSize);
  const target = targets[stripe % Math.max(1, Math.min(stripeCount, targets.length))];
  return `stripe ${formatCount(stripe)}${target === undefined ? '' : `, OST ${target}`}`;
}
