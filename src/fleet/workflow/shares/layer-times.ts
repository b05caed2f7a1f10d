import { forEachByStart } from '../../../analysis/dfg/event-order.ts';
import { NestedTime } from '../../../analysis/timeline/nested-time.ts';
import { LAYERS, OPERATION, type Layer } from '../../../trace/calls.ts';
import { EVENT_FLAGS, NONE, NOT_COUNTED } from '../../../trace/events.ts';
import type { Trace } from '../../../trace/trace.ts';

interface CallTimes {
  calls: number;
  bytes: number;
  /** Without what the same process or thread spent meanwhile in a lower layer. */
  seconds: number;
}

/** I/O calls by layer. */
export type LayerTimes = ReadonlyMap<Layer, Readonly<CallTimes>>;

/** What single calls amount to. */
interface TimesOfCalls {
  readonly layers: LayerTimes;
  /** Messages and transfers through sockets and pipes: communication with other processes. */
  readonly sockets: Readonly<CallTimes>;
  readonly pipes: Readonly<CallTimes>;
  /** Seconds in which processes did nothing but wait for their children, which do the work. */
  readonly waitingForChildren: number;
}

const WAITS_FOR_CHILDREN = /^wait(4|id|pid)?$/;
const NOT_MEASURED_HERE = NOT_COUNTED | EVENT_FLAGS.nonBlocking;

const nothing = (): CallTimes => ({ calls: 0, bytes: 0, seconds: 0 });

/** One pass over the calls in the order of time. */
export function timesOfCalls(trace: Trace): TimesOfCalls {
  const { events, calls, files } = trace;
  const layers = LAYERS.map(nothing);
  const sockets = nothing();
  const pipes = nothing();
  const cells = [...layers, sockets, pipes];
  const waits = calls.names.map((name) => WAITS_FOR_CHILDREN.test(name));
  const nested = new NestedTime(trace.streams.length);
  let waitingForChildren = 0;
  forEachByStart(events, (chunk, from, to) => {
    for (let i = from; i < to; i++) {
      if ((chunk.flags[i]! & NOT_MEASURED_HERE) !== 0) continue;
      const duration = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
      const operation = calls.operation[chunk.call[i]!]!;
      if (operation === OPERATION.other) {
        if (waits[chunk.call[i]!]) waitingForChildren += duration / 1e9;
        continue;
      }
      const kind = chunk.file[i] === NONE ? undefined : files.at(chunk.file[i]!).kind;
      const isSocket = operation === OPERATION.message || kind === 'socket';
      const cell = isSocket ? LAYERS.length : kind === 'pipe' ? LAYERS.length + 1 : chunk.layer[i]!;
      const times = cells[cell]!;
      times.calls++;
      times.bytes += chunk.bytes[i]!;
      times.seconds += duration / 1e9;
      const start = chunk.start[i]!;
      if (duration === 0 || Number.isNaN(start)) continue;
      const call = { layer: chunk.layer[i]!, start, end: start + duration, cell };
      nested.enter(chunk.stream[i]!, call, (owner, ns) => {
        cells[owner]!.seconds -= ns / 1e9;
      });
    }
  });
  return {
    layers: new Map(LAYERS.map((layer, index) => [layer, layers[index]!] as const).filter(([, { calls: n }]) => n > 0)),
    sockets,
    pipes,
    waitingForChildren,
  };
}
