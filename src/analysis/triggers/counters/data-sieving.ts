import { NOTHING, share } from '../catalogue/amounts.ts';
import { severityOfShare, type Amount, type Recommendation } from '../insight.ts';
import * as languages from '../language-snippets.ts';
import { hasNoGaps, READ_FOR_NOTHING } from '../library-advice.ts';
import { countOf, say, slot } from '../message.ts';
import * as parallel from '../parallel-snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import { collectiveFiles, filesReadForWrites, WRITES } from './mpi-io-counters.ts';
import { measured, READ, WRITE } from './posix-counters.ts';

const TIMES = [READ.time, WRITE.time, 'POSIX_F_META_TIME'];

/** Bytes written below for each that the program writes, from which on gaps are worth a word. */
const MORE_BYTES = 1.1;
/** Share of the I/O time from which on sieving is no matter of course, however much of it is used. */
const DEAR = 0.1;

/** What to do about reads that MPI-IO makes before it writes. */
export function withoutGaps(view: CounterView): readonly Recommendation[] {
  const together = collectiveFiles(view, WRITES);
  const sieved = sievedOf(view, filesReadForWrites(view));
  if (hasNoGaps(sieved.writes.bytes, sieved.asked)) return [READ_FOR_NOTHING];
  const isCollective = [...filesReadForWrites(view)].every((file) => together.has(file));
  const whole: Recommendation = {
    audience: 'code',
    text: 'Let what one collective call writes lie side by side in the file: several variables or time steps with one call (with PnetCDF: ncmpi_iput_… for each, and one ncmpi_wait_all), or a layout in which the parts of the processes meet. Without gaps nothing is read first.',
  };
  if (isCollective) return [whole];
  const collective: Recommendation = {
    audience: 'code',
    text: 'Write collectively (MPI_File_write_all, MPI_File_write_at_all): the pieces of the other processes fill the gaps, and nothing need be read first. Or try the single calls without data sieving (the hint romio_ds_write=disable): each piece is then a write by itself.',
    snippet: parallel.collectiveWrite(),
    alternatives: languages.collectiveIn('write'),
  };
  return [collective, whole];
}

/** Written through MPI-IO, and read and written below by POSIX. */
interface Sieved {
  readonly reads: Amount;
  readonly writes: Amount;
  /** Bytes that the program asked to be written. */
  readonly asked: number;
}

function sievedOf(view: CounterView, files: ReadonlySet<bigint>): Sieved {
  const reads: Amount = { ...NOTHING };
  const writes: Amount = { ...NOTHING };
  let asked = 0;
  view.module('POSIX')?.forEach((record) => {
    if (!files.has(record.id)) return;
    for (const [sum, direction] of [
      [reads, READ],
      [writes, WRITE],
    ] as const) {
      sum.events += measured(record, [direction.calls]);
      sum.bytes += measured(record, [direction.bytes]);
      sum.timeNs += measured(record, [direction.time]) * 1e9;
    }
  });
  view.module('MPI-IO')?.forEach((record) => {
    if (files.has(record.id)) asked += measured(record, [WRITES.bytes]);
  });
  return { reads, writes, asked };
}

/**
 * Reads of files that the program only writes: ROMIO reads what lies between the pieces of a write, and writes all of it
 * (Thakur, Gropp, Lusk: Data Sieving and Collective I/O in ROMIO). Told by its traces in the layers' calls, where these
 * were recorded.
 */
export const SIEVED_WRITES: CounterTrigger = {
  kind: 'counters',
  code: 'L22',
  name: 'data-sieving',
  title: 'Accesses with gaps are served by larger ones (data sieving)',
  severity: 'high',
  module: 'MPI-IO',
  examine: (view, { site_events, site_share, sieving_efficiency }) => {
    const posix = view.module('POSIX');
    const files = filesReadForWrites(view);
    if (posix === undefined || files.size === 0) return undefined;
    const { reads, writes, asked } = sievedOf(view, files);
    const part = share(reads.timeNs, posix.sum(TIMES) * 1e9);
    if (reads.events < site_events || part < site_share || asked === 0) return undefined;
    const found = posix.files((record): Amount | undefined =>
      files.has(record.id) && measured(record, [READ.calls]) > 0
        ? {
            events: measured(record, [READ.calls]),
            bytes: measured(record, [READ.bytes]),
            timeNs: measured(record, [READ.time]) * 1e9,
          }
        : undefined,
    );
    const hasGaps = !hasNoGaps(writes.bytes, asked);
    const efficiency = asked / (reads.bytes + writes.bytes);
    const isGood = hasGaps && efficiency >= sieving_efficiency && part < DEAR;
    const why = hasGaps ? 'for what lies between the pieces (data sieving)' : 'although no gap is among what it writes';
    const back =
      writes.bytes > MORE_BYTES * asked
        ? say`, and writes ${slot('lowerWrittenBytes', writes.bytes)}, gaps and all`
        : [];
    return {
      severity: isGood ? 'ok' : severityOfShare(part),
      message: say`The program only writes ${slot('upperBytes', asked)} to ${countOf('files', found.count, 'file')} through MPI-IO. Below, between its writes, MPI-IO makes ${countOf('lowerReads', reads.events, 'read')} of ${slot('lowerReadBytes', reads.bytes)} ${why}${back}; the reads ${{ amount: reads, shareOfTime: part }}.`,
      evidence: {
        count: reads.events,
        usefulBytes: asked,
        efficiency,
        lowerReads: reads.events,
        lowerReadBytes: reads.bytes,
        lowerWrites: writes.events,
        lowerWrittenBytes: writes.bytes,
        timeNs: reads.timeNs,
        share: part,
      },
      files: found.files,
      recommendations: isGood ? [] : withoutGaps(view),
    };
  },
};
