import { getOrCreate } from '../../base/grouping.ts';
import { LAYERS, OPERATIONS, type Layer, type Operation } from '../../trace/calls.ts';
import { NONE, NOT_COUNTED, type EventChunk } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { forEachByStart } from '../dfg/event-order.ts';
import { LAYER_ROLE, layerRoles, type LayerRoles } from '../metrics/layer-roles.ts';
import { functionTimes, type FunctionTimes } from '../layers/function-times.ts';
import { roleShares, type RoleShares } from '../layers/shares.ts';
import { chainOf } from '../sites/call-sites.ts';
import { NestedTime } from './nested-time.ts';
import type { TimelineRecording } from './timeline-recording.ts';

export interface SummaryAmount {
  readonly calls: number;
  readonly bytes: number;
  /** Nanoseconds in these calls. */
  readonly timeNs: number;
  /** Of these without what the same process or thread spent meanwhile in calls of a lower layer. */
  readonly exclusiveNs: number;
}

interface LayerSummary extends SummaryAmount {
  readonly layer: Layer;
}

interface OperationSummary extends SummaryAmount {
  readonly layer: Layer;
  readonly operation: Operation;
  /** '' for calls that concern no file. */
  readonly path: string;
}

/** Functions that belong together. */
export interface FunctionSummary extends SummaryAmount {
  /** `source`: a file of the program; `library`: what it called; `unknown`: no frame tells. */
  readonly kind: 'source' | 'library' | 'unknown';
  /** Path of the source file as on this machine where it is here, or of the module. */
  readonly group: string;
  /** '' for a library, whose functions stand together. */
  readonly functionName: string;
}

/** What calls of a recording amount to, in tables: each begins with what takes most exclusive time. */
export interface OperationsSummary {
  readonly recording: string;
  readonly layers: readonly LayerSummary[];
  readonly operations: readonly OperationSummary[];
  /** Rows of operations that are not among them, for there are too many. */
  readonly operationsLeftOut: number;
  /** By the function of the program that made the call: each transfer once, however many layers show it. */
  readonly functions: readonly FunctionSummary[];
  /** By the library whose frame is the innermost: it made the call for the program. Each transfer once, too. */
  readonly libraries: readonly FunctionSummary[];
  readonly hasDurations: boolean;
  /** Computation, communication, synchronisation and I/O; absent where the recording holds no functions. */
  readonly shares?: RoleShares;
  /** All functions, those of MPI and of the program as well, by what they do themselves; absent as `shares` is. */
  readonly functionTimes?: readonly FunctionTimes[];
}

/** Rows of a table that anybody reads. */
const MOST_OPERATIONS = 1_000;

/** Calls, bytes and time of all layers; and of these the requests that reach files, and the time of the program's own calls. */
interface Sum {
  calls: number;
  bytes: number;
  timeNs: number;
  exclusiveNs: number;
  requests: number;
  requestBytes: number;
  ownNs: number;
}
const AMOUNTS = ['calls', 'bytes', 'timeNs', 'exclusiveNs', 'requests', 'requestBytes', 'ownNs'] as const;
const nothing = (): Sum => ({
  calls: 0,
  bytes: 0,
  timeNs: 0,
  exclusiveNs: 0,
  requests: 0,
  requestBytes: 0,
  ownNs: 0,
});

/** Every call of every layer. */
function ofAllLayers({ calls, bytes, timeNs, exclusiveNs }: Sum): SummaryAmount {
  return { calls, bytes, timeNs, exclusiveNs };
}

/** Each transfer once: the requests that reach files (where there are none the calls above them), the program's own time. */
function countedOnce({ calls, bytes, exclusiveNs, requests, requestBytes, ownNs }: Sum): SummaryAmount {
  const isRequested = requests > 0;
  return {
    calls: isRequested ? requests : calls,
    bytes: isRequested ? requestBytes : bytes,
    timeNs: ownNs,
    exclusiveNs,
  };
}

/** One pass over the events in the order of time. */
export function operationsSummary(recording: TimelineRecording): OperationsSummary {
  const cells = new Cells(recording);
  forEachByStart(recording.trace.events, (chunk, from, to) => {
    for (let i = from; i < to; i++) cells.add(chunk, i);
  });
  return cells.finish();
}

/** Sums by layer, operation, file and call stack: everything else is a sum of these. */
class Cells {
  private readonly sums: Sum[] = [];
  private readonly keys: { layer: number; operation: number; file: FileIndex; stack: number }[] = [];
  private readonly indices = new Map<string, number>();
  private readonly nested: NestedTime;
  private readonly roles: LayerRoles | undefined;
  private lastKey = '';
  private last = NONE;

  constructor(private readonly recording: TimelineRecording) {
    this.nested = new NestedTime(recording.trace.streams.length);
    this.roles = layerRoles(recording.trace);
  }

  add(chunk: EventChunk, i: number): void {
    if (chunk.flags[i]! & NOT_COUNTED) return;
    const cell = this.cellOf(chunk, i);
    const sum = this.sums[cell]!;
    const duration = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
    sum.calls++;
    sum.bytes += chunk.bytes[i]!;
    sum.timeNs += duration;
    sum.exclusiveNs += duration;
    const role = this.roles?.of(chunk, i) ?? LAYER_ROLE.request | LAYER_ROLE.outermost;
    if (role & LAYER_ROLE.request) {
      sum.requests++;
      sum.requestBytes += chunk.bytes[i]!;
    }
    if (role & LAYER_ROLE.outermost) sum.ownNs += duration;
    const start = chunk.start[i]!;
    if (duration === 0 || !(start >= 0)) return;
    const call = { layer: chunk.layer[i]!, start, end: start + duration, cell };
    this.nested.enter(chunk.stream[i]!, call, (owner, ns) => {
      this.sums[owner]!.exclusiveNs -= ns;
    });
  }

  private cellOf(chunk: EventChunk, i: number): number {
    const layer = chunk.layer[i]!;
    const operation = this.recording.trace.calls.operation[chunk.call[i]!]!;
    const [file, stack] = [chunk.file[i]!, chunk.stack[i]!];
    const key = `${layer} ${operation} ${file} ${stack}`;
    if (key === this.lastKey) return this.last;
    let cell = this.indices.get(key);
    if (cell === undefined) {
      cell = this.sums.push(nothing()) - 1;
      this.keys.push({ layer, operation, file, stack });
      this.indices.set(key, cell);
    }
    [this.lastKey, this.last] = [key, cell];
    return cell;
  }

  finish(): OperationsSummary {
    const { trace, name } = this.recording;
    const layers = this.grouped(
      ({ layer }) => String(layer),
      ({ layer }) => ({ layer: LAYERS[layer]! }),
      ofAllLayers,
    );
    const operations = this.grouped(
      ({ layer, operation, file }) => `${layer} ${operation} ${file}`,
      ({ layer, operation, file }) => ({
        layer: LAYERS[layer]!,
        operation: OPERATIONS[operation]!,
        path: file === NONE ? '' : trace.files.at(file).path,
      }),
      ofAllLayers,
    );
    const shares = roleShares(trace);
    const times = functionTimes(trace);
    const groups = new Map<number, Group>();
    const groupOf = (stack: number): Group => {
      const group = getOrCreate(groups, stack, () => this.groupOf(stack));
      return group;
    };
    const functions = this.grouped(
      ({ stack }) => JSON.stringify(groupOf(stack).caller),
      ({ stack }) => groupOf(stack).caller,
      countedOnce,
    );
    const libraries = this.grouped(
      ({ stack }) => groupOf(stack).library,
      ({ stack }) => ({ kind: 'library' as const, group: groupOf(stack).library, functionName: '' }),
      countedOnce,
    ).filter(({ group }) => group !== '');
    return {
      recording: name,
      layers,
      operations: operations.slice(0, MOST_OPERATIONS),
      operationsLeftOut: Math.max(0, operations.length - MOST_OPERATIONS),
      functions,
      libraries,
      hasDurations: trace.capabilities.duration,
      ...(shares !== undefined && { shares }),
      ...(times !== undefined && { functionTimes: times }),
    };
  }

  /** Sums of cells with the same key, most exclusive time first, then most calls. */
  private grouped<About>(
    keyOf: (cell: Cells['keys'][number]) => string,
    aboutOf: (cell: Cells['keys'][number]) => About,
    amountOf: (sum: Sum) => SummaryAmount,
  ): (About & SummaryAmount)[] {
    const sums = new Map<string, { about: About; sum: Sum }>();
    this.keys.forEach((cell, at) => {
      const key = keyOf(cell);
      const entry = getOrCreate(sums, key, () => ({ about: aboutOf(cell), sum: nothing() }));
      for (const amount of AMOUNTS) entry.sum[amount] += this.sums[at]![amount];
    });
    const rows = [...sums.values()].map(({ about, sum }) => ({ ...about, ...amountOf(sum) }));
    return rows.sort((a, b) => b.exclusiveNs - a.exclusiveNs || b.calls - a.calls);
  }

  private groupOf(stack: number): Group {
    const unknown = { kind: 'unknown', group: '', functionName: '' } as const;
    if (stack === NONE) return { caller: unknown, library: '' };
    const { trace, resolved, callSites, localSource } = this.recording;
    const innermost = chainOf(trace, resolved, stack)[0];
    const library = innermost?.isLibrary === true ? innermost.module : '';
    const site = callSites.sites[callSites.siteOfNode[stack] ?? NONE];
    if (site === undefined) return { caller: unknown, library };
    const { file, module, functionName } = site;
    const group = file === '' ? module : localSource(file).file;
    return { caller: { kind: 'source', group, functionName }, library };
  }
}

interface Group {
  readonly caller: Pick<FunctionSummary, 'kind' | 'group' | 'functionName'>;
  /** Path of the module, or ''. */
  readonly library: string;
}
