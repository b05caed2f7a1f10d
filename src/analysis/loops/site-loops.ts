import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { loopAccess, type LoopAccess } from './loop-access.ts';
import type { CallPattern, LoopPattern, Pattern, StreamPattern } from './pattern.ts';

/** The loop that most of the reads, or of the writes, of a call site are made in. */
export interface SiteLoop extends LoopAccess {
  readonly iterations: number;
  /** Times that the loop itself is run, in all streams. */
  readonly runs: number;
  /** Reads or writes of the site in loops of this kind, in all streams, and in loops of any kind or none. */
  readonly inSuchLoops: number;
  readonly inAll: number;
}

export type SiteLoops = ReadonlyMap<string, SiteLoop>;

/** Key of what a site does in one direction; site NONE: in a file, where no site is known. */
export function siteLoopKey(site: number, file: number, direction: 'read' | 'write'): string {
  return `${direction} ${site === NONE ? `file ${String(file)}` : String(site)}`;
}

interface Tally {
  all: number;
  readonly byKind: Map<
    LoopAccess['kind'],
    { events: number; most: number; example: Omit<SiteLoop, 'inSuchLoops' | 'inAll'> }
  >;
}

/** The loops of all call sites that read or write. */
export function findSiteLoops(trace: Trace, found: readonly StreamPattern[], siteOfNode: Int32Array): SiteLoops {
  const tallies = new Map<string, Tally>();
  const search = new Search(trace, siteOfNode, tallies);
  for (const { patterns, streams } of found) search.visit(patterns, [], streams.length);
  const loops = new Map<string, SiteLoop>();
  for (const [key, { all, byKind }] of tallies) {
    const [largest] = [...byKind.values()].sort((a, b) => b.events - a.events);
    if (largest !== undefined) loops.set(key, { ...largest.example, inSuchLoops: largest.events, inAll: all });
  }
  return loops;
}

class Search {
  constructor(
    private readonly trace: Trace,
    private readonly siteOfNode: Int32Array,
    private readonly tallies: Map<string, Tally>,
  ) {}

  visit(patterns: readonly Pattern[], around: readonly LoopPattern[], streams: number): void {
    const inner = around.at(-1);
    for (const pattern of patterns) {
      if (pattern.kind === 'loop') this.visit(pattern.body, [...around, pattern], streams);
      else if (pattern.kind === 'call') this.visitCall(pattern, inner, around, streams);
    }
  }

  private visitCall(
    call: CallPattern,
    inner: LoopPattern | undefined,
    around: readonly LoopPattern[],
    streams: number,
  ): void {
    const key = this.keyOf(call);
    if (key === undefined) return;
    const tally = this.tallies.get(key) ?? { all: 0, byKind: new Map() };
    this.tallies.set(key, tally);
    tally.all += call.events;
    if (call.count > 1) {
      const runs = around.reduce((product, { count }) => product * count, streams);
      this.add(tally, call, { ...repeatedCall(call), iterations: call.count, runs });
      return;
    }
    if (inner === undefined) return;
    const access = loopAccess(this.trace, inner, around.length - 1, (other) => this.keyOf(other) === key);
    const runs = around.slice(0, -1).reduce((product, { count }) => product * count, streams);
    if (access !== undefined) this.add(tally, call, { ...access, iterations: inner.count, runs });
  }

  private add(tally: Tally, call: CallPattern, example: Omit<SiteLoop, 'inSuchLoops' | 'inAll'>): void {
    const known = tally.byKind.get(example.kind);
    if (known === undefined) {
      tally.byKind.set(example.kind, { events: call.events, most: call.events, example });
      return;
    }
    known.events += call.events;
    if (call.events <= known.most) return;
    known.most = call.events;
    known.example = example;
  }

  private keyOf({ call, stack, file }: CallPattern): string | undefined {
    const operation = this.trace.calls.operation[call]!;
    if (operation !== OPERATION.read && operation !== OPERATION.write) return undefined;
    const site = stack === NONE ? NONE : (this.siteOfNode[stack] ?? NONE);
    if (site === NONE && typeof file !== 'number') return undefined;
    return siteLoopKey(site, typeof file === 'number' ? file : NONE, operation === OPERATION.read ? 'read' : 'write');
  }
}

/** One call again and again: behind the last, or at a place that is named and stays the same. */
function repeatedCall({ offset, requested, flags }: CallPattern): LoopAccess {
  const follows = offset === undefined || (flags & EVENT_FLAGS.append) !== 0;
  const bytes = requested?.base ?? 0;
  return { kind: follows ? 'contiguous' : 'repeated', stepBytes: follows ? bytes : 0, transfers: 1, bytes };
}
