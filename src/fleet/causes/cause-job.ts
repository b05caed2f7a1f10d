import type { FileFacts } from '../rows/recording-facts.ts';
import type { Row } from '../schema/tables.ts';
import type { CauseFile, CauseJob, Direction } from './causes.ts';

/** What the sweep-line needs of a job, from the rows that the store keeps of it: all formats come the same way. */
export function causeJob(
  job: Pick<Row<'job'>, 'processes' | 'nodes' | 'osts'>,
  files: readonly FileFacts[],
  direction: Direction,
): CauseJob {
  const columns = COLUMNS[direction];
  return {
    processes: job.processes ?? 1,
    nodes: job.nodes,
    files: files.filter((file) => isUsed(file, columns)).map((file) => causeFile(file, columns)),
    ...(job.osts ? { osts: job.osts } : {}),
  };
}

const COLUMNS = {
  read: {
    start: 'read_start',
    end: 'read_end',
    bytes: 'bytes_read',
    otherBytes: 'bytes_written',
    requests: 'reads',
    small: 'small_reads',
    sized: 'sized_reads',
    consecutive: 'consecutive_reads',
    placed: 'placed_reads',
    collective: 'collective_reads',
    seconds: 'read_seconds',
  },
  write: {
    start: 'write_start',
    end: 'write_end',
    bytes: 'bytes_written',
    otherBytes: 'bytes_read',
    requests: 'writes',
    small: 'small_writes',
    sized: 'sized_writes',
    consecutive: 'consecutive_writes',
    placed: 'placed_writes',
    collective: 'collective_writes',
    seconds: 'write_seconds',
  },
} as const;

type Columns = (typeof COLUMNS)[Direction];

function isUsed(file: FileFacts, { requests, bytes, collective }: Columns): boolean {
  return (file[requests] ?? 0) > 0 || (file[bytes] ?? 0) > 0 || (file[collective] ?? 0) > 0;
}

function causeFile(file: FileFacts, columns: Columns): CauseFile {
  const osts = file.osts ?? [];
  return {
    path: file.path ?? file.file_id ?? '',
    start: file[columns.start] ?? Number.NaN,
    end: file[columns.end] ?? Number.NaN,
    bytes: file[columns.bytes] ?? 0,
    requests: file[columns.requests] ?? 0,
    small: file[columns.small] ?? 0,
    consecutive: file[columns.consecutive] ?? 0,
    sized: file[columns.sized],
    placed: file[columns.placed],
    collective: file[columns.collective] ?? 0,
    processes: file.processes ?? 1,
    rank: file.rank,
    stripeCount: file.stripe_count ?? (osts.length > 0 ? osts.length : null),
    osts,
    summedSeconds: file[columns.seconds],
    // The recording tells it of reads and writes together.
    slowestBytes: (file[columns.otherBytes] ?? 0) > 0 ? null : file.slowest_rank_bytes,
  };
}
