import type { BatchManifest } from './manifest.ts';
import type { StoreContents } from './read-manifests.ts';

/** Logs of one manifest: it is read as a whole. Batches that have so many already are left alone. */
const LOGS_AT_ONCE = 100_000;
/** From so many logs on a batch is one that no automatic compaction touches: merged ones end up there. */
const FULL_LOGS = LOGS_AT_ONCE / 2;
/** Rows and logs of a batch that is merged with any other: to write them again takes about a second. */
const SMALL_SIZE = 50_000;
/** Parts of a table and month that a question opens without anybody noticing. */
const MOST_PARTS = 2;

/** Batches that become one each when a user asks for it: all, except those that are alone and have nothing twice. */
export function allGroups({ batches, repeated }: StoreContents): BatchManifest[][] {
  const repeatedParts = new Set(repeated.map(({ path }) => path));
  return groupsOf(batches, new Set(repeated.map(({ log }) => log))).filter(
    (group) => group.length > 1 || group.some(({ parts }) => parts.some(({ path }) => repeatedParts.has(path))),
  );
}

/**
 * Batches that become one each without being asked, when a store has more parts than twice its months and tables. A batch
 * is written again only together with smaller ones that are as much altogether: each time its rows end up in one that is
 * twice as large, so they are written again as often as the store doubles, not as often as something is taken in.
 */
export function smallGroups(contents: StoreContents): BatchManifest[][] {
  const { parts } = contents;
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(placeOf(part), (counts.get(placeOf(part)) ?? 0) + 1);
  if (parts.length <= MOST_PARTS * counts.size) return [];
  const isCrowded = (batch: BatchManifest): boolean =>
    batch.parts.some((part) => counts.get(placeOf(part))! > MOST_PARTS);
  const candidates = contents.batches
    .filter((batch) => batch.logs.length < FULL_LOGS && isCrowded(batch))
    .map((batch) => ({ batch, size: sizeOf(batch) }))
    .sort((a, b) => a.size - b.size);
  let chosen = 0;
  let smaller = 0;
  for (const [index, { size }] of candidates.entries()) {
    if (size <= Math.max(smaller, SMALL_SIZE)) chosen = index + 1;
    smaller += size;
  }
  const batches = candidates.slice(0, chosen).map(({ batch }) => batch);
  batches.sort((a, b) => (a.id < b.id ? -1 : 1));
  return groupsOf(batches, new Set(contents.repeated.map(({ log }) => log))).filter((group) => group.length > 1);
}

function placeOf({ table, month }: { readonly table: string; readonly month: string }): string {
  return `${table} ${month}`;
}

/** What a batch costs to be written again: rows, which no merging makes fewer, and what its manifest lists. */
function sizeOf({ parts, logs }: BatchManifest): number {
  return parts.reduce((sum, { rows }) => sum + rows, logs.length);
}

/**
 * Neighbours in time, which are likely to have the same months, up to so many logs. What two batches have both comes
 * together as far as possible: a copy goes only where the other one is written in the same moment (docs/decisions/0170).
 */
function groupsOf(batches: readonly BatchManifest[], repeated: ReadonlySet<string>): BatchManifest[][] {
  const groups: { readonly batches: BatchManifest[]; logs: number }[] = [];
  const groupOf = new Map<string, (typeof groups)[number]>();
  for (const batch of batches) {
    const twice = batch.logs.flatMap(({ log }) => (log !== null && repeated.has(log) ? [log] : []));
    const last = groups.at(-1);
    let group = twice.map((log) => groupOf.get(log)).find((one) => one !== undefined);
    if (group === undefined && last !== undefined && last.logs + batch.logs.length <= LOGS_AT_ONCE) group = last;
    if (group === undefined) groups.push((group = { batches: [], logs: 0 }));
    group.logs += batch.logs.length - twice.filter((log) => groupOf.get(log) === group).length;
    group.batches.push(batch);
    for (const log of twice) if (!groupOf.has(log)) groupOf.set(log, group);
  }
  return groups.map((group) => group.batches);
}
