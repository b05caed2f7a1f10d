import type { StreamIndex } from '../../trace/indices.ts';
import type { SiteIndex } from '../sites/call-sites.ts';

/** Calls of one thread; time in nanoseconds. */
interface Wait {
  events: number;
  bytes: number;
  timeNs: number;
}

/** Calls that are none of the program's I/O on files, by call site (NONE where the stack leads nowhere) and stream. */
export type Waits = ReadonlyMap<SiteIndex, ReadonlyMap<StreamIndex, Readonly<Wait>>>;

/** Adds up what threads wait for beside their calls on files. */
export class WaitCounter {
  readonly bySite = new Map<SiteIndex, Map<StreamIndex, Wait>>();

  add(site: SiteIndex, stream: StreamIndex, bytes: number, time: number): void {
    let ofSite = this.bySite.get(site);
    if (ofSite === undefined) this.bySite.set(site, (ofSite = new Map<StreamIndex, Wait>()));
    let wait = ofSite.get(stream);
    if (wait === undefined) ofSite.set(stream, (wait = { events: 0, bytes: 0, timeNs: 0 }));
    wait.events++;
    wait.bytes += bytes;
    wait.timeNs += time;
  }
}
