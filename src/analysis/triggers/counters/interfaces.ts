import { countOf, say, slot } from '../message.ts';
import { share } from '../catalogue/amounts.ts';
import type { Amount, Recommendation } from '../insight.ts';
import * as languages from '../language-snippets.ts';
import * as parallel from '../parallel-snippets.ts';
import * as streams from '../stream-snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import { everything, measured } from './posix-counters.ts';

const STDIO_BYTES = ['STDIO_BYTES_READ', 'STDIO_BYTES_WRITTEN'];
const STDIO_TIMES = ['STDIO_F_READ_TIME', 'STDIO_F_WRITE_TIME', 'STDIO_F_META_TIME'];

const stdioHighUsage: CounterTrigger = {
  kind: 'counters',
  code: 'S01',
  name: 'stdio-high-usage',
  title: 'Much of the data goes through stdio',
  severity: 'high',
  module: 'STDIO',
  examine: (view, { interface_stdio }) => {
    const stdio = view.module('STDIO');
    if (stdio === undefined) return undefined;
    const bytes = stdio.sum(STDIO_BYTES);
    const mpiio = view.module('MPI-IO')?.sum(['MPIIO_BYTES_READ', 'MPIIO_BYTES_WRITTEN']) ?? 0;
    const below = view.module('POSIX')?.sum(['POSIX_BYTES_READ', 'POSIX_BYTES_WRITTEN']) ?? 0;
    // What goes through MPI-IO is counted once more by POSIX below it.
    const posix = below >= mpiio ? below - mpiio : below;
    const part = share(bytes, bytes + mpiio + posix);
    if (part <= interface_stdio) return undefined;
    const files = stdio.files((record): Amount => ({
      events: measured(record, ['STDIO_READS', 'STDIO_WRITES']),
      bytes: measured(record, STDIO_BYTES),
      timeNs: measured(record, STDIO_TIMES) * 1e9,
    }));
    return {
      message: say`${slot('bytes', bytes)} of ${slot('bytesOfRun', bytes + mpiio + posix)} (${slot('shareOfBytes', part)}) go through buffered streams (stdio), which copy everything once more and write in blocks of mostly ${slot('advisedSize', 4096)}.`,
      evidence: { bytes, share: part, timeNs: stdio.sum(STDIO_TIMES) * 1e9, files: files.count },
      files: files.files,
      amount: files.amount,
      recommendations: [
        {
          audience: 'code',
          text: 'Give the stream a larger buffer, or use write for bulk data.',
          snippet: streams.largerBuffer(),
          alternatives: languages.bufferedWriteIn(stdio.sum('STDIO_WRITES'), 4 << 20),
        },
        ...(view.processes > 1 ? [MPI_IO] : []),
      ],
    };
  },
};

const MPI_IO: Recommendation = {
  audience: 'code',
  text: 'In a parallel program use MPI-IO (or HDF5, NetCDF above it): it puts the requests of all processes together.',
  snippet: parallel.collectiveWrite(),
  alternatives: languages.collectiveIn('write'),
};

const mpiIoNotUsed: CounterTrigger = {
  kind: 'counters',
  code: 'M01',
  name: 'mpi-io-not-used',
  title: 'No MPI-IO',
  severity: 'warn',
  examine: (view) => {
    if (view.has('MPI-IO')) return undefined;
    const posix = view.module('POSIX');
    const shared = posix?.files((record) => {
      const whole = everything(record);
      return whole.events > 0 ? whole : undefined;
    }, 'shared');
    const { processes } = view;
    if (processes === 1) {
      const message = say`The program uses no MPI-IO; as a single process it does not need it.`;
      return { severity: 'info', message, evidence: { processes }, files: [] };
    }
    if (shared === undefined || shared.count === 0) {
      const message = say`The ${countOf('processes', processes, 'process', 'processes')} use no MPI-IO; no file is counted as one that all of them read or write through POSIX.`;
      return { severity: 'info', message, evidence: { processes }, files: [] };
    }
    return {
      message: say`${countOf('processes', processes, 'process', 'processes')} share ${countOf('files', shared.count, 'file')} without MPI-IO: nothing puts their requests together.`,
      evidence: { processes, files: shared.count },
      files: shared.files,
      amount: shared.amount,
      recommendations: [MPI_IO],
    };
  },
};

/** S01 and M01. */
export const INTERFACES: readonly CounterTrigger[] = [stdioHighUsage, mpiIoNotUsed];
