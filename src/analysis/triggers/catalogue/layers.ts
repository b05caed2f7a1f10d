import type { Amount, Recommendation } from '../insight.ts';
import { collectiveIn } from '../language-snippets.ts';
import { advising, countOf, say, slot } from '../message.ts';
import * as parallel from '../parallel-snippets.ts';
import * as streams from '../stream-snippets.ts';
import type { GroupView, MetricView, RunTrigger, RunView, SiteTrigger } from '../trigger.ts';
import { amount, calls, minus, NOTHING, ofSize, plus, share } from './amounts.ts';

/** How flushes are called in a language. */
const FLUSH_CALLS = { c: 'fflush', cpp: 'flush() and fflush', fortran: 'FLUSH', python: 'flush()' } as const;

/** What is said of flushes to lines of a language, or of any. */
export function flushText(language: keyof typeof FLUSH_CALLS | undefined): string {
  const calls =
    language === undefined ? 'flushes (fflush, std::endl, FLUSH, flush(), H5Fflush)' : FLUSH_CALLS[language];
  const lines = language === 'cpp' ? "end lines with '\\n' instead of std::endl, and " : '';
  return `Do not flush after each record: ${lines}leave ${calls} to the end or to a checkpoint. The buffer is written when it is full; a larger one would not be filled either.`;
}

/** What to do instead of so many flushes. */
export function withoutFlush(flushes: number): readonly Recommendation[] {
  return [
    {
      audience: 'code',
      text: flushText(undefined),
      snippet: streams.flushAtEnd(flushes),
      alternatives: [streams.flushAtEndC(flushes), streams.flushAtEndFortran(), streams.flushAtEndPython()],
    },
  ];
}

const flushAfterRecord: SiteTrigger = {
  kind: 'site',
  code: 'L04',
  name: 'flush-after-every-record',
  title: 'A flush after every record',
  sizes: 'flushed',
  offending: (cell) => amount(cell, 'flushedWrites', 'flushedWrittenBytes', 'flushedWriteTime'),
  // Where flushes of a stream are calls of their own, the writes beside them only fill its buffer.
  local: (group) => group.get('streamFlushes') > 0 || group.get('flushedWrites') > group.get('writes') / 2,
  subject: (group) => say`${calls(group, 'write')}${ofSize(group)} forced by a flush`,
  evidence: (group) => ({
    coalescedCalls: group.get(group.get('streamFlushes') > 0 ? 'coalescedFlushes' : 'coalescedWrites'),
  }),
  recommend: (group) => withoutFlush(group.offence.events),
};

const hdf5SmallWrites: SiteTrigger = {
  kind: 'site',
  code: 'L14',
  name: 'hdf5-small-writes',
  title: 'Many small writes by HDF5',
  sizes: 'write',
  sizesBelow: 'tiny_bytes',
  offending: (cell) => amount(cell, 'hdf5TinyWrites', 'hdf5TinyWrittenBytes', 'hdf5TinyWriteTime'),
  local: (group) => group.get('hdf5TinyWrites') > group.get('writes') / 2,
  explainedBy: ['flush-after-every-record', 'mpi-io-independent-writes'],
  subject: (group) => say`${calls(group, 'write')}${ofSize(group)} that HDF5 makes`,
  recommend: () => [
    {
      audience: 'code',
      ...advising(
        say`Write fewer, larger objects: one dataset with a dimension for the steps instead of a dataset and attributes for each, several steps with each H5Dwrite, and chunks of ${slot('advisedSize', 1 << 20)} or so.`,
      ),
      snippet: parallel.hdf5OneDataset(),
      alternatives: [parallel.hdf5OneDatasetPython()],
    },
  ],
};

/** Drishti's condition: no collective transfer at all, and many independent ones. */
function onlyIndependent(run: RunView, collective: number, independent: number, most: number): boolean {
  return run.usesMpiIo && collective === 0 && independent > most;
}

/** Bytes from which on pieces that lie side by side are as large as collective calls would make them. */
const LARGE_PIECE = 256 << 10;

/** Each process moves a block of its own in large pieces: there is nothing that the others could join. */
function isInLargePieces(group: GroupView, direction: 'read' | 'write'): boolean {
  const [all, bytes, consecutive] =
    direction === 'read'
      ? (['reads', 'readBytes', 'consecutiveReads'] as const)
      : (['writes', 'writtenBytes', 'consecutiveWrites'] as const);
  const calls = group.get(all);
  return group.get(bytes) >= LARGE_PIECE * calls && group.get(consecutive) >= 0.9 * calls;
}

const independentReads: SiteTrigger = {
  kind: 'site',
  code: 'M02',
  name: 'mpi-io-independent-reads',
  title: 'Independent MPI-IO reads of a shared file',
  sizes: 'read',
  offending: (cell, file) =>
    file.shared ? amount(cell, 'independentReads', 'independentReadBytes', 'independentReadTime') : NOTHING,
  drishti: (run, { collective_operations_absolute }) =>
    onlyIndependent(run, run.get('collectiveReads'), run.get('independentReads'), collective_operations_absolute),
  local: (group, { collective_operations, small_bytes }) =>
    share(group.get('independentReads'), group.get('independentReads') + group.get('collectiveReads')) >
      collective_operations && group.medianBytes <= small_bytes,
  never: (group) => isInLargePieces(group, 'read'),
  subject: (group) => say`${calls(group, 'read')}${ofSize(group)} by independent MPI-IO calls`,
  recommend: () => [
    {
      audience: 'code',
      text: 'Use the collective call (MPI_File_read_at_all for MPI_File_read_at, MPI_File_read_all for MPI_File_read; with a shared file pointer MPI_File_read_ordered): MPI-IO then merges the requests of all ranks into a few large ones.',
      snippet: parallel.collectiveRead(),
      alternatives: collectiveIn('read'),
    },
  ],
};

const independentWrites: SiteTrigger = {
  kind: 'site',
  code: 'M03',
  name: 'mpi-io-independent-writes',
  title: 'Independent MPI-IO writes to a shared file',
  sizes: 'write',
  offending: (cell, file) =>
    file.sharedByWriters
      ? amount(cell, 'independentWrites', 'independentWrittenBytes', 'independentWriteTime')
      : NOTHING,
  drishti: (run, { collective_operations_absolute }) =>
    onlyIndependent(run, run.get('collectiveWrites'), run.get('independentWrites'), collective_operations_absolute),
  local: (group, { collective_operations, small_bytes }) =>
    share(group.get('independentWrites'), group.get('independentWrites') + group.get('collectiveWrites')) >
      collective_operations && group.medianBytes <= small_bytes,
  never: (group) => isInLargePieces(group, 'write'),
  subject: (group) => say`${calls(group, 'write')}${ofSize(group)} by independent MPI-IO calls`,
  recommend: () => [
    {
      audience: 'code',
      text: 'Use the collective call (MPI_File_write_at_all for MPI_File_write_at, MPI_File_write_all for MPI_File_write; with a shared file pointer MPI_File_write_ordered): MPI-IO then merges the requests of all ranks into a few large ones.',
      snippet: parallel.collectiveWrite(),
      alternatives: collectiveIn('write'),
    },
  ],
};

/** Whether calls wait is known from counters, and summed up where calls of MPI-IO were recorded: these say on which lines. */
const blockingReads: SiteTrigger = {
  kind: 'site',
  code: 'M06',
  name: 'mpi-io-blocking-reads',
  title: 'MPI-IO reads that block',
  severity: 'warn',
  sizes: 'read',
  offending: (cell) =>
    plus(
      amount(cell, 'independentReads', 'independentReadBytes', 'independentReadTime'),
      amount(cell, 'collectiveReads', 'collectiveReadBytes', 'collectiveReadTime'),
    ),
  explainedBy: ['mpi-io-independent-reads'],
  subject: (group) => say`${calls(group, 'read')}${ofSize(group)} by MPI-IO calls that block`,
  recommend: () => [],
};

const blockingWrites: SiteTrigger = {
  kind: 'site',
  code: 'M07',
  name: 'mpi-io-blocking-writes',
  title: 'MPI-IO writes that block',
  severity: 'warn',
  sizes: 'write',
  offending: (cell) =>
    plus(
      amount(cell, 'independentWrites', 'independentWrittenBytes', 'independentWriteTime'),
      amount(cell, 'collectiveWrites', 'collectiveWrittenBytes', 'collectiveWriteTime'),
    ),
  explainedBy: ['mpi-io-independent-writes'],
  subject: (group) => say`${calls(group, 'write')}${ofSize(group)} by MPI-IO calls that block`,
  recommend: () => [],
};

const noMpiIo: RunTrigger = {
  kind: 'run',
  code: 'M01',
  name: 'mpi-io-not-used',
  title: 'MPI-IO is not used for shared files',
  examine: (run, { site_share }) => {
    const files = run.sharedFileAmounts;
    const timeNs = files.reduce((sum, file) => sum + file.timeNs, 0);
    const count = files.reduce((sum, file) => sum + file.events, 0);
    const part = share(timeNs, run.get('time'));
    if (!run.callsMpi || run.usesMpiIo || run.ranks < 2 || files.length === 0 || part < site_share) return undefined;
    return {
      severity: 'warn',
      message: say`${countOf('ranks', run.ranks, 'rank')} share ${countOf('files', files.length, 'file')} by system calls alone, which ${{ amount: { events: count, bytes: 0, timeNs }, shareOfTime: part }}.`,
      evidence: { count, timeNs, share: part, processes: run.ranks },
      files,
    };
  },
  recommendations: [
    {
      audience: 'code',
      text: 'Consider MPI-IO (or parallel HDF5, NetCDF, PnetCDF above it): collective calls merge the requests of all ranks into large ones.',
      snippet: parallel.collectiveWrite(),
      alternatives: collectiveIn('write'),
    },
  ],
};

/** The largest buffer that streams have by themselves on Linux. */
const STREAM_BUFFER = 8192;
/** Times that it is filled from which on it is worth a word. */
const FEWEST_BUFFERS = 10;

/** What a larger buffer could join: nothing that a flush writes before it is full, nor what a seek led to. */
function refilled(view: MetricView): Amount {
  const left = minus(
    amount(view, 'stdioTransfers', 'stdioBytes', 'stdioTime'),
    amount(view, 'flushedTransfers', 'flushedTransferBytes', 'flushedTransferTime'),
  );
  const joined = minus(left, amount(view, 'soughtTransfers', 'soughtTransferBytes', 'soughtTransferTime'));
  // What was sought and then flushed is in both.
  return joined.events > 0 && joined.bytes > 0 ? joined : NOTHING;
}

const stdio: SiteTrigger = {
  kind: 'site',
  code: 'S01',
  name: 'stdio-high-usage',
  title: 'Much data through stdio',
  operations: ['read', 'write'],
  offending: refilled,
  drishti: (run, { interface_stdio, small_requests_absolute }) =>
    share(run.get('stdioBytes'), run.get('readBytes') + run.get('writtenBytes')) > interface_stdio &&
    run.get('stdioTransfers') > small_requests_absolute,
  // What the page cache takes or gives at once is no faster through a larger buffer.
  never: (group) => {
    const { events, bytes } = refilled(group);
    const streams = group.get('openingReads') + group.get('openingWrites');
    // A stream that is closed before its buffer was full twice is no better for a larger one.
    if (bytes < STREAM_BUFFER * Math.max(FEWEST_BUFFERS, 2 * streams)) return true;
    return group.get('slowRefills') < Math.min(events, bytes / STREAM_BUFFER) / 2;
  },
  explainedBy: ['flush-after-every-record', 'posix-small-reads', 'posix-small-writes', 'posix-small-reads-shared'],
  subject: (group) =>
    say`${calls(group, 'call')} of ${slot('meanSize', group.offence.bytes / group.offence.events)} by stdio (or a C++ stream)`,
  recommend: () => [
    {
      audience: 'code',
      ...advising(
        say`Give the stream a larger buffer: its own holds a few KiB (C mostly ${slot('advisedNumber', 4)}, libstdc++ ${slot('advisedNumber', 8)}), and each time it is full a call waits for the file system. Bulk data needs no stream: read and write move it in large pieces.`,
      ),
      snippet: streams.largerBuffer(),
      alternatives: [streams.largerBufferCpp()],
    },
  ],
};

/** The libraries between the program and the system calls. */
export const FLUSHES: readonly SiteTrigger[] = [flushAfterRecord];
export const LIBRARIES: readonly (SiteTrigger | RunTrigger)[] = [
  noMpiIo,
  independentReads,
  independentWrites,
  hdf5SmallWrites,
  blockingReads,
  blockingWrites,
];
export const STDIO: readonly SiteTrigger[] = [stdio];
