import { getOrCreate } from '../../base/grouping.ts';
import { OPERATION } from '../../trace/calls.ts';
import { LOCK_KIND, NONE, NOT_COUNTED, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, StackNode } from '../../trace/indices.ts';
import type { MetricsOutline } from '../metrics/metrics-outline.ts';
import { LAYER_ROLE, type LayerRoles } from '../metrics/layer-role.ts';
import { fileThatCounts } from '../metrics/ignored-files.ts';
import { StartUpCalls, type CallSites, type SiteIndex } from '../sites/call-sites.ts';
import { kindByMode, kindOf, type CallKind } from './call-kinds.ts';
import { lanesOf, type Lanes } from './lanes.ts';
import { Sample } from './sample.ts';
import { StreamWork } from './work/stream-work.ts';
import { TracerStops } from './tracer-stops.ts';

/** Calls of one kind to one file, wherever they come from: their costs are estimated together. */
export interface CallClass {
  readonly kind: CallKind;
  /** Index into `Trace.files`; NONE where many files share a sample. */
  readonly file: FileIndex;
  readonly sample: Sample;
  /** All of them whose duration is known. Nanoseconds. */
  calls: number;
  bytes: number;
  timeNs: number;
}

/** Calls of one name, from one site to one file. */
export interface CallGroup {
  /** Its place among all groups, from 0 on. */
  readonly number: number;
  readonly site: SiteIndex;
  readonly file: FileIndex;
  /** Index into `Trace.calls`. */
  readonly call: number;
  readonly of: CallClass;
  events: number;
  bytes: number;
  /** Nanoseconds of those whose duration is known. */
  timeNs: number;
  /** The same by lane; empty where there is one. */
  readonly laneTimes: ReadonlyMap<number, number>;
}

/** From the first byte of a file that was read, or written, to the last. */
export interface Extent {
  start: number;
  end: number;
  /** What was moved there, some of it perhaps several times. */
  bytes: number;
}

export interface ObservedCalls {
  /** Calls that count (no start-up, no ignored file), by `cellKey`. */
  readonly groups: ReadonlyMap<number, readonly CallGroup[]>;
  /** All calls of each kind, also those that count for no finding: they show the tracer's part as well as any. */
  readonly ofKind: ReadonlyMap<CallKind, Sample>;
  readonly readExtents: ReadonlyMap<number, Extent>;
  readonly writeExtents: ReadonlyMap<number, Extent>;
  readonly lanes: Lanes;
  /** Absent where no tracer stops the program at its calls. */
  readonly stops: TracerStops | undefined;
  readonly streamWork: StreamWork;
  /** What call in row `i` of `chunk` is; undefined for one that failed for another reason than that there is no such file. */
  kindOf(chunk: EventChunk, i: number): CallKind | undefined;
  /** The file that it counts for. */
  fileOf(chunk: EventChunk, i: number): FileIndex;
  isStartUp(call: number, node: StackNode): boolean;
}

/** Key of what one site does to one file. */
export function cellKey(site: SiteIndex, file: FileIndex): number {
  return (site + 1) * 0x80000000 + file;
}

const RECENT = 256;

/** Where to look for what a call had lately, in a list of 256. */
export function recentPlace(site: number, file: number, call: number): number {
  return (Math.imul(file, 31) + Math.imul(site, 7) + call) & (RECENT - 1);
}

/** Files beyond these share the samples of their kind: a job may open a hundred thousand. */
const MOST_CLASSES = 4096;

/** What is looked at; `ignored` as for the metrics. */
interface Observation {
  readonly trace: Trace;
  readonly callSites: CallSites;
  readonly metrics: MetricsOutline;
  readonly ignored: Uint8Array;
}

/** Goes over all events once and keeps counts and samples of durations. */
export function observeCalls(observation: Observation): ObservedCalls {
  const { trace } = observation;
  const pass = new ObservationPass(observation);
  trace.events.chunks.forEach((chunk, number) => pass.read(chunk, trace.events.rowsIn(number)));
  pass.finish();
  return pass;
}

interface LaneTime {
  timeNs: number;
}

/** While calls are added. */
interface OpenGroup extends CallGroup {
  readonly laneTimes: Map<number, number>;
  /** What becomes of them: a sum that is added to. */
  readonly lanes: Map<number, LaneTime>;
  /** The lane of its last call: most groups are of one process. */
  lastLane: number;
  lastTime: LaneTime;
}

/** Of every group where there is one lane: nothing is ever put there. */
const NO_LANES = new Map<number, number>();
const NO_SUMS = new Map<number, LaneTime>();
const NO_SUM: LaneTime = { timeNs: 0 };

class ObservationPass implements ObservedCalls {
  readonly groups = new Map<number, OpenGroup[]>();
  readonly ofKind = new Map<CallKind, Sample>();
  readonly readExtents = new Map<number, Extent>();
  readonly writeExtents = new Map<number, Extent>();
  private readonly classes = new Map<number, CallClass[]>();
  private readonly shared = new Map<CallKind, CallClass>();
  /** By call, and by what else decides. */
  private readonly kinds: CallKind[] = [];
  private ownSamples = 0;
  private numberOfGroups = 0;
  /** What calls belonged to lately: most are like one of the few before, of one process or another. */
  private readonly recentGroups = new Array<OpenGroup | undefined>(RECENT);
  private lastKind: CallKind = 'other';
  private lastSample: Sample | undefined;
  readonly lanes: Lanes;
  /** Several, or the one of a thread beside a first one that makes no calls. */
  private readonly hasLanes: boolean;
  readonly stops: TracerStops | undefined;
  readonly streamWork: StreamWork;
  /** How each handle was opened, as far as its opening is recorded. */
  private readonly openModes: Int32Array;
  private readonly missing: number | undefined;
  private readonly trace: Trace;
  private readonly callSites: CallSites;
  private readonly startUp: StartUpCalls;
  private readonly ignored: Uint8Array;
  private readonly metrics: MetricsOutline;
  private readonly roles: LayerRoles | undefined;

  constructor({ trace, callSites, metrics, ignored }: Observation) {
    this.trace = trace;
    this.callSites = callSites;
    this.startUp = new StartUpCalls(trace, callSites);
    this.ignored = ignored;
    this.metrics = metrics;
    this.roles = metrics.roles;
    this.lanes = lanesOf(trace, metrics);
    this.hasLanes = this.lanes.count > 1 || trace.streams.some(({ pid, processId }) => pid !== processId);
    this.openModes = new Int32Array(trace.handles.length);
    this.missing = trace.errors.find('ENOENT');
    this.streamWork = new StreamWork(trace, this.lanes);
    this.stops = trace.form.tracerStopsProgram ? new TracerStops(trace, callSites, this.lanes) : undefined;
  }

  kindOf(chunk: EventChunk, i: number): CallKind | undefined {
    const error = chunk.error[i]!;
    // What failed for another reason is of no kind: it ended anywhere.
    if (error !== 0 && error !== this.missing) return undefined;
    const call = chunk.call[i]!;
    const handle = chunk.handle[i]!;
    const operation = this.trace.calls.operation[call];
    if (operation === OPERATION.lock && this.stops === undefined && waitsForLock(chunk.argument[i]!)) return 'lock';
    const isOpening = operation === OPERATION.open;
    const isWritten = isOpening && (this.metrics.fileUse.get(chunk.file[i]!)?.writers.size ?? 0) > 0;
    const place = call * 8 + (error === 0 ? 0 : 4) + (handle === NONE ? 0 : 2) + (isWritten ? 1 : 0);
    const kind = (this.kinds[place] ??= kindOf(this.trace, call, error !== 0, handle !== NONE, isWritten));
    return kindByMode(kind, handle === NONE ? 0 : this.openModes[handle]!);
  }

  fileOf(chunk: EventChunk, i: number): FileIndex {
    return fileThatCounts(this.trace, this.ignored, chunk, i);
  }

  isStartUp(call: number, node: StackNode): boolean {
    return this.startUp.has(call, node);
  }

  read(chunk: EventChunk, rows: number): void {
    for (let i = 0; i < rows; i++) {
      this.stops?.see(chunk, i);
      if (chunk.flags[i]! & NOT_COUNTED) continue;
      const operation = this.trace.calls.operation[chunk.call[i]!]!;
      const handle = chunk.handle[i]!;
      if (operation === OPERATION.open && handle !== NONE)
        this.openModes[handle] = Math.max(0, chunk.argument[i]! || 0);
      if (this.roles !== undefined && !(this.roles.of(chunk, i) & this.roleThatCounts(chunk.call[i]!))) continue;
      const kind = this.kindOf(chunk, i);
      if (kind === undefined) continue;
      const call = chunk.call[i]!;
      const file = this.fileOf(chunk, i);
      const duration = chunk.duration[i]!;
      const bytes = chunk.bytes[i]!;
      const known = duration >= 0 && duration < Infinity;
      const sample = known ? this.sampleOf(kind) : undefined;
      sample?.add(duration, bytes);
      if (file === NONE || this.ignored[file] === 1) continue;
      const node = chunk.stack[i]!;
      if (this.isStartUp(call, node)) continue;
      const group = this.groupOf(node === NONE ? NONE : this.callSites.siteOfNode[node]!, file, call, kind);
      group.events++;
      group.bytes += bytes;
      if (sample !== undefined) {
        this.streamWork.see(chunk, i, duration);
        group.timeNs += duration;
        if (this.hasLanes) this.addToLane(group, chunk.stream[i]!, duration);
        addTo(group.of, duration, bytes, sample);
      }
      if (operation === OPERATION.read) extend(this.readExtents, file, chunk.offset[i]!, bytes);
      else if (operation === OPERATION.write) extend(this.writeExtents, file, chunk.offset[i]!, bytes);
    }
  }

  /** To be called when all were read. */
  finish(): void {
    for (const groups of this.groups.values())
      for (const { lanes, laneTimes } of groups) for (const [lane, { timeNs }] of lanes) laneTimes.set(lane, timeNs);
  }

  private addToLane(group: OpenGroup, stream: number, duration: number): void {
    const lane = this.lanes.of[stream]!;
    if (lane !== group.lastLane) {
      group.lastLane = lane;
      group.lastTime = getOrCreate(group.lanes, lane, () => ({ timeNs: 0 }));
    }
    group.lastTime.timeNs += duration;
  }

  /**
   * A call of MPI-IO takes what the requests below it take, and is not to be saved twice. What is not opened again saves the
   * program's own call with all that it does.
   */
  private roleThatCounts(call: number): number {
    const operation = this.trace.calls.operation[call]!;
    const isOpening = operation === OPERATION.open || operation === OPERATION.close;
    return isOpening ? LAYER_ROLE.outermost : LAYER_ROLE.request;
  }

  private sampleOf(kind: CallKind): Sample {
    if (kind === this.lastKind && this.lastSample !== undefined) return this.lastSample;
    let sample = this.ofKind.get(kind);
    if (sample === undefined) this.ofKind.set(kind, (sample = new Sample()));
    this.lastKind = kind;
    this.lastSample = sample;
    return sample;
  }

  private groupOf(site: SiteIndex, file: FileIndex, call: number, kind: CallKind): OpenGroup {
    const place = recentPlace(site, file, call);
    const recent = this.recentGroups[place];
    if (recent?.call === call && recent.file === file && recent.site === site && recent.of.kind === kind) return recent;
    return (this.recentGroups[place] = this.foundGroup(site, file, call, kind));
  }

  private foundGroup(site: SiteIndex, file: FileIndex, call: number, kind: CallKind): OpenGroup {
    const key = cellKey(site, file);
    let groups = this.groups.get(key);
    if (groups === undefined) this.groups.set(key, (groups = []));
    let group = groups.find((candidate) => candidate.call === call && candidate.of.kind === kind);
    if (group === undefined) {
      const laneTimes = this.hasLanes ? new Map<number, number>() : NO_LANES;
      const number = this.numberOfGroups++;
      const lanes = this.hasLanes ? new Map<number, LaneTime>() : NO_SUMS;
      const sums = { events: 0, bytes: 0, timeNs: 0, laneTimes, lanes, lastLane: NONE, lastTime: NO_SUM };
      group = { number, site, file, call, of: this.classOf(file, kind), ...sums };
      groups.push(group);
    }
    return group;
  }

  private classOf(file: FileIndex, kind: CallKind): CallClass {
    let classes = this.classes.get(file);
    if (classes === undefined) this.classes.set(file, (classes = []));
    let found = classes.find((candidate) => candidate.kind === kind);
    if (found === undefined) {
      found = this.ownSamples++ < MOST_CLASSES ? callClass(kind, file, new Sample()) : this.sharedClass(kind);
      classes.push(found);
    }
    return found;
  }

  private sharedClass(kind: CallKind): CallClass {
    let found = this.shared.get(kind);
    if (found === undefined) this.shared.set(kind, (found = callClass(kind, NONE, this.sampleOf(kind))));
    return found;
  }
}

/** What releases a lock, or tries to get one, waits for nobody. */
function waitsForLock(kind: number): boolean {
  return kind === LOCK_KIND.exclusive || kind === LOCK_KIND.shared;
}

function extend(extents: Map<number, Extent>, file: FileIndex, offset: number, bytes: number): void {
  if (!(offset >= 0) || bytes === 0) return;
  const extent = extents.get(file);
  if (extent === undefined) extents.set(file, { start: offset, end: offset + bytes, bytes });
  else {
    if (offset < extent.start) extent.start = offset;
    if (offset + bytes > extent.end) extent.end = offset + bytes;
    extent.bytes += bytes;
  }
}

function callClass(kind: CallKind, file: FileIndex, sample: Sample): CallClass {
  return { kind, file, sample, calls: 0, bytes: 0, timeNs: 0 };
}

/** @param shared the sample of the kind, which has the call already. */
function addTo(of: CallClass, duration: number, bytes: number, shared: Sample): void {
  of.calls++;
  of.bytes += bytes;
  of.timeNs += duration;
  if (of.sample !== shared) of.sample.add(duration, bytes);
}
