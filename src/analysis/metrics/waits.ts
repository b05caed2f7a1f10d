import type { StreamIndex } from '../../trace/indices.ts';
import type { SiteIndex } from '../sites/call-sites.ts';

/** Calls of one thread; time in nanoseconds. */
export interface Wait {
  events: number;
  /** Of these, calls that gave an error: what is not to wait says so instead (EAGAIN). */
  failed: number;
  bytes: number;
  timeNs: number;
}

/** Calls that are none of the program's I/O on files, by call site (NONE where the stack leads nowhere) and stream. */
export type Waits = ReadonlyMap<SiteIndex, ReadonlyMap<StreamIndex, Readonly<Wait>>>;

/** Adds up what threads wait for beside their calls on files. */
export class WaitCounter {
  readonly bySite = new Map<SiteIndex, Map<StreamIndex, Wait>>();

  add(site: SiteIndex, stream: StreamIndex, bytes: number, time: number, isFailed = false): void {
    let ofSite = this.bySite.get(site);
    if (ofSite === undefined) this.bySite.set(site, (ofSite = new Map<StreamIndex, Wait>()));
    let wait = ofSite.get(stream);
    if (wait === undefined) ofSite.set(stream, (wait = { events: 0, failed: 0, bytes: 0, timeNs: 0 }));
    wait.events++;
    if (isFailed) wait.failed++;
    wait.bytes += bytes;
    wait.timeNs += time;
  }
}
