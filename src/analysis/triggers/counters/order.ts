import { countOf, say, slot } from '../message.ts';
import { share } from '../catalogue/amounts.ts';
import type { Recommendation } from '../insight.ts';
import * as snippets from '../snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import type { RecordView } from './module-view.ts';
import { known, READ, transfer, WRITE, type Direction } from './posix-counters.ts';
import type { Thresholds } from '../thresholds.ts';

/**
 * Calls of a record that go back or to the same place: what Darshan counts as not sequential, less the first access of each
 * process, which it never counts as sequential when it is at the beginning of the file.
 */
function randomCalls(record: RecordView, direction: Direction, processes: number): number {
  const calls = known(record.get(direction.calls));
  const notSequential = calls - known(record.get(direction.sequential));
  const first = record.rank === -1 ? processes : 1;
  return Math.max(0, notSequential - first);
}

interface Order {
  readonly calls: number;
  readonly consecutive: number;
  /** Behind the last access, with a gap. */
  readonly sequential: number;
  readonly random: number;
  /** As Drishti counts: first accesses among them. */
  readonly notSequential: number;
}

function orderOf(view: CounterView, direction: Direction): Order | undefined {
  const posix = view.module('POSIX');
  if (posix === undefined) return undefined;
  const calls = posix.sum(direction.calls);
  const consecutive = posix.sum(direction.consecutive);
  const sequential = posix.sum(direction.sequential);
  let random = 0;
  posix.forEach((record) => (random += randomCalls(record, direction, view.processes)));
  return { calls, consecutive, sequential: sequential - consecutive, random, notSequential: calls - sequential };
}

function isRandom({ calls, random }: Order, { random_operations, random_operations_absolute }: Thresholds): boolean {
  return share(random, calls) > random_operations && random > random_operations_absolute;
}

interface Kind {
  readonly direction: Direction;
  readonly recommend: (count: number) => readonly Recommendation[];
}

function randomAccess(code: string, name: string, title: string, { direction, recommend }: Kind): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'high',
    module: 'POSIX',
    examine: (view, thresholds) => {
      const order = orderOf(view, direction);
      if (order === undefined || !isRandom(order, thresholds)) return undefined;
      const { calls, random, notSequential } = order;
      const part = share(random, calls);
      const files = view
        .module('POSIX')!
        .files((record) => transfer(record, direction, randomCalls(record, direction, view.processes)));
      return {
        message: say`At least ${countOf('calls', random, direction.verb)} of ${countOf('accesses', calls, direction.verb)} (${slot('shareOfCalls', part)}) go back in the file, or to the same place again.`,
        evidence: { count: random, share: part, calls, notSequential, files: files.count },
        files: files.files,
        amount: files.amount,
        recommendations: recommend(random),
      };
    },
  };
}

function inOrder(code: string, name: string, title: string, direction: Direction): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'ok',
    module: 'POSIX',
    examine: (view, thresholds) => {
      const order = orderOf(view, direction);
      if (order === undefined || order.calls === 0 || isRandom(order, thresholds)) return undefined;
      const { calls, consecutive, sequential, notSequential } = order;
      const parts = [consecutive, sequential, notSequential].map((count) => share(count, calls));
      return {
        // Drishti praises a handful of calls all at random too.
        severity: parts[2]! > thresholds.random_operations ? 'info' : 'ok',
        message: say`${countOf('accesses', calls, direction.verb)}: ${slot('shareConsecutive', parts[0]!)} consecutive, ${slot('shareFurtherOn', parts[1]!)} further on in the file, ${slot('shareOfOthers', parts[2]!)} neither (the first of each file among these).`,
        evidence: { calls, consecutive: parts[0]!, sequential: parts[1]!, share: parts[2]! },
        files: [],
      };
    },
  };
}

/** P11 to P14. */
export const ORDERS: readonly CounterTrigger[] = [
  randomAccess('P11', 'posix-random-reads', 'Reads all over the file', {
    direction: READ,
    recommend: (count) => [
      {
        audience: 'code',
        text: 'Read in the order of the file: sort the places first, store together what is read together, or map the file once.',
        snippet: snippets.sortedReads(count),
        alternatives: [snippets.mappedReads()],
      },
    ],
  }),
  inOrder('P12', 'posix-sequential-reads', 'Order of the reads', READ),
  randomAccess('P13', 'posix-random-writes', 'Writes all over the file', {
    direction: WRITE,
    recommend: () => [
      {
        audience: 'code',
        text: 'Put blocks together in memory and write them in the order of the file, or write collectively.',
        snippet: snippets.transposedWrite(),
      },
    ],
  }),
  inOrder('P14', 'posix-sequential-writes', 'Order of the writes', WRITE),
];
