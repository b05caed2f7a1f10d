import { OPERATION } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import type { Insight } from '../triggers/insight.ts';

interface Place {
  readonly site: SiteIndex;
  readonly file: FileIndex;
}

/** For findings that may be about any operation. */
const ANY = NONE;

/** What languages and libraries do with each open: they ask how long the file is, and seek. */
const WITH_OPENS = [OPERATION.seek, OPERATION.metadata];

/** Nanoseconds that findings are about, by place and operation: of several findings those of the largest. */
export class MarkedTimes {
  private readonly times = new Map<string, number>();

  constructor(insights: readonly Insight[]) {
    for (const { sites, files, evidence, operations: named } of insights) {
      const operations = named?.map((operation) => OPERATION[operation]) ?? [ANY];
      for (const { site, timeNs } of sites) this.raise({ site, file: NONE }, operations, timeNs);
      // What is not opened again is not asked about again, nor are its places sought.
      if (named?.includes('open') === true && named.includes('close'))
        for (const { site } of sites) this.raise({ site, file: NONE }, WITH_OPENS, Infinity);
      const placed = sites.reduce((sum, { events }) => sum + events, 0);
      // Where all calls have a line, files are no places of their own.
      if (sites.length > 0 && placed >= (evidence['count'] ?? 0)) continue;
      for (const { file, timeNs } of files) this.raise({ site: NONE, file }, operations, timeNs);
    }
  }

  /** @param operation index into OPERATIONS. */
  of(place: Place, operation: number): number {
    return Math.max(this.times.get(keyOf(place, operation)) ?? 0, this.times.get(keyOf(place, ANY)) ?? 0);
  }

  /** What a finding covers besides the calls that it speaks of. */
  cover(site: SiteIndex, operation: number): void {
    this.raise({ site, file: NONE }, [operation], Infinity);
  }

  private raise(place: Place, operations: readonly number[], timeNs: number): void {
    for (const operation of operations) {
      const key = keyOf(place, operation);
      this.times.set(key, Math.max(this.times.get(key) ?? 0, timeNs));
    }
  }
}

function keyOf({ site, file }: Place, operation: number): string {
  return site === NONE ? `file ${file} ${operation}` : `site ${site} ${operation}`;
}
