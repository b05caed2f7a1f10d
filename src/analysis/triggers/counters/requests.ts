import { countOf, say, slot } from '../message.ts';
import { share } from '../catalogue/amounts.ts';
import { isMadeByLibrary, type Recommendation } from '../insight.ts';
import { aggregatorHints } from '../job-snippets.ts';
import * as languages from '../language-snippets.ts';
import { collectiveHdf5 } from '../library-advice.ts';
import * as parallel from '../parallel-snippets.ts';
import * as snippets from '../snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import { withoutGaps } from './data-sieving.ts';
import { DESCRIPTION, filesReadForWrites, isCollective, READS, WRITES } from './mpi-io-counters.ts';
import type { RecordSet } from './module-view.ts';
import {
  measured,
  READ,
  smallSizes,
  timeOf,
  transfer,
  WRITE,
  type Direction,
  largestCounted,
} from './posix-counters.ts';

interface Kind {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  readonly direction: Direction;
  readonly over: RecordSet;
  readonly recommend: (view: CounterView, small: Small) => readonly Recommendation[];
}

/** What is small. */
interface Small {
  readonly count: number;
  readonly meanBytes: number;
  /** All that makes them small is that the bound lies above what file systems move at once. */
  readonly isByBoundAlone: boolean;
}

/** Drishti calls a request of 1 MiB small, which is what many file systems move at once. What is larger than this is small by name alone. */
const SMALL_INDEED = 100 << 10;

function small({ code, name, title, direction, over, recommend }: Kind): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'high',
    module: 'POSIX',
    examine: (view, { small_bytes, small_requests, small_requests_absolute }) => {
      const posix = view.module('POSIX');
      if (posix === undefined) return undefined;
      const counters = smallSizes(direction, small_bytes);
      const count = posix.sum(counters, over);
      const all = posix.sum(direction.calls, over);
      const part = share(count, all);
      if (part <= small_requests || count <= small_requests_absolute) return undefined;
      const files = posix.files((record) => transfer(record, direction, measured(record, counters)), over);
      const meanBytes = share(posix.sum(direction.bytes, over), all);
      // Of one process Darshan says that it shares all its files.
      const isAlone = view.processes === 1;
      const where = over === 'shared' && !isAlone ? ' of files that all processes share' : '';
      const smaller = share(posix.sum(smallSizes(direction, SMALL_INDEED), over), all);
      const isByBoundAlone = small_bytes > SMALL_INDEED && smaller <= small_requests;
      const rest = isByBoundAlone
        ? say` Of all, ${slot('shareOfCallsBelow', smaller)} are of ${slot('largestCountedBelow', SMALL_INDEED)} or less.`
        : '';
      const own = direction.verb === 'read' ? readsForWrites(view, counters, over) : 0;
      const byLibrary =
        own > 0 ? say` MPI-IO makes ${slot('lowerReads', own)} of them by itself, before it writes.` : [];
      const evidence = {
        count,
        share: part,
        calls: all,
        meanBytes,
        timeNs: timeOf(posix, direction, over),
        files: files.count,
        ...(own > 0 && { readsForWrites: own }),
      };
      const advice = isMadeByLibrary({ evidence })
        ? withoutGaps(view)
        : recommend(view, { count, meanBytes, isByBoundAlone });
      return {
        ...(over === 'shared' && isAlone && { severity: 'info' as const }),
        message: say`${slot('calls', count)} of ${countOf('accesses', all, direction.verb)}${where} (${slot('shareOfCalls', part)}) move at most ${slot('largestCounted', largestCounted(small_bytes))}; the mean of all is ${slot('meanSizeOfAll', Math.round(meanBytes))}. They are to ${countOf('files', files.count, 'file')}.${rest}${byLibrary}`,
        evidence,
        files: files.files,
        amount: files.amount,
        recommendations: over === 'shared' && isAlone ? [] : advice,
      };
    },
  };
}

/** Of the small reads those of files that the program only writes. */
function readsForWrites(view: CounterView, counters: readonly string[], over: RecordSet): number {
  const files = filesReadForWrites(view);
  let sum = 0;
  if (files.size > 0)
    view.module('POSIX')?.forEach((record) => {
      if (files.has(record.id)) sum += measured(record, counters);
    }, over);
  return sum;
}

/** Numbers in examples are of this run; a mean of nothing is none. */
function median(meanBytes: number): number {
  return Math.max(1, Math.round(meanBytes));
}

function largerReads(view: CounterView, small: Small): Recommendation[] {
  const { count, meanBytes } = small;
  if (areByCollectives(view, 'read', small)) return [largerStripes('read')];
  const size = median(meanBytes);
  return [
    {
      audience: 'code',
      text: 'Read larger, contiguous pieces: through a buffer, or many records with one call.',
      snippet: snippets.bufferedRead(count, size),
      alternatives: languages.bufferedReadIn(count, snippets.bufferSize(size)),
    },
    ...together(view, 'read', small),
  ];
}

function largerWrites(view: CounterView, small: Small): Recommendation[] {
  const { count, meanBytes } = small;
  if (areByCollectives(view, 'write', small)) return [largerStripes('write')];
  const size = median(meanBytes);
  return [
    {
      audience: 'code',
      text: 'Collect records in a buffer and write it when it is full; do not flush after each of them.',
      snippet: snippets.bufferedWrite(count, size),
      alternatives: languages.bufferedWriteIn(count, snippets.bufferSize(size)),
    },
    ...together(view, 'write', small),
  ];
}

function together(view: CounterView, direction: 'read' | 'write', small: Small): Recommendation[] {
  if (view.processes === 1) return [];
  if (areByCollectives(view, direction, small)) return [largerStripes(direction)];
  if (isCollective(view, direction === 'read' ? READS : WRITES)) return [buffering(view, direction)];
  if (view.usesHdf5)
    return [...(direction === 'read' && isLikeMetadata(view) ? [HDF5_METADATA] : []), collectiveHdf5(direction)];
  const text = view.has('MPI-IO')
    ? `The program uses MPI-IO already: collective calls (MPI_File_${direction}_all, MPI_File_${direction}_at_all) make few large requests of the small ones of all processes.`
    : `With MPI-IO, collective calls (MPI_File_${direction}_at_all) make few large requests of the small ones of all processes.`;
  return [collective(text, direction)];
}

/** Several processes read an HDF5 file by single small calls of MPI-IO, mostly: so each reads the metadata for itself. */
function isLikeMetadata(view: CounterView): boolean {
  const [posix, mpi] = [view.module('POSIX'), view.module('MPI-IO')];
  if (posix === undefined || mpi === undefined) return false;
  const isMostlyAlone = mpi.sum(READS.independent) > mpi.sum([READS.collective, READS.split]);
  return isMostlyAlone && share(posix.sum(smallSizes(READ, DESCRIPTION)), posix.sum(READ.calls)) > 0.5;
}

const HDF5_METADATA: Recommendation = {
  audience: 'code',
  text: "Where each process reads HDF5's metadata for itself (headers of objects, attributes, indices of chunks, all in small pieces): let one read it and hand it to all.",
  snippet: parallel.hdf5CollectiveMetadata(),
  alternatives: languages.hdf5CollectiveMetadataIn(),
};

/** Collective calls that nobody joins, or small requests that do not come from them. */
function buffering(view: CounterView, direction: 'read' | 'write'): Recommendation {
  return {
    audience: 'job',
    text: `The ${direction}s through MPI-IO are collective already. If the small requests are theirs, collective buffering is off: turn it on, so that one process of each node makes large requests for the others.`,
    snippet: aggregatorHints(view.nodes, [direction]),
  };
}

/** Requests that are small by name alone, where all processes move them together. */
function areByCollectives(view: CounterView, direction: 'read' | 'write', { isByBoundAlone }: Small): boolean {
  return view.processes > 1 && isByBoundAlone && isCollective(view, direction === 'read' ? READS : WRITES);
}

/** What collective buffering moves at once is no larger than a stripe or its buffer. */
function largerStripes(direction: 'read' | 'write'): Recommendation {
  return {
    audience: 'job',
    text: `The ${direction}s through MPI-IO are collective already, and requests of this size may be what collective buffering makes of them: on Lustre they end where a stripe does. Larger stripes (lfs setstripe -S), with a buffer that holds them (the hint cb_buffer_size), make larger requests.`,
  };
}

function collective(text: string, direction: 'read' | 'write'): Recommendation {
  return {
    audience: 'code',
    text,
    snippet: direction === 'read' ? parallel.collectiveRead() : parallel.collectiveWrite(),
    alternatives: languages.collectiveIn(direction),
  };
}

/** P05 and P06. */
export const SMALL_REQUESTS: readonly CounterTrigger[] = [
  {
    code: 'P05',
    name: 'posix-small-reads',
    title: 'Many small reads',
    direction: READ,
    over: 'all' as const,
    recommend: largerReads,
  },
  {
    code: 'P06',
    name: 'posix-small-writes',
    title: 'Many small writes',
    direction: WRITE,
    over: 'all' as const,
    recommend: largerWrites,
  },
].map(small);

/** P15 and P16: the same for files that all processes share. */
export const SMALL_SHARED_REQUESTS: readonly CounterTrigger[] = [
  {
    code: 'P15',
    name: 'posix-small-reads-shared',
    title: 'Many small reads of shared files',
    direction: READ,
    over: 'shared' as const,
    recommend: (view: CounterView, small: Small) => together(view, 'read', small),
  },
  {
    code: 'P16',
    name: 'posix-small-writes-shared',
    title: 'Many small writes to shared files',
    direction: WRITE,
    over: 'shared' as const,
    recommend: (view: CounterView, small: Small) => together(view, 'write', small),
  },
].map(small);
