import type { SiteIndex } from '../sites/call-sites.ts';
import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, Indices } from '../../trace/indices.ts';
import { foldStreams } from './find-loops.ts';
import { gatherCalls } from './gather-calls.ts';
import { loopAccess, type LoopAccess } from './loop-access.ts';
import type { LoopOptions } from './loop-options.ts';
import type { CallPattern, LoopPattern, Pattern } from './pattern.ts';

/** The loop that most of the reads, or of the writes, of a call site are made in. */
export interface SiteLoop extends LoopAccess {
  readonly iterations: number;
  /** Times that the loop itself is run, in all streams. */
  readonly runs: number;
  /** Reads or writes of the site in loops of this kind, in all streams, and in loops of any kind or none. */
  readonly inSuchLoops: number;
  readonly inAll: number;
  /** Calls of the recording that were looked at; absent where these are all. */
  readonly among?: number;
}

export type SiteLoops = ReadonlyMap<string, SiteLoop>;

/** Key of what a site does in one direction; site NONE: in a file, where no site is known. */
export function siteLoopKey(site: SiteIndex, file: FileIndex, direction: 'read' | 'write'): string {
  return `${direction} ${site === NONE ? `file ${String(file)}` : String(site)}`;
}

type Shape = Omit<SiteLoop, 'inSuchLoops' | 'inAll' | 'among'>;

/** Loops of one kind: by their iterations and what each does, wherever in the program's run they stand. */
interface KindTally {
  events: number;
  readonly shapes: Map<string, { events: number; runs: number; readonly shape: Shape }>;
}

interface Tally {
  all: number;
  readonly byKind: Map<LoopAccess['kind'], KindTally>;
}

/**
 * The loops of all call sites that read or write. Streams are not grouped: what each does counts by itself.
 * @param options `mostCalls` bounds the time that it takes.
 */
export function findSiteLoops(
  trace: Trace,
  options: LoopOptions & { readonly siteOfNode: Indices<SiteIndex> },
): SiteLoops {
  const tallies = new Map<string, Tally>();
  const search = new Search(trace, options.siteOfNode, tallies);
  const gathered = gatherCalls(trace, options);
  let calls = 0;
  foldStreams(trace, gathered, options, (_, patterns, length) => {
    search.visit(patterns, []);
    calls += length;
  });
  const part = gathered.leftOut > 0 ? { among: calls } : {};
  const loops = new Map<string, SiteLoop>();
  for (const [key, { all, byKind }] of tallies) {
    const [largest] = [...byKind.values()].sort((a, b) => b.events - a.events);
    const [commonest] = [...(largest?.shapes.values() ?? [])].sort((a, b) => b.events - a.events);
    if (largest === undefined || commonest === undefined) continue;
    const { shape, runs } = commonest;
    loops.set(key, { ...shape, runs, inSuchLoops: largest.events, inAll: all, ...part });
  }
  return loops;
}

class Search {
  constructor(
    private readonly trace: Trace,
    private readonly siteOfNode: Indices<SiteIndex>,
    private readonly tallies: Map<string, Tally>,
  ) {}

  visit(patterns: readonly Pattern[], around: readonly LoopPattern[]): void {
    const inner = around.at(-1);
    for (const pattern of patterns) {
      if (pattern.kind === 'loop') this.visit(pattern.body, [...around, pattern]);
      else if (pattern.kind === 'call') this.visitCall(pattern, inner, around);
    }
  }

  private visitCall(call: CallPattern, inner: LoopPattern | undefined, around: readonly LoopPattern[]): void {
    const key = this.keyOf(call);
    if (key === undefined) return;
    const tally = this.tallies.get(key) ?? { all: 0, byKind: new Map() };
    this.tallies.set(key, tally);
    tally.all += call.events;
    if (call.count > 1) {
      const runs = around.reduce((product, { count }) => product * count, 1);
      this.add(tally, call, { ...repeatedCall(call), iterations: call.count, runs });
      return;
    }
    if (inner === undefined) return;
    const access = loopAccess(this.trace, inner, around.length - 1, (other) => this.keyOf(other) === key);
    const runs = around.slice(0, -1).reduce((product, { count }) => product * count, 1);
    if (access !== undefined) this.add(tally, call, { ...access, iterations: inner.count, runs });
  }

  private add(tally: Tally, { events }: CallPattern, shape: Shape): void {
    const kind: KindTally = tally.byKind.get(shape.kind) ?? { events: 0, shapes: new Map() };
    tally.byKind.set(shape.kind, kind);
    kind.events += events;
    const { iterations, transfers, bytes, stepBytes, runs } = shape;
    const key = `${iterations} ${transfers} ${bytes} ${stepBytes}`;
    const known = kind.shapes.get(key) ?? { events: 0, runs: 0, shape };
    kind.shapes.set(key, known);
    known.events += events;
    known.runs += runs;
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
