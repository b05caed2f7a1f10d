import type { PackedSource, Packing } from '../../trace/byte-source.ts';
import type { Job } from '../../trace/counters.ts';
import type { DamageLog } from '../../trace/damage.ts';
import { messageOf } from '../../base/error-message.ts';
import { UnreadableRecordingError } from '../../trace/trace.ts';
import { MOST_JOB_BYTES, MOST_SIGNS, readJob, type JobProblem, type JobRecord } from './job-region.ts';
import {
  LINE_TABLE_BYTES,
  MOST_HEADER_BYTES,
  readHeader,
  type LogHeader,
  type ModuleRegion,
  type Region,
} from './log-header.ts';
import { checkedRegions } from './region-map.ts';
import { RegionReader, textOf } from './region-reader.ts';

/** Bytes of the two tables that the variant with call stacks keeps behind the header. */
const TABLES_BYTES = 2 * LINE_TABLE_BYTES;

/** How the job was found: that settles two things which the header does not say for certain. */
interface FoundJob {
  readonly record: JobRecord | undefined;
  readonly packing: Packing;
  /** Bytes in front of the job region. */
  readonly headerBytes: number;
  readonly problems: readonly JobProblem[];
}

/** Fewer signs of a job are an accident: zeros and texts have one. */
const FEWEST_SIGNS = 2;
const LOST_JOB = 'the command, its times, the number of processes, the mounts, or some of these';

/** Where the parts of a log lie. */
interface LogMap {
  /** As stored, with the offset where they begin; those that do not lie in the file are left out. */
  readonly jobRegion: Region;
  readonly names: Region;
  readonly modules: readonly ModuleRegion[];
  /** Text tables of addresses and lines of the variant with call stacks; undefined for other logs. */
  readonly lineTables: readonly [posix: string, mpiIo: string] | undefined;
}

/**
 * A Darshan log: its header, its job and the map of its regions. A region is unpacked when it is asked for, so that what
 * is not asked for costs nothing.
 */
export class DarshanLog {
  private constructor(
    private readonly source: PackedSource,
    readonly header: LogHeader,
    readonly packing: Packing,
    readonly job: Job,
    readonly map: LogMap,
  ) {}

  /**
   * Reads header and job.
   * @param where name of the log for messages.
   * @param damage takes what is wrong with the map of the log.
   * @throws UnreadableRecordingError when this is no log whose structure is known, or its header is cut off.
   */
  static async open(source: PackedSource, where: string, damage: DamageLog): Promise<DarshanLog> {
    const head = new Uint8Array(Math.min(MOST_HEADER_BYTES, source.size));
    const got = await source.read(0, head);
    const header = readHeader(head.subarray(0, got), source.size, where);
    const found = await findJob(source, header, head.subarray(0, got));
    const { names, modules } = checkedRegions(header, found.headerBytes, source.size, where, damage);
    const jobRegion = { offset: found.headerBytes, length: jobEnd(header, source.size) - found.headerBytes };
    const hasTables = found.headerBytes > header.bytes;
    const tables = (part: number): string => {
      const from = header.bytes + part * LINE_TABLE_BYTES;
      return textOf(head.subarray(from, from + LINE_TABLE_BYTES));
    };
    if (header.packing === undefined || found.packing !== header.packing) {
      const what = `the header says that the log is ${nameOf(header.packing)}, but it is ${nameOf(found.packing)}`;
      damage.add('region', `${where}, header`, what, 'nothing');
    }
    for (const { what, lost } of found.problems) damage.add('region', `${where}, job data`, what, lost);
    const job = jobOf(found, header);
    const lineTables = hasTables ? ([tables(0), tables(1)] as const) : undefined;
    return new DarshanLog(source, header, found.packing, job, { jobRegion, names, modules, lineTables });
  }

  /** The unpacked bytes of a region. */
  read(region: Region, beforePiece?: () => void): RegionReader {
    const pieces = this.source.unpack(this.packing, region.offset, region.length);
    return new RegionReader(pieces, this.header.littleEndian, beforePiece);
  }
}

function nameOf(packing: Packing | undefined): string {
  if (packing === undefined) return 'compressed in an unknown way';
  return packing === 'none' ? 'not compressed' : `compressed by ${packing}`;
}

function jobOf({ record, packing }: FoundJob, header: LogHeader): Job {
  const nothing: JobRecord = {
    command: '',
    userId: '',
    jobId: '',
    startTime: 0,
    endTime: NaN,
    runTime: NaN,
    processes: 0,
    metadata: [],
    mounts: [],
  };
  return { ...(record ?? nothing), logVersion: header.version, compression: packing };
}

/** Where the job region ends: where the first other region begins, or the file ends. */
function jobEnd(header: LogHeader, fileBytes: number): number {
  const next = header.names.offset > 0 ? header.names.offset : (header.modules[0]?.offset ?? fileBytes);
  return Math.min(next, fileBytes);
}

/**
 * Finds the job region. Its packing is what the header says, or the one that its bytes show; it stands behind the header,
 * or behind the two tables of the variant with call stacks, whose logs say nowhere that they are of that variant. Of what
 * can be read as a job it is the one with most signs of being it.
 */
async function findJob(source: PackedSource, header: LogHeader, head: Uint8Array): Promise<FoundJob> {
  const end = jobEnd(header, source.size);
  const begins = header.minor >= 41 ? [header.bytes, header.bytes + TABLES_BYTES] : [header.bytes];
  let [best, most]: [FoundJob | undefined, number] = [undefined, FEWEST_SIGNS - 1];
  const packings = new Set<Packing>([header.packing ?? 'zlib', 'zlib', 'bzip2', 'none']);
  for (const packing of packings) {
    for (const headerBytes of begins) {
      if (end <= headerBytes || !mayBegin(packing, head, headerBytes)) continue;
      const { bytes, problem } = await beginningOf(source.unpack(packing, headerBytes, end - headerBytes));
      const job = readJob(bytes, header.minor, header.littleEndian);
      if (job === undefined || job.signs <= most) continue;
      const torn = problem === '' ? [] : [{ what: problem, lost: LOST_JOB }];
      best = { record: job.record, packing, headerBytes, problems: [...torn, ...job.problems] };
      if (job.signs === MOST_SIGNS) return best;
      most = job.signs;
    }
  }
  if (best !== undefined) return best;
  const packing = header.packing ?? 'zlib';
  const headerBytes = begins.find((at) => end > at && packing !== 'none' && mayBegin(packing, head, at)) ?? begins[0]!;
  const problems = [{ what: 'the job data cannot be read', lost: LOST_JOB }];
  return { record: undefined, packing, headerBytes, problems };
}

/** Whether bytes are the beginning of a stream that is packed so. */
function mayBegin(packing: Packing, head: Uint8Array, at: number): boolean {
  const first = head[at] ?? -1;
  const second = head[at + 1] ?? -1;
  if (packing === 'zlib') return (first & 15) === 8 && (first * 256 + second) % 31 === 0;
  return packing === 'none' || (first === 0x42 && second === 0x5a);
}

/** The first bytes of a region, as far as they can be unpacked. */
async function beginningOf(pieces: AsyncGenerator<Uint8Array>): Promise<{ bytes: Uint8Array; problem: string }> {
  const bytes = new Uint8Array(MOST_JOB_BYTES);
  let filled = 0;
  let problem = '';
  try {
    for await (const piece of pieces) {
      const part = piece.subarray(0, bytes.length - filled);
      bytes.set(part, filled);
      filled += part.length;
      if (filled === bytes.length) break;
    }
  } catch (error) {
    problem = messageOf(error);
  }
  return { bytes: bytes.subarray(0, filled), problem };
}

/** @throws UnreadableRecordingError when nothing of the log can be read. */
export function requireSomething(log: DarshanLog, where: string): void {
  if (log.job.processes === 0 && log.map.names.length === 0 && log.map.modules.length === 0) {
    throw new UnreadableRecordingError(`${where}: the log is damaged: neither job nor records can be read`);
  }
}
