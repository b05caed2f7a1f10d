import { getOrCreate } from '../../base/grouping.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import { OPERATION } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, Indices, StreamIndex } from '../../trace/indices.ts';
import { foldStreams } from './find-loops.ts';
import { SHAPE } from './call-sequence.ts';
import { gatherCalls, type GatheredCalls } from './gather-calls.ts';
import { loopAccesses, repeatedCall, type LoopAccess } from './loop-access.ts';
import type { LoopOptions } from './loop-options.ts';
import type { CallPattern, LoopPattern, Pattern } from './pattern.ts';

/**
 * The loop that most of the reads, or of the writes, of a call site are made in. What one iteration does is the same
 * wherever in the program's run it stands, and however often.
 */
export interface SiteLoop extends LoopAccess {
  /** Iterations of its longest run, of its shortest, and of all. */
  readonly iterations: number;
  readonly fewestIterations: number;
  readonly allIterations: number;
  /** Times that the loop itself is run, in all streams. */
  readonly runs: number;
  /** Reads or writes of the site in this loop, in all streams, and in any loop or none. */
  readonly inLoop: number;
  readonly inAll: number;
  /** Calls of the recording that were looked at; absent where these are all. */
  readonly among?: number;
}

export type SiteLoops = ReadonlyMap<string, SiteLoop>;

/** What a site does in one direction; site NONE: in a file, where no site is known. */
export interface LoopPlace {
  readonly site: SiteIndex;
  readonly file: FileIndex;
  readonly direction: 'read' | 'write';
}

export function siteLoopKey({ site, file, direction }: LoopPlace): string {
  return `${direction} ${site === NONE ? `file ${String(file)}` : String(site)}`;
}

/** Runs of a loop: how each iteration lies, and how many there are. */
type LoopRuns = Pick<SiteLoop, 'iterations' | 'fewestIterations' | 'allIterations' | 'runs' | 'inLoop'> & {
  readonly access: LoopAccess;
};

interface Tally {
  all: number;
  /** By what one iteration does. */
  readonly loops: Map<string, LoopRuns>;
}

/** Twice is a loop only where there is none around it. */
const FEWEST_REPEATS = 3;

interface SiteLoopOptions extends LoopOptions {
  readonly siteOfNode: Indices<SiteIndex>;
  /** Whose loops are wanted; of all that read or write when it is undefined. */
  readonly places?: readonly LoopPlace[];
}

/**
 * The loops of call sites that read or write. Streams are not grouped: what each does counts by itself, and one that does
 * nothing at the places that are wanted is not looked at.
 * @param options `mostCalls` bounds the time that it takes.
 */
export function findSiteLoops(trace: Trace, options: SiteLoopOptions): SiteLoops {
  const tallies = new Map<string, Tally>();
  const gathered = gatherCalls(trace, options);
  const wanted = options.places === undefined ? undefined : new WantedPlaces(trace, gathered, options.places);
  const search = new Search(trace, options.siteOfNode, tallies, wanted);
  foldStreams(trace, gathered, { ...options, takes: (stream) => wanted?.areIn(stream) !== false }, (_, patterns) => {
    search.visit(patterns, []);
  });
  const calls = gathered.end.reduce((sum, end, stream) => sum + end - gathered.first[stream]!, 0);
  const part = gathered.leftOut > 0 ? { among: calls } : {};
  const found = new Map<string, SiteLoop>();
  for (const [key, { all, loops }] of tallies) {
    const [commonest] = [...loops.values()].sort((a, b) => b.inLoop - a.inLoop);
    if (commonest === undefined) continue;
    const { access, ...runs } = commonest;
    found.set(key, { ...access, ...runs, inAll: all, ...part });
  }
  return found;
}

/** The places that somebody asks for, and the streams that do something there. */
class WantedPlaces {
  private readonly keys: ReadonlySet<string>;
  /** Files whose names differ in a number are one in a shape: all of them are wanted then. */
  private readonly groups: ReadonlySet<string>;
  /** Of each shape whether it may be at one of the places. */
  private readonly ofShape = new Map<number, boolean>();

  constructor(
    private readonly trace: Trace,
    private readonly gathered: GatheredCalls,
    places: readonly LoopPlace[],
  ) {
    const { groupOf } = gathered.files;
    const inFiles = places.filter(({ site, file }) => site === NONE && file !== NONE);
    this.keys = new Set(places.map(siteLoopKey));
    this.groups = new Set(inFiles.map(({ file, direction }) => `${direction} ${groupOf[file]!}`));
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }

  areIn(stream: StreamIndex): boolean {
    const { calls, first, end } = this.gathered;
    for (let at = first[stream]!; at < end[stream]!; at++)
      if (getOrCreate(this.ofShape, calls.shape.at(at), () => this.mayBeAt(calls.shapeOf(at)))) return true;
    return false;
  }

  private mayBeAt(field: (field: number) => number): boolean {
    const operation = this.trace.calls.operation[field(SHAPE.call)];
    if (field(SHAPE.kind) !== 0 || (operation !== OPERATION.read && operation !== OPERATION.write)) return false;
    const [site, file] = [field(SHAPE.site), field(SHAPE.file)];
    const direction = operation === OPERATION.read ? 'read' : 'write';
    if (site === NONE && file < NONE) return this.groups.has(`${direction} ${-2 - file}`);
    return this.keys.has(siteLoopKey({ site, file, direction }));
  }
}

class Search {
  constructor(
    private readonly trace: Trace,
    private readonly siteOfNode: Indices<SiteIndex>,
    private readonly tallies: Map<string, Tally>,
    private readonly wanted: WantedPlaces | undefined,
  ) {}

  visit(patterns: readonly Pattern[], around: readonly LoopPattern[]): void {
    const inner = around.at(-1);
    const outside = around.slice(0, -1);
    /** Calls that are made once in each iteration of the loop around them, or nearly so. */
    const single = new Map<string, number>();
    for (const pattern of patterns) {
      if (pattern.kind === 'loop') this.visit(pattern.body, [...around, pattern]);
      const key = pattern.kind === 'call' ? this.keyOf(pattern) : undefined;
      if (pattern.kind !== 'call' || key === undefined || this.wanted?.has(key) === false) continue;
      const tally = this.tallyOf(key);
      tally.all += pattern.events;
      if (pattern.count >= (inner === undefined ? 2 : FEWEST_REPEATS)) {
        add(tally, repeatedCall(this.trace, pattern), pattern.count, runsOf(around), pattern.events);
      } else single.set(key, (single.get(key) ?? 0) + pattern.events);
    }
    if (inner === undefined || single.size === 0) return;
    const accessOf = loopAccesses(this.trace, inner, outside.length, (call) => this.keyOf(call));
    for (const [key, events] of single) {
      add(this.tallyOf(key), accessOf(key), inner.count, runsOf(outside), events);
    }
  }

  private tallyOf(key: string): Tally {
    return getOrCreate(this.tallies, key, () => ({ all: 0, loops: new Map() }));
  }

  /** Calls that fail move nothing: they are none of a site's transfers. */
  private keyOf({ call, stack, file, error }: CallPattern): string | undefined {
    const operation = this.trace.calls.operation[call]!;
    if (error !== 0 || (operation !== OPERATION.read && operation !== OPERATION.write)) return undefined;
    const site = stack === NONE ? NONE : (this.siteOfNode[stack] ?? NONE);
    if (site === NONE && typeof file !== 'number') return undefined;
    const direction = operation === OPERATION.read ? 'read' : 'write';
    return siteLoopKey({ site, file: typeof file === 'number' ? file : NONE, direction });
  }
}

function runsOf(around: readonly LoopPattern[]): number {
  return around.reduce((product, { count }) => product * count, 1);
}

/** Adds runs of one loop to what is known of those whose iterations do the same. */
function add({ loops }: Tally, access: LoopAccess | undefined, count: number, runs: number, events: number): void {
  if (access === undefined) return;
  const { kind, transfers, bytes, stepBytes, movedBytes, isSteady } = access;
  // What moves less now and then does the same; a step that is an average is none.
  const step = kind === 'contiguous' || kind === 'appended' ? '' : stepBytes;
  const key = `${kind} ${String(transfers)} ${String(bytes)} ${String(step)}`;
  const known = loops.get(key);
  const iterations = count * runs;
  if (known === undefined) {
    const own = { iterations: count, fewestIterations: count, allIterations: iterations, runs, inLoop: events };
    loops.set(key, { access, ...own });
    return;
  }
  const allIterations = known.allIterations + iterations;
  const moved = (known.access.movedBytes * known.allIterations + movedBytes * iterations) / allIterations;
  loops.set(key, {
    access: { ...known.access, movedBytes: moved, isSteady: known.access.isSteady && isSteady },
    iterations: Math.max(known.iterations, count),
    fewestIterations: Math.min(known.fewestIterations, count),
    allIterations,
    runs: known.runs + runs,
    inLoop: known.inLoop + events,
  });
}
