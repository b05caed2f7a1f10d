/** Files and their transfers as the single calls of a recording tell them. */
import { layersPresent } from '../../analysis/layers/layers-present.ts';
import { LAYER_ROLE, layerRoles, type LayerRoles } from '../../analysis/metrics/layer-roles.ts';
import { processesOfStreams } from '../../analysis/metrics/processes.ts';
import { TRAIT } from '../../analysis/sites/stack-traits.ts';
import { LAYERS, OPERATION, type Layer } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { RecordedFile } from './recorded-file.ts';
import type { InterfaceUse, RecordingFacts, WhichFiles } from './recording-facts.ts';
import { DIRECTION, directionsOf } from './transfer-direction.ts';

/** Calls that are counted as metadata: what neither moves bytes nor is none of the others. */
const METADATA: ReadonlySet<number> = new Set([
  OPERATION.open,
  OPERATION.close,
  OPERATION.seek,
  OPERATION.sync,
  OPERATION.metadata,
]);

/**
 * @param ignored 1 for files that do not count: those of the system, pipes, sockets.
 * @returns one entry for each file that was read or written, or for all that were used.
 */
export function recordedFiles(trace: Trace, ignored: Uint8Array, which: WhichFiles = 'moved'): RecordingFacts {
  const pass = new FilePass(trace, ignored);
  trace.events.chunks.forEach((chunk, number) => pass.read(chunk, trace.events.rowsIn(number)));
  return pass.finish(which);
}

class FilePass {
  private readonly files = new Map<number, RecordedFile>();
  private readonly processOfStream: Int32Array;
  private readonly directions: Uint8Array;
  private readonly roles: LayerRoles | undefined;
  /** Seconds in I/O calls by process. */
  private readonly seconds: Float64Array;

  constructor(
    private readonly trace: Trace,
    private readonly ignored: Uint8Array,
  ) {
    this.processOfStream = processesOfStreams(trace);
    this.directions = directionsOf(trace.calls);
    this.roles = layerRoles(trace);
    this.seconds = new Float64Array(trace.streams.length);
  }

  read(chunk: EventChunk, rows: number): void {
    for (let i = 0; i < rows; i++) {
      const file = chunk.file[i]!;
      if (file === NONE || this.ignored[file] === 1 || (chunk.flags[i]! & NOT_MEASURED) !== 0) continue;
      this.readRow(chunk, i, file);
    }
  }

  private readRow(chunk: EventChunk, i: number, file: number): void {
    const role = this.roles?.of(chunk, i) ?? LAYER_ROLE.request | LAYER_ROLE.outermost;
    const isOutermost = (role & LAYER_ROLE.outermost) !== 0;
    const process = this.processOfStream[chunk.stream[i]!]!;
    const isPart = (chunk.flags[i]! & EVENT_FLAGS.part) !== 0;
    const operation = this.trace.calls.operation[chunk.call[i]!]!;
    // A part takes no time of its own besides that of its call.
    const seconds = chunk.duration[i]! > 0 && !isPart ? chunk.duration[i]! / 1e9 : 0;
    if (isOutermost) this.seconds[process]! += seconds;
    const direction = chunk.error[i] === 0 ? this.directions[chunk.call[i]!]! : DIRECTION.none;
    const known = this.files.get(file);
    if (direction === DIRECTION.none) {
      if (!isOutermost || !METADATA.has(operation)) return;
      this.fileOf(file, known).spendOnMetadata(process, seconds);
      return;
    }
    const found = this.fileOf(file, known);
    const reads = direction === DIRECTION.read;
    if (isOutermost) found.moved(reads, process, chunk.start[i]! / 1e9, seconds, chunk.bytes[i]!);
    if ((role & LAYER_ROLE.request) !== 0) found.requested(reads, process, chunk.offset[i]!, chunk.bytes[i]!);
    if (this.roles !== undefined) this.countMpiIo(found, chunk, i, reads);
  }

  private countMpiIo(file: RecordedFile, chunk: EventChunk, i: number, reads: boolean): void {
    if (chunk.layer[i] !== MPI_IO) return;
    const traits = this.roles!.traitsOf(chunk, i, reads, 0);
    file.throughMpiIo(reads, (traits & TRAIT.collective) !== 0);
  }

  private fileOf(file: number, known: RecordedFile | undefined): RecordedFile {
    if (known !== undefined) return known;
    const made = new RecordedFile();
    this.files.set(file, made);
    return made;
  }

  finish(which: WhichFiles): RecordingFacts {
    const { trace } = this;
    const interfaces = interfacesOf(trace);
    const ranks = trace.streams.map(({ rank }) => rank ?? null);
    const fileIds = trace.files.files.map((_, file) => (this.ignored[file] === 1 ? undefined : String(file)));
    const metadataSeconds = [...this.files.values()].reduce((sum, file) => sum + file.metadataSeconds, 0);
    const files = [...this.files]
      .filter(([, found]) => which === 'all' || found.movesAnything)
      .map(([file, found]) =>
        found.facts(fileIds[file]!, trace.files.at(file).path, ranks, interfaces.uses_mpi_io !== null),
      );
    const ioSeconds = trace.capabilities.duration ? this.seconds.reduce((a, b) => Math.max(a, b), 0) : null;
    return { files, interfaces, ioSeconds, metadataSeconds, fileIds };
  }
}

const MPI_IO = LAYERS.indexOf('MPI-IO');

/** A layer that a recording shows was used; where it shows none above POSIX, nobody looked for them. */
function interfacesOf(trace: Trace): InterfaceUse {
  const { all } = layersPresent(trace);
  const shows = (...layers: Layer[]): boolean => layers.some((layer) => (all & (1 << LAYERS.indexOf(layer))) !== 0);
  const looksAbove = shows('I/O library', 'NetCDF', 'PnetCDF', 'HDF5', 'MPI-IO', 'STDIO');
  const upper = (...layers: Layer[]): boolean | null => (shows(...layers) ? true : looksAbove ? false : null);
  return {
    uses_posix: shows('POSIX', 'system call'),
    uses_stdio: upper('STDIO'),
    uses_mpi_io: upper('MPI-IO'),
    uses_hdf5: upper('HDF5'),
    uses_netcdf: upper('NetCDF', 'PnetCDF'),
  };
}
