import { boolean, instant, integer, integers, number, text, texts } from './table.ts';

/** What each row says of the recording that it comes from. */
const ofLog = {
  log: text(
    'Key of the recording: the first 32 hexadecimal digits of the SHA-256 of its content. Joins all tables of recordings.',
  ),
  job_id: text(
    'Number of the scheduler job that ran it (Darshan `jobid`; what the batch system told the processes), as text; not unique: a job may run several programs. Joins `scheduler_job` and `job_step`.',
  ),
};

/**
 * Sums of the reads and writes of a job or file, counted once however many layers a recording shows them in: bytes and
 * times of the outermost calls on the file, requests as they reached the file system (docs/decisions/0105).
 */
export const TRANSFERS = {
  bytes_read: integer('Bytes that the outermost calls on the file read (MPI-IO, else POSIX and `FILE` streams).'),
  bytes_written: integer('Bytes that they wrote.'),
  reads: integer('Requests that read, as they reached the file system: POSIX below MPI-IO.'),
  writes: integer('Requests that write.'),
  sized_reads: integer('Of `reads`, those of known size: what `small_reads` is a share of. `FILE` streams hold none.'),
  sized_writes: integer('Of `writes`, those of known size.'),
  small_reads: integer('Reads of at most 1 MiB (Darshan: bins up to `SIZE_READ_100K_1M`).'),
  small_writes: integer('Writes of at most 1 MiB.'),
  placed_reads: integer(
    'Of `reads`, those of known place: what `consecutive_reads` and `sequential_reads` are shares of (POSIX).',
  ),
  placed_writes: integer('Of `writes`, those of known place.'),
  consecutive_reads: integer(
    'Reads that begin where the last one of the process in the file ended (Darshan `CONSEC_READS`; "sequential" in equation 3 of IOMiner).',
  ),
  consecutive_writes: integer('Writes that begin where the last one of the process in the file ended.'),
  sequential_reads: integer('Reads that begin after the end of the last one (Darshan `SEQ_READS`).'),
  sequential_writes: integer('Writes that begin after the end of the last one.'),
  read_seconds: number('Seconds in reads, summed over processes.'),
  write_seconds: number('Seconds in writes, summed over processes.'),
  metadata_seconds: number(
    'Seconds in opens, closes, stats, seeks and syncs, summed over processes; of a job in all files, read or not.',
  ),
  read_start: number('Seconds from the start of the program to its first read.'),
  read_end: number('Seconds to the end of its last read.'),
  write_start: number('Seconds to its first write.'),
  write_end: number('Seconds to the end of its last write.'),
  collective_reads: integer('Collective reads of MPI-IO.'),
  collective_writes: integer('Collective writes of MPI-IO.'),
  independent_reads: integer('Independent reads of MPI-IO.'),
  independent_writes: integer('Independent writes of MPI-IO.'),
};

export const JOB = {
  about: 'One row for each recording: one run of a program ("job" in IOMiner).',
  monthOf: 'start_time',
  columns: {
    ...ofLog,
    step: text('Number of the step within the job, where the recording says it and is of one only; `job_step.step`.'),
    task: integer('Task of the step (rank), where the recording is of one only.'),
    path: text('Where the recording lay when it was taken in.'),
    format: text('`darshan`, `strace`, `recorder`, `otf2`, `dftracer`, …'),
    user_id: text('As recorded: a number (Darshan) or a name.'),
    account: text('Account that the job is charged to, as recorded.'),
    application: text('File name of the executable.'),
    command: text('The executable and its arguments.'),
    start_time: instant('When the program started.'),
    end_time: instant('When it ended; null when it was killed.'),
    run_seconds: number('Seconds from start to end.'),
    processes: integer('Processes of the program.'),
    nodes: integer(
      'Hosts that the recording names; null when it names none. The scheduler knows better: `scheduler_job.nodes`.',
    ),
    node_list: texts('Their names: those of the batch system where the recording has them.'),
    files: integer('Files that it read or wrote; not standard input, output and error.'),
    shared_files: integer('Of these, files that more than one process used.'),
    ...TRANSFERS,
    io_seconds: number(
      'Seconds in I/O calls of the process that spent most in them (Darshan: with the slowest process of each shared file, as `darshan-parser --perf` estimates it); null when the recording does not say.',
    ),
    uses_posix: boolean('It made POSIX calls of its own or of a library.'),
    uses_stdio: boolean('It used `FILE` streams.'),
    uses_mpi_io: boolean('It used MPI-IO.'),
    uses_hdf5: boolean('It used HDF5.'),
    uses_netcdf: boolean('It used NetCDF or PnetCDF.'),
    osts: integers(
      'Lustre object storage targets of all its files (the bitmap of IOMiner), in ascending order; empty when it has files on Lustre without layout, null when none lies on Lustre.',
    ),
    ost_count: integer('How many these are (OST# of IOMiner).'),
    customised_striping: boolean(
      'A file on Lustre differs from the default layout: stripe size 1 MiB, one stripe. Null without Lustre.',
    ),
    segments: integer('Single calls that the recording holds.'),
    damage: integer('Reports of damage: more than 0 when it was read in part.'),
  },
} as const;

/** What a file is, beyond its key and name; of a single recording, too (src/export/tables). */
export const FILE_FIGURES = {
  mount_point: text('Longest mount point above it.'),
  file_system: text('Type of the file system (`lustre`, `gpfs`, …).'),
  processes: integer('Processes that used it.'),
  rank: integer('The process, where only one used it.'),
  ...TRANSFERS,
  slowest_rank_bytes: integer('Bytes that the slowest process moved; null unless shared.'),
  fastest_rank_bytes: integer('Bytes that the fastest process moved; null unless shared.'),
  slowest_rank_seconds: number('Seconds that the slowest process spent on it; null unless shared.'),
  fastest_rank_seconds: number('Seconds that the fastest process spent on it; null unless shared.'),
  uses_mpi_io: boolean('It was used through MPI-IO.'),
  uses_stdio: boolean('It was used through `FILE` streams.'),
  uses_hdf5: boolean('It was used through HDF5.'),
  stripe_size: integer('Bytes (Lustre); null without a layout.'),
  stripe_count: integer('Storage targets that it is striped over.'),
  stripe_offset: integer('First storage target that was asked for; -1: any.'),
  osts: integers('Object storage targets in the order of the stripes.'),
};

export const FILE = {
  about: 'One row for each file that a program read or wrote.',
  monthOf: 'start_time',
  columns: {
    ...ofLog,
    file_id: text('Key within the recording (Darshan: record id, hexadecimal).'),
    path: text('As recorded.'),
    start_time: instant('When the program started.'),
    ...FILE_FIGURES,
  },
} as const;

export const SEGMENT_SUMMARY = {
  about:
    'Single calls (DXT segments, recorded calls) of a file, summed up for each layer and direction; only where a recording holds single calls.',
  monthOf: 'start_time',
  columns: {
    ...ofLog,
    file_id: text('Key of the file within the recording.'),
    start_time: instant('When the program started.'),
    layer: text('`POSIX`, `MPI-IO`, `HDF5`, …'),
    direction: text('`read` or `write`.'),
    segments: integer('Calls.'),
    bytes: integer('Bytes.'),
    processes: integer('Processes that made them.'),
    first_start: number('Seconds from the start of the program to the first call.'),
    last_end: number('Seconds to the end of the last call.'),
    active_seconds: number('Seconds in which at least one of them was under way.'),
    summed_seconds: number('Seconds, summed over calls.'),
    most_concurrent: integer('Most calls under way at one moment.'),
    median_bytes: number('Median of the bytes of a call.'),
  },
} as const;

/** What a call site is; of a single recording, too. */
export const SITE_FIGURES = {
  source_file: text('As recorded in the debug information.'),
  line: integer('From 1; null when unknown.'),
  function: text('Function that makes the calls.'),
  module: text('Executable or library.'),
  events: integer('Calls.'),
  bytes_read: integer('Bytes.'),
  bytes_written: integer('Bytes.'),
  seconds: number('Seconds in these calls, summed over processes.'),
  share: number('Share of the time in I/O calls, 0 to 1.'),
};

export const SITE = {
  about:
    'One row for each call site (line of the source, or function where lines are unknown); only where a recording holds stacks.',
  monthOf: 'start_time',
  columns: {
    ...ofLog,
    start_time: instant('When the program started.'),
    ...SITE_FIGURES,
  },
} as const;

export const INSIGHT = {
  about: 'One row for each finding and call site of it; one row without a site where a finding names none.',
  monthOf: 'start_time',
  columns: {
    ...ofLog,
    start_time: instant('When the program started.'),
    code: text("Drishti's code, or ours (docs/triggers.md)."),
    trigger: text('Name of the trigger, such as `posix-small-writes`.'),
    severity: text('`high`, `warn`, `info` or `ok`.'),
    title: text('The finding in a few words.'),
    message: text('The finding with its numbers.'),
    place: integer('Number of the site within the finding, costliest first, from 0.'),
    source_file: text('Of the site; null without one.'),
    line: integer('Of the site; null when unknown.'),
    function: text('Of the site; null when unknown.'),
    file: text('The file that the finding is mostly about, as recorded.'),
    events: integer('Calls of the site in this finding, or of the finding.'),
    bytes: integer('Bytes of these.'),
    seconds: number('Seconds of these.'),
  },
} as const;
