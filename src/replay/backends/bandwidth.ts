import type { Backend, BackendKind, BackendReport, ReplayCall, RunFacts } from './backend.ts';
import { bandwidthText, sizeText } from './words.ts';

interface Transfers {
  bytes: number;
  calls: number;
  /** Inside calls of this direction. */
  secondsInCalls: number;
  /** Inside all I/O of the task. */
  secondsInIo: number;
}

type Direction = 'read' | 'write';

class TransferCounter implements Backend {
  private readonly transfers: Transfers = { bytes: 0, calls: 0, secondsInCalls: 0, secondsInIo: 0 };

  constructor(private readonly direction: Direction) {}

  end(call: ReplayCall, moved: number, seconds: number, _now: number, times: number): void {
    if (call.isIo) this.transfers.secondsInIo += seconds;
    if (call.direction !== this.direction) return;
    this.transfers.bytes += moved;
    this.transfers.calls += times;
    this.transfers.secondsInCalls += seconds;
  }

  state(): Transfers {
    return this.transfers;
  }
}

/** Bytes per second; 0 where nothing took time. */
function rate(bytes: number, seconds: number): number {
  return seconds > 0 ? bytes / seconds : 0;
}

function sum(states: readonly Transfers[], value: (state: Transfers) => number): number {
  return states.reduce((total, state) => total + value(state), 0);
}

/** "the total read or write bandwidth …, defined as total bytes transferred divided by the total runtime" */
export function totalBandwidth(name: string, direction: Direction): BackendKind {
  return {
    name,
    describes: `bytes ${direction === 'read' ? 'read' : 'written'} by all tasks, over the time of the whole run`,
    start: () => new TransferCounter(direction),
    report: (states, run): BackendReport => {
      const all = states as readonly Transfers[];
      const bytes = sum(all, (state) => state.bytes);
      const calls = sum(all, (state) => state.calls);
      const bytesPerSecond = rate(bytes, run.seconds);
      const text = `${bandwidthText(bytesPerSecond)}: ${sizeText(bytes)} in ${calls} calls, ${run.seconds.toFixed(3)} s`;
      return { backend: name, text: [text], values: { bytesPerSecond, bytes, calls, seconds: run.seconds } };
    },
  };
}

/**
 * "like Read-/WriteBandwidth but does only use the time spent within I/O operations instead of the full runtime": of each
 * task its bytes over its own time inside all I/O; the sum over tasks, their mean, least and most.
 */
export function clientBandwidth(name: string, direction: Direction): BackendKind {
  return {
    name,
    describes: `the same for each task, over its time inside I/O calls; sum, mean, least and most of the tasks that ${direction}`,
    start: () => new TransferCounter(direction),
    report: (states: readonly unknown[], run: RunFacts): BackendReport => {
      const clients = (states as readonly Transfers[]).filter((state) => state.calls > 0);
      const rates = clients.map((state) => rate(state.bytes, state.secondsInIo));
      const bytesPerSecond = rates.reduce((total, value) => total + value, 0);
      const mean = clients.length === 0 ? 0 : bytesPerSecond / clients.length;
      const least = Math.min(...rates, ...(rates.length === 0 ? [0] : []));
      const most = Math.max(...rates, ...(rates.length === 0 ? [0] : []));
      const inCalls = clients.reduce((total, state) => total + rate(state.bytes, state.secondsInCalls), 0);
      const spread = `mean ${bandwidthText(mean)}, ${bandwidthText(least)} to ${bandwidthText(most)}`;
      const text = [
        `${bandwidthText(bytesPerSecond)} over ${clients.length} of ${run.size} tasks (${spread})`,
        `${bandwidthText(inCalls)} when only ${direction} calls count as time`,
      ];
      const values = { bytesPerSecond, mean, least, most, clients: clients.length, bytesPerSecondInCalls: inCalls };
      return { backend: name, text, values };
    },
  };
}
