import type { Insight } from '../triggers/insight.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import { sizeBin, SIZE_BIN_ENDS } from '../metrics/sizes.ts';
import { formatBytes } from '../../base/quantities.ts';
import type { CallSite, CallSites } from '../sites/call-sites.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { FileAccesses } from './file-accesses.ts';
import { MARK, type OffsetColour } from './offsets.ts';

/** How the colour of a cell follows from what touches it. */
export type CellRule =
  /** The category that touches it most often. */
  | 'most'
  /** The last category that touches it at all: what is rare and matters must not drown. */
  | 'last'
  /** Categories are reads, writes, and both. */
  | 'direction';

/** What accesses are told apart by. */
export interface AccessCategories {
  readonly labels: readonly string[];
  /** Category of each access. */
  readonly of: Uint8Array;
  readonly rule: CellRule;
}

/** What is known of the recording, for categories that lie beyond the access itself. */
interface CategoryContext {
  readonly trace: Trace;
  readonly callSites: CallSites;
  readonly insights: readonly Insight[];
  readonly metrics: Pick<Metrics, 'fileOfCell'>;
  /** Indices of the file. */
  readonly files: ReadonlySet<FileIndex>;
}

/** Categories that are told apart; the rest stand together. */
const MOST_CATEGORIES = 12;

export function accessCategories(
  accesses: FileAccesses,
  colourBy: OffsetColour,
  context: CategoryContext,
): AccessCategories {
  const { marks, bytes, call, stack } = accesses;
  const { trace, callSites } = context;
  switch (colourBy) {
    case 'direction': {
      const labels = ['read', 'written', 'read and written'];
      return { labels, of: marks.map((bits) => ((bits & MARK.read) !== 0 ? 0 : 1)), rule: 'direction' };
    }
    case 'repeats':
      return { labels: REPEATS, of: marks.map(repeatOf), rule: 'last' };
    case 'process':
      return processCategories(accesses, trace);
    case 'size': {
      const bins = new Uint8Array(bytes.length);
      for (let i = 0; i < bins.length; i++) bins[i] = sizeBin(bytes[i]!);
      const used = [...new Set(bins)].sort((a, b) => a - b);
      return { labels: used.map(sizeLabel), of: bins.map((bin) => used.indexOf(bin)), rule: 'most' };
    }
    case 'call':
      return commonest(bytes, call, (number) => trace.calls.names[number]!);
    case 'site':
      return commonest(bytes, sitesOf(stack, callSites), (site) =>
        site === NONE ? 'no source line' : siteLabel(callSites.sites[site]!),
      );
    case 'insight':
      return insightCategories(accesses, context);
  }
}

const REPEATS = [
  'touched for the first time',
  'read again by the same process',
  'written again by the same process',
  'written over another process’s bytes',
];

function repeatOf(marks: number): number {
  if ((marks & MARK.over) !== 0) return 3;
  if ((marks & MARK.again) === 0) return 0;
  return (marks & MARK.read) !== 0 ? 1 : 2;
}

/** As the legend of sizes has them: `≤ 4 KiB`. */
function sizeLabel(bin: number): string {
  const end = SIZE_BIN_ENDS[bin]!;
  return end === Infinity ? `> ${formatBytes(SIZE_BIN_ENDS[bin - 1]!)}` : `≤ ${formatBytes(end)}`;
}

function siteLabel({ file, line, functionName, module }: CallSite): string {
  const base = (path: string): string => path.split('/').at(-1)!;
  if (line > 0) return `${base(file)}:${line}`;
  return functionName === '' ? base(module) : functionName;
}

/** The call site of each access, or NONE. */
function sitesOf(stack: Int32Array, { siteOfNode }: CallSites): Int32Array {
  return stack.map((node) => (node === NONE ? NONE : siteOfNode[node]!));
}

/**
 * The labels that stand for most bytes; the last one stands for all others where there are more.
 * @param keys a number for each access that its label follows from.
 */
function commonest(bytes: Float64Array, keys: Int32Array, labelOf: (key: number) => string): AccessCategories {
  const byKey = new Map<number, number>();
  for (let i = 0; i < keys.length; i++) byKey.set(keys[i]!, (byKey.get(keys[i]!) ?? 0) + bytes[i]!);
  const byLabel = new Map<string, number>();
  for (const [key, sum] of byKey) byLabel.set(labelOf(key), (byLabel.get(labelOf(key)) ?? 0) + sum);
  const sorted = [...byLabel].sort((a, b) => b[1] - a[1]).map(([label]) => label);
  const kept = sorted.slice(0, MOST_CATEGORIES);
  const labels = sorted.length > kept.length ? [...kept, `others (${sorted.length - kept.length})`] : kept;
  const places = new Map(kept.map((label, place) => [label, place]));
  const placeOfKey = new Map([...byKey.keys()].map((key) => [key, places.get(labelOf(key)) ?? kept.length]));
  const of = new Uint8Array(keys.length);
  for (let i = 0; i < of.length; i++) of[i] = placeOfKey.get(keys[i]!)!;
  return { labels, of, rule: 'most' };
}

/** Ranks or processes; where there are many, neighbours stand together: `ranks 0-63`. */
function processCategories({ length, process }: FileAccesses, { streams }: Trace): AccessCategories {
  const hasRank = (leader: number): boolean => streams[leader]!.rank !== undefined;
  const numberOf = (leader: number): number => streams[leader]!.rank ?? streams[leader]!.processId;
  const different = [...new Set(process)];
  different.sort((a, b) => Number(hasRank(b)) - Number(hasRank(a)) || numberOf(a) - numberOf(b) || a - b);
  const each = Math.ceil(different.length / MOST_CATEGORIES);
  const groups = Array.from({ length: Math.ceil(different.length / Math.max(1, each)) }, (_, group) =>
    different.slice(group * each, (group + 1) * each),
  );
  const label = (group: readonly number[]): string => {
    const noun = hasRank(group[0]!) ? 'rank' : 'process';
    const { host } = streams[group[0]!]!;
    if (group.length > 1)
      return `${noun}${noun === 'rank' ? 's' : 'es'} ${numberOf(group[0]!)}-${numberOf(group.at(-1)!)}`;
    const isAmbiguous = noun === 'process' && different.some((other) => streams[other]!.host !== host);
    return `${noun} ${numberOf(group[0]!)}${isAmbiguous ? ` (${host})` : ''}`;
  };
  const groupOf = new Map(groups.flatMap((group, number) => group.map((leader) => [leader, number] as const)));
  const of = new Uint8Array(length);
  for (let i = 0; i < length; i++) of[i] = groupOf.get(process[i]!)!;
  return {
    labels: groups.map(label),
    of,
    rule: 'most',
  };
}

/** Findings at the line that makes the access; the severest where there are several. */
function insightCategories(accesses: FileAccesses, context: CategoryContext): AccessCategories {
  const { callSites, insights, metrics, files } = context;
  const titleOfSite = new Map<number, string>();
  for (const { title, sites } of insights) {
    for (const { site, cells } of sites) {
      const isHere = cells.some((cell) => files.has(metrics.fileOfCell[cell]!));
      if (isHere && !titleOfSite.has(site)) titleOfSite.set(site, title);
    }
  }
  const sites = sitesOf(accesses.stack, callSites);
  return commonest(accesses.bytes, sites, (site) => titleOfSite.get(site) ?? 'no finding');
}
