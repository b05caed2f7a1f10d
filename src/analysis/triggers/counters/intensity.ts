import { formatBytes, formatCount, formatShare } from '../../../base/quantities.ts';
import { share } from '../catalogue/amounts.ts';
import type { CounterTrigger } from './counter-trigger.ts';

interface Comparison {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  /** Counters of the POSIX module. */
  readonly most: string;
  readonly least: string;
  readonly format: (amount: number) => string;
}

function more({ code, name, title, most, least, format }: Comparison): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'info',
    module: 'POSIX',
    examine: (view, { imbalance_operations }) => {
      const posix = view.module('POSIX');
      if (posix === undefined) return undefined;
      const [a, b] = [posix.sum(most), posix.sum(least)];
      if (a <= b || share(a - b, a + b) <= imbalance_operations) return undefined;
      const part = share(a, a + b);
      const message = `${title}: ${format(a)} against ${format(b)} (${formatShare(part)}).`;
      return { message, evidence: { most: a, least: b, share: part }, files: [] };
    },
  };
}

const READS = 'POSIX_READS';
const WRITES = 'POSIX_WRITES';
const BYTES_READ = 'POSIX_BYTES_READ';
const BYTES_WRITTEN = 'POSIX_BYTES_WRITTEN';

/** What kind of I/O the job does: P01 to P04. */
export const INTENSITIES: readonly CounterTrigger[] = [
  {
    code: 'P01',
    name: 'posix-write-count-intensive',
    title: 'Mostly write calls',
    most: WRITES,
    least: READS,
    format: formatCount,
  },
  {
    code: 'P02',
    name: 'posix-read-count-intensive',
    title: 'Mostly read calls',
    most: READS,
    least: WRITES,
    format: formatCount,
  },
  {
    code: 'P03',
    name: 'posix-write-size-intensive',
    title: 'Mostly bytes written',
    most: BYTES_WRITTEN,
    least: BYTES_READ,
    format: formatBytes,
  },
  {
    code: 'P04',
    name: 'posix-read-size-intensive',
    title: 'Mostly bytes read',
    most: BYTES_READ,
    least: BYTES_WRITTEN,
    format: formatBytes,
  },
].map(more);
