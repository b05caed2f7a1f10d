import { getOrCreate } from '../../base/grouping.ts';
import { OPERATION } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { EventMask } from '../selection/event-mask.ts';
import type { SelectionPart } from '../selection/selection.ts';
import { siteLabel } from './categories.ts';
import { ROLE, type ShownEvent, type ShownEvents } from './shown-events.ts';
import type { RangeAmounts, RangeShare, RangeTotals } from './timeline.ts';

/** Calls, files and source lines that are named. */
const MOST_SHARES = 10;

interface Share {
  events: number;
  timeNs: number;
  bytes: number;
}

/**
 * Sums up the events that lie at least partly in a span of time, each as a whole.
 *
 * @param selected by recording: events that are summed up a second time; undefined when nothing is selected.
 */
export function rangeTotals(
  events: ShownEvents,
  fromNs: number,
  toNs: number,
  selected?: readonly Pick<EventMask, 'has'>[],
): RangeTotals {
  const sums = new RangeSums(events);
  const all = noAmounts();
  const ofSelection = noAmounts();
  events.forEachWithin(fromNs, toNs, (event) => {
    if (!(event.role & ROLE.call)) return;
    const { recording } = event;
    addTo(all, event, events);
    if (selected?.[recording]!.has(event.event - events.firstEvent[recording]!) === true)
      addTo(ofSelection, event, events);
    sums.add(event);
  });
  return { fromNs, toNs, ...all, ...sums.shares(), ...(selected && { selected: ofSelection }) };
}

type Amounts = { -readonly [Name in keyof RangeAmounts]: RangeAmounts[Name] };

function noAmounts(): Amounts {
  return { events: 0, timeNs: 0, bytesRead: 0, bytesWritten: 0 };
}

function addTo(amounts: Amounts, { recording, chunk, i, role }: ShownEvent, events: ShownEvents): void {
  if (role & ROLE.takesTime && chunk.duration[i]! > 0) amounts.timeNs += chunk.duration[i]!;
  if (!(role & ROLE.isRequest)) return;
  amounts.events++;
  const operation = events.recordings[recording]!.trace.calls.operation[chunk.call[i]!]!;
  if (operation === OPERATION.read || operation === OPERATION.copy) amounts.bytesRead += chunk.bytes[i]!;
  if (operation === OPERATION.write || operation === OPERATION.copy) amounts.bytesWritten += chunk.bytes[i]!;
}

/** Who takes part in a span, and how much. */
class RangeSums {
  /** By recording and index of the call, file or site; names that several recordings share are joined in the end. */
  private readonly calls: Map<number, Share>[];
  private readonly files: Map<number, Share>[];
  private readonly sites: Map<number, Share>[];
  private readonly streams: Set<number>[];

  constructor(private readonly events: ShownEvents) {
    const perRecording = <Value>(make: () => Value): Value[] => events.recordings.map(make);
    this.calls = perRecording(() => new Map<number, Share>());
    this.files = perRecording(() => new Map<number, Share>());
    this.sites = perRecording(() => new Map<number, Share>());
    this.streams = perRecording(() => new Set<number>());
  }

  add({ recording, chunk, i, role }: ShownEvent): void {
    const { siteOfNode } = this.events.recordings[recording]!.callSites;
    const node = chunk.stack[i]!;
    const site = node === NONE ? NONE : (siteOfNode[node] ?? NONE);
    const time = role & ROLE.takesTime && chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
    const isRequest = (role & ROLE.isRequest) !== 0;
    const bytes = isRequest ? chunk.bytes[i]! : 0;
    this.streams[recording]!.add(chunk.stream[i]!);
    addShare(this.calls[recording]!, chunk.call[i]!, isRequest, time, bytes);
    if (chunk.file[i]! !== NONE) addShare(this.files[recording]!, chunk.file[i]!, isRequest, time, bytes);
    if (site !== NONE) addShare(this.sites[recording]!, site, isRequest, time, bytes);
  }

  shares(): Pick<RangeTotals, 'files' | 'streams' | 'calls' | 'paths' | 'sites'> {
    const { recordings } = this.events;
    const calls = costliest(this.calls, (call, recording) => {
      const name = recordings[recording]!.trace.calls.names[call]!;
      return { label: name, selects: { kind: 'call', call: name } };
    });
    const paths = costliest(this.files, (file, recording) => {
      const { path } = recordings[recording]!.trace.files.at(file);
      return { label: path, selects: { kind: 'file', path } };
    });
    const sites = costliest(this.sites, (site, recording) => {
      const { callSites, localSource } = recordings[recording]!;
      const found = callSites.sites[site]!;
      const label = siteLabel(found);
      if (found.line <= 0) return { label };
      return { label, selects: { kind: 'line', file: localSource(found.file).file, line: found.line } };
    });
    const files = this.files.reduce((sum, { size }) => sum + size, 0);
    const streams = this.streams.reduce((sum, { size }) => sum + size, 0);
    return { files, streams, calls, paths, sites };
  }
}

function addShare(shares: Map<number, Share>, index: number, isRequest: boolean, timeNs: number, bytes: number): void {
  const share = getOrCreate(shares, index, () => ({ events: 0, timeNs: 0, bytes: 0 }));
  if (isRequest) share.events++;
  share.timeNs += timeNs;
  share.bytes += bytes;
}

function costliest(
  byRecording: readonly ReadonlyMap<number, Share>[],
  nameOf: (index: number, recording: number) => { label: string; selects?: SelectionPart },
): RangeShare[] {
  const joined = new Map<string, Share & { label: string; selects?: SelectionPart }>();
  byRecording.forEach((shares, recording) => {
    for (const [index, { events, timeNs, bytes }] of shares) {
      const name = nameOf(index, recording);
      const key = JSON.stringify(name);
      const share = joined.get(key) ?? { ...name, events: 0, timeNs: 0, bytes: 0 };
      share.events += events;
      share.timeNs += timeNs;
      share.bytes += bytes;
      joined.set(key, share);
    }
  });
  return [...joined.values()].sort((a, b) => b.timeNs - a.timeNs || b.events - a.events).slice(0, MOST_SHARES);
}
