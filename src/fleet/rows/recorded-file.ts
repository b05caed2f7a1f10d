import { getOrCreate } from '../../base/grouping.ts';
import type { FileFacts } from './recording-facts.ts';

/** Bytes of the largest request that counts as small: Darshan's bins end there. */
const SMALL_BYTES = 1 << 20;

/** Sums of one direction of a file. */
class Sums {
  /** Of outermost calls, and how many these are. */
  movedBytes = 0;
  calls = 0;
  requestedBytes = 0;
  requests = 0;
  small = 0;
  placed = 0;
  consecutive = 0;
  sequential = 0;
  seconds = 0;
  start = Infinity;
  end = -Infinity;
  collective = 0;
  independent = 0;

  /** Some libraries' calls do not say how much they move (H5Dwrite); what they became does. */
  get bytes(): number {
    return this.movedBytes === 0 && this.calls > 0 ? this.requestedBytes : this.movedBytes;
  }
}

/** What one process did to a file. */
class Use {
  /** Ends of its last read and write: the byte behind; NaN before the first. */
  readEnd = NaN;
  writeEnd = NaN;
  seconds = 0;
  bytes = 0;
}

/** Sums of the calls on one file. */
export class RecordedFile {
  private readonly reads = new Sums();
  private readonly writes = new Sums();
  private readonly uses = new Map<number, Use>();
  metadataSeconds = 0;
  private usesMpiIo = false;

  get movesAnything(): boolean {
    return this.reads.requests + this.writes.requests + this.reads.bytes + this.writes.bytes > 0;
  }

  spendOnMetadata(process: number, seconds: number): void {
    this.metadataSeconds += seconds;
    this.useOf(process).seconds += seconds;
  }

  /** An outermost call; times in seconds from the trace's origin, a start of NaN is not known. */
  moved(reads: boolean, process: number, start: number, seconds: number, bytes: number): void {
    const sums = reads ? this.reads : this.writes;
    const use = this.useOf(process);
    sums.movedBytes += bytes;
    sums.calls++;
    sums.seconds += seconds;
    use.bytes += bytes;
    use.seconds += seconds;
    if (start < sums.start) sums.start = start;
    if (start + seconds > sums.end) sums.end = start + seconds;
  }

  /** A request as it reached the file system; an offset of NaN is not known. */
  requested(reads: boolean, process: number, offset: number, bytes: number): void {
    const sums = reads ? this.reads : this.writes;
    const use = this.useOf(process);
    sums.requests++;
    sums.requestedBytes += bytes;
    if (bytes <= SMALL_BYTES) sums.small++;
    if (Number.isNaN(offset)) return;
    sums.placed++;
    const last = reads ? use.readEnd : use.writeEnd;
    if (offset === last) sums.consecutive++;
    if (offset >= last) sums.sequential++;
    if (reads) use.readEnd = offset + bytes;
    else use.writeEnd = offset + bytes;
  }

  throughMpiIo(reads: boolean, isCollective: boolean): void {
    const sums = reads ? this.reads : this.writes;
    this.usesMpiIo = true;
    if (isCollective) sums.collective++;
    else sums.independent++;
  }

  private useOf(process: number): Use {
    const use = getOrCreate(this.uses, process, () => new Use());
    return use;
  }

  /**
   * @param ranks of the streams; null for those that have none.
   * @param showsMpiIo whether calls of MPI-IO would show in the recording.
   */
  facts(id: string, path: string, ranks: readonly (number | null)[], showsMpiIo: boolean): FileFacts {
    const { reads, writes, uses } = this;
    const moment = (value: number): number | null => (Number.isFinite(value) ? value : null);
    const calls = (count: number): number | null => (showsMpiIo ? count : null);
    return {
      file_id: id,
      path,
      mount_point: null,
      file_system: null,
      processes: uses.size,
      rank: uses.size === 1 ? (ranks[[...uses.keys()][0]!] ?? null) : null,
      bytes_read: reads.bytes,
      bytes_written: writes.bytes,
      reads: reads.requests,
      writes: writes.requests,
      sized_reads: reads.requests,
      sized_writes: writes.requests,
      small_reads: reads.small,
      small_writes: writes.small,
      placed_reads: reads.placed,
      placed_writes: writes.placed,
      ...this.patterns(),
      read_seconds: reads.seconds,
      write_seconds: writes.seconds,
      metadata_seconds: this.metadataSeconds,
      read_start: moment(reads.start),
      read_end: moment(reads.end),
      write_start: moment(writes.start),
      write_end: moment(writes.end),
      collective_reads: calls(reads.collective),
      collective_writes: calls(writes.collective),
      independent_reads: calls(reads.independent),
      independent_writes: calls(writes.independent),
      ...this.extremes(),
      uses_mpi_io: showsMpiIo ? this.usesMpiIo : null,
      uses_stdio: null,
      uses_hdf5: null,
      stripe_size: null,
      stripe_count: null,
      stripe_offset: null,
      osts: null,
    };
  }

  /** Of requests of which none has a place nobody knows whether they follow each other. */
  private patterns(): Pick<
    FileFacts,
    'consecutive_reads' | 'consecutive_writes' | 'sequential_reads' | 'sequential_writes'
  > {
    const known = ({ placed, requests }: Sums, count: number): number | null =>
      placed === 0 && requests > 0 ? null : count;
    return {
      consecutive_reads: known(this.reads, this.reads.consecutive),
      consecutive_writes: known(this.writes, this.writes.consecutive),
      sequential_reads: known(this.reads, this.reads.sequential),
      sequential_writes: known(this.writes, this.writes.sequential),
    };
  }

  private extremes(): Pick<
    FileFacts,
    'slowest_rank_bytes' | 'fastest_rank_bytes' | 'slowest_rank_seconds' | 'fastest_rank_seconds'
  > {
    const byTime = [...this.uses.values()].sort((a, b) => a.seconds - b.seconds);
    const [fastest, slowest] = byTime.length > 1 ? [byTime[0], byTime.at(-1)] : [];
    return {
      slowest_rank_bytes: slowest?.bytes ?? null,
      fastest_rank_bytes: fastest?.bytes ?? null,
      slowest_rank_seconds: slowest?.seconds ?? null,
      fastest_rank_seconds: fastest?.seconds ?? null,
    };
  }
}
