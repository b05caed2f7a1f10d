import { countOf, say, slot } from '../message.ts';
import { share } from '../catalogue/amounts.ts';
import type { Amount, Recommendation } from '../insight.ts';
import * as parallel from '../parallel-snippets.ts';
import * as snippets from '../snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { RecordView } from './module-view.ts';
import { filesReadForWrites } from './mpi-io-counters.ts';
import { known, READ, WRITE, type Direction } from './posix-counters.ts';

/**
 * Bytes that must have been moved more than once: more than there are up to the last one. Each process may have to read
 * all of a file; written it needs to be once, whoever does it.
 *
 * @returns 0 when nothing is known to be redundant.
 */
function redundantBytes(record: RecordView, direction: Direction, processes: number): number {
  const bytes = known(record.get(direction.bytes));
  const last = record.get(direction.lastByte);
  if (bytes === 0 || Number.isNaN(last)) return 0;
  const readers = record.rank === -1 && direction.verb === 'read' ? processes : 1;
  return Math.max(0, bytes - readers * (last + 1));
}

interface Kind {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  readonly direction: Direction;
  readonly recommendations: readonly Recommendation[];
}

function redundant({ code, name, title, direction, recommendations }: Kind): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'warn',
    module: 'POSIX',
    examine: (view, { redundant_share, site_share }) => {
      const posix = view.module('POSIX');
      if (posix === undefined) return undefined;
      let bytes = 0;
      let timeNs = 0;
      const forWrites = direction.verb === 'read' ? filesReadForWrites(view) : undefined;
      const files = posix.files((record): Amount | undefined => {
        if (forWrites?.has(record.id) === true) return undefined;
        const more = redundantBytes(record, direction, view.processes);
        if (more === 0) return undefined;
        bytes += more;
        const ns = known(record.get(direction.time)) * 1e9;
        timeNs += ns;
        return { events: known(record.get(direction.calls)), bytes: more, timeNs: ns };
      });
      const part = share(bytes, posix.sum(direction.bytes));
      // A header that is written again at the end is no finding.
      if (part <= site_share) return undefined;
      const past = direction.verb === 'read' ? 'read' : 'written';
      return {
        severity: part > redundant_share ? 'warn' : 'info',
        message: say`At least ${slot('bytesAgain', bytes)} (${slot('shareAgain', part)} of what is ${past}) are ${past} more than once: ${countOf('files', files.count, 'file has', 'files have')} more bytes ${past} than there are up to the last one.`,
        evidence: { bytes, share: part, timeNs, files: files.count },
        files: files.files,
        amount: files.amount,
        recommendations,
      };
    },
  };
}

/** P09 and P10. */
export const TRAFFIC: readonly CounterTrigger[] = [
  {
    code: 'P09',
    name: 'posix-redundant-reads',
    title: 'Bytes that are read again',
    direction: READ,
    recommendations: [
      {
        audience: 'code' as const,
        text: 'Keep what was read in memory; in a parallel program let one process read what all need, and broadcast it.',
        snippet: snippets.keptInMemory(NaN),
        alternatives: [parallel.readAndBroadcast(), parallel.readAndBroadcastPython()],
      },
    ],
  },
  {
    code: 'P10',
    name: 'posix-redundant-writes',
    title: 'Bytes that are written again',
    direction: WRITE,
    recommendations: [
      {
        audience: 'code' as const,
        text: 'Write each part once, when it is complete: keep headers and counters in memory until the end, and let no two processes write the same block.',
        snippet: snippets.headerLast(),
      },
    ],
  },
].map(redundant);
