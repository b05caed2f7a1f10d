import { NONE, type EventChunk } from '../../trace/events.ts';
import type { FileIndex, StackNode } from '../../trace/indices.ts';
import type { CallSites } from '../sites/call-sites.ts';
import type { CallKind } from './call-kinds.ts';
import type { CallCosts, Price } from './cost.ts';
import { cellKey, recentPlace, type CallGroup, type ObservedCalls } from './observed-calls.ts';
import { Sample } from './sample.ts';

/** What calls with these four cost. */
interface RecentPrice {
  readonly node: StackNode;
  readonly file: FileIndex;
  readonly call: number;
  readonly kind: CallKind;
  readonly price: Price;
}

/** What each single call costs without a tracer: all calls of a place on a file together cost what the place does there. */
export class CallPrices {
  private readonly ofGroup = new Map<CallGroup, Price>();
  private readonly ofKind = new Map<CallKind, Price>();
  /** Most calls are like one of the few before, of one process or another. */
  private readonly recent: (RecentPrice | undefined)[] = [];

  constructor(
    private readonly callSites: CallSites,
    private readonly observed: ObservedCalls,
    private readonly calls: CallCosts,
  ) {}

  /** Of the call in row `i` of `chunk`. Calls that count for no finding cost what others of their kind do. */
  of(chunk: EventChunk, i: number): Price {
    // What failed was refused before it did anything.
    const kind = this.observed.kindOf(chunk, i) ?? 'other';
    const node = chunk.stack[i]!;
    const file = this.observed.fileOf(chunk, i);
    const call = chunk.call[i]!;
    const place = recentPlace(node, file, call);
    const recent = this.recent[place];
    if (recent?.node === node && recent.file === file && recent.call === call && recent.kind === kind)
      return recent.price;
    const site = node === NONE ? NONE : this.callSites.siteOfNode[node]!;
    const groups = this.observed.isStartUp(call, node) ? undefined : this.observed.groups.get(cellKey(site, file));
    const group = groups?.find((candidate) => candidate.call === call && candidate.of.kind === kind);
    const price = group === undefined ? this.priceOfKind(kind, call) : this.priceOfGroup(group);
    this.recent[place] = { node, file, call, kind, price };
    return price;
  }

  private priceOfGroup(group: CallGroup): Price {
    let price = this.ofGroup.get(group);
    if (price === undefined) this.ofGroup.set(group, (price = this.calls.priceOf(group)));
    return price;
  }

  private priceOfKind(kind: CallKind, call: number): Price {
    let price = this.ofKind.get(kind);
    if (price === undefined) {
      const sample = this.observed.ofKind.get(kind) ?? new Sample();
      const sums = { events: 0, bytes: 0, timeNs: 0, laneTimes: new Map<number, number>() };
      const of = { kind, file: NONE, sample, calls: 0, bytes: 0, timeNs: 0 };
      this.ofKind.set(kind, (price = this.calls.priceOf({ site: NONE, file: NONE, call, of, ...sums })));
    }
    return price;
  }
}
