import { OPERATION } from '../../trace/calls.ts';
import { CHUNK_ROWS, LINKS, NONE, NOT_COUNTED, type EventChunk, type Link } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { counts } from '../metrics/ignored-files.ts';
import type { CallSites, SiteIndex } from '../sites/call-sites.ts';
import { LayerSums, LayerTree, type LayerAmount } from './layer-tree.ts';
import { hasSeveralLayers } from './layers-present.ts';

/** What the calls of a place in the source became in one layer. */
interface BecameAmount extends LayerAmount {
  /** How many of these calls are known in which way to be caused by it. */
  readonly links: Readonly<Partial<Record<Link, number>>>;
}

/** Calls of one name from one place in the source that no other call made, and what they became. */
interface LayeredCall extends LayerAmount {
  /** Index into the call sites, or NONE. */
  readonly site: SiteIndex;
  /** Index into `Trace.calls`. */
  readonly call: number;
  /** Of lower layers, the highest first. */
  readonly became: readonly BecameAmount[];
}

/**
 * What the calls of each site amount to in each layer: those that the program made at that line, and those that these
 * became. Only calls that findings count.
 *
 * @returns by site + 1, 0 for calls that lead to no line; undefined for recordings of one layer.
 */
export function layersOfSites(
  trace: Trace,
  callSites: CallSites,
  ignored: Uint8Array,
): readonly (readonly LayerAmount[])[] | undefined {
  if (!hasSeveralLayers(trace)) return undefined;
  const tree = LayerTree.of(trace);
  const sums: LayerSums[] = [];
  const bytesOf = movedBytes(trace);
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (!isCounted(chunk, i, callSites, ignored)) continue;
      const of = (sums[siteOf(chunk, i, callSites) + 1] ??= new LayerSums());
      const isOwn = tree.parentOf(number * CHUNK_ROWS + i) === NONE;
      of.add(chunk.layer[i]!, bytesOf(chunk, i), chunk.duration[i]!, isOwn);
    }
  });
  return Array.from({ length: callSites.sites.length + 1 }, (_, entry) => sums[entry]?.amounts() ?? []);
}

/** The program's calls that became calls of lower layers, by place and name, what takes most time first. */
export function layeredCalls(trace: Trace, callSites: CallSites, ignored: Uint8Array): LayeredCall[] {
  const tree = LayerTree.of(trace);
  if (!tree.hasLinks) return [];
  const groups = new Groups();
  const bytesOf = movedBytes(trace);
  const { events } = trace;
  const groupOfRow = new Int32Array(events.length).fill(NONE);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const row = number * CHUNK_ROWS + i;
      if (tree.parentOf(row) !== NONE || !isCounted(chunk, i, callSites, ignored)) continue;
      const group = groups.of(siteOf(chunk, i, callSites), chunk.call[i]!, chunk.layer[i]!);
      groupOfRow[row] = group;
      groups.own[group]!.add(chunk.layer[i]!, bytesOf(chunk, i), chunk.duration[i]!);
    }
  });
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const row = number * CHUNK_ROWS + i;
      if (tree.parentOf(row) === NONE || !isCounted(chunk, i, callSites, ignored)) continue;
      const group = groupOfRow[tree.outermostOf(row)]!;
      if (group !== NONE)
        groups.add(group, chunk.layer[i]!, LINKS[chunk.link[i]!]!, bytesOf(chunk, i), chunk.duration[i]!);
    }
  });
  return groups.finish();
}

class Groups {
  readonly own: LayerSums[] = [];
  private readonly places: { site: SiteIndex; call: number }[] = [];
  private readonly below: LayerSums[] = [];
  private readonly links: Map<number, Partial<Record<Link, number>>>[] = [];
  private readonly indices = new Map<string, number>();

  of(site: SiteIndex, call: number, layer: number): number {
    const key = `${site} ${call} ${layer}`;
    let group = this.indices.get(key);
    if (group === undefined) {
      group = this.places.push({ site, call }) - 1;
      this.own.push(new LayerSums());
      this.below.push(new LayerSums());
      this.links.push(new Map());
      this.indices.set(key, group);
    }
    return group;
  }

  add(group: number, layer: number, link: Link, bytes: number, durationNs: number): void {
    this.below[group]!.add(layer, bytes, durationNs);
    const ofGroup = this.links[group]!;
    let counted = ofGroup.get(layer);
    if (counted === undefined) ofGroup.set(layer, (counted = {}));
    counted[link] = (counted[link] ?? 0) + 1;
  }

  /** Of those that became something. */
  finish(): LayeredCall[] {
    return this.places
      .map((place, group) => ({
        ...place,
        ...this.own[group]!.amounts()[0]!,
        became: this.below[group]!.amounts().map((amount) => ({
          ...amount,
          links: this.links[group]!.get(amount.layer) ?? {},
        })),
      }))
      .filter(({ became }) => became.length > 0)
      .sort((a, b) => b.timeNs - a.timeNs || b.calls - a.calls);
  }
}

function siteOf(chunk: EventChunk, i: number, { siteOfNode }: CallSites): SiteIndex {
  const node = chunk.stack[i]!;
  return node === NONE ? NONE : (siteOfNode[node] ?? NONE);
}

function isCounted(chunk: EventChunk, i: number, { isStartUp }: CallSites, ignored: Uint8Array): boolean {
  if (chunk.flags[i]! & NOT_COUNTED || !counts(ignored, chunk.file[i]!)) return false;
  const node = chunk.stack[i]!;
  return node === NONE || isStartUp[node] !== 1;
}

/** The bytes that a call read, wrote or copied; other calls move none, whatever they return. */
function movedBytes({ calls }: Trace): (chunk: EventChunk, i: number) => number {
  const moving: ReadonlySet<number> = new Set([OPERATION.read, OPERATION.write, OPERATION.copy]);
  const moves = Uint8Array.from(calls.operation, (operation) => (moving.has(operation) ? 1 : 0));
  return (chunk, i) => (moves[chunk.call[i]!] === 1 && chunk.error[i] === 0 ? chunk.bytes[i]! : 0);
}
