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

type TimesByOperation = Map<number, Map<number, number>>;

/** Nanoseconds that findings are about, by place and operation: of several findings those of the largest. */
export class MarkedTimes {
  /** By site or by file, and by operation. */
  private readonly ofSites: TimesByOperation = new Map();
  private readonly ofFiles: TimesByOperation = new Map();

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
    const times = this.timesAt(place);
    return times === undefined ? 0 : Math.max(times.get(operation) ?? 0, times.get(ANY) ?? 0);
  }

  /** What a finding covers besides the calls that it speaks of. */
  cover(site: SiteIndex, operation: number): void {
    this.raise({ site, file: NONE }, [operation], Infinity);
  }

  private raise(place: Place, operations: readonly number[], timeNs: number): void {
    let times = this.timesAt(place);
    if (times === undefined) {
      times = new Map();
      if (place.site === NONE) this.ofFiles.set(place.file, times);
      else this.ofSites.set(place.site, times);
    }
    for (const operation of operations) times.set(operation, Math.max(times.get(operation) ?? 0, timeNs));
  }

  private timesAt({ site, file }: Place): Map<number, number> | undefined {
    return site === NONE ? this.ofFiles.get(file) : this.ofSites.get(site);
  }
}
