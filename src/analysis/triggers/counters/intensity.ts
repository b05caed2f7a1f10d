import { say, slot } from '../message.ts';
import { share } from '../catalogue/amounts.ts';
import type { CounterTrigger } from './counter-trigger.ts';

interface Comparison {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  /** Counters of the POSIX module. */
  readonly most: string;
  readonly least: string;
  readonly unit: 'Calls' | 'Bytes';
}

function more({ code, name, title, most, least, unit }: Comparison): CounterTrigger {
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
      const message = say`${title}: ${slot(`more${unit}`, a)} against ${slot(`less${unit}`, b)} (${slot('shareOfBoth', part)}).`;
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
    unit: 'Calls' as const,
  },
  {
    code: 'P02',
    name: 'posix-read-count-intensive',
    title: 'Mostly read calls',
    most: READS,
    least: WRITES,
    unit: 'Calls' as const,
  },
  {
    code: 'P03',
    name: 'posix-write-size-intensive',
    title: 'Mostly bytes written',
    most: BYTES_WRITTEN,
    least: BYTES_READ,
    unit: 'Bytes' as const,
  },
  {
    code: 'P04',
    name: 'posix-read-size-intensive',
    title: 'Mostly bytes read',
    most: BYTES_READ,
    least: BYTES_WRITTEN,
    unit: 'Bytes' as const,
  },
].map(more);
