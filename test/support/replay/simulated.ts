import { OPEN_MODE } from '../../../src/trace/events.ts';
import type { RecordedReplay, RecordedStep } from '../../../src/replay/from-recording/recorded-replay.ts';

/** Files by path: who wrote each byte (rank, and the how-manieth byte of its to this path); 0 for nobody. */
type Contents = Map<string, string[]>;

/** What a replay does to files that are in memory. */
export interface Simulated {
  readonly files: Contents;
  /** All bytes that each task read of each path, one behind the other. */
  readonly reads: Record<string, string[]>;
  readonly requests: number;
}

interface Open {
  path: string;
  content: string[];
  position: number;
  appends: boolean;
}

/** Runs the tasks of a replay step by step. */
class Simulation {
  readonly files: Contents = new Map();
  readonly reads: Record<string, string[]> = {};
  requests = 0;
  private readonly written = new Map<string, number>();
  private readonly open: Map<number, Open>[];
  private readonly tokens = new Map<string, number>();
  private readonly arrived = new Map<string, Set<number>>();

  constructor(
    private readonly replay: RecordedReplay,
    private readonly heedsTokens: boolean,
  ) {
    for (const { path, bytes } of replay.inputs) this.files.set(path, new Array<string>(bytes).fill('input'));
    this.open = replay.tasks.map(() => new Map<number, Open>());
  }

  /** @returns false when the task has to wait. */
  step(rank: number, { operation }: RecordedStep): boolean {
    switch (operation.operation) {
      case 'send_sync':
      case 'recv_sync':
        return this.token(rank, operation.operation === 'send_sync', Number(operation.peer));
      case 'barrier':
        return this.barrier(rank, operation.tasks ?? this.replay.tasks.map((_, task) => task));
      case 'open':
        this.opens(rank, operation);
        break;
      case 'close':
        this.open[rank]!.delete(operation.slot);
        break;
      case 'read':
      case 'write':
      case 'pread':
      case 'pwrite':
        this.transfer(rank, operation as never);
        break;
      case 'seek':
        this.at(rank, operation.slot).position = Number(operation.offset);
        break;
      case 'truncate': {
        const { content } = this.at(rank, operation.slot);
        const length = Number(operation.length);
        while (content.length < length) content.push('0');
        content.length = length;
        break;
      }
      case 'unlink':
        if (!this.files.delete(operation.path)) throw new Error(`no ${operation.path}`);
        break;
      case 'rename':
        if (!this.files.has(operation.path)) throw new Error(`no ${operation.path}`);
        this.files.set(operation.to, this.files.get(operation.path)!);
        this.files.delete(operation.path);
        break;
      case 'stat':
        if (!this.files.has(operation.path)) throw new Error(`no ${operation.path}`);
        break;
      default:
      // Changes no bytes.
    }
    return true;
  }

  private at(rank: number, slot: number): Open {
    const open = this.open[rank]!.get(slot);
    if (open === undefined) throw new Error(`rank ${rank} has nothing open as ${slot}`);
    return open;
  }

  private opens(rank: number, { slot, path, mode }: { slot: number; path: string; mode: number }): void {
    if (this.open[rank]!.has(slot)) throw new Error(`rank ${rank} has ${slot} open already`);
    let content = this.files.get(path);
    if (content !== undefined && mode & OPEN_MODE.exclusive) throw new Error(`${path} is there already`);
    if (content === undefined && !(mode & OPEN_MODE.create)) throw new Error(`no ${path}`);
    if (content === undefined) this.files.set(path, (content = []));
    if (mode & OPEN_MODE.truncate) content.length = 0;
    this.open[rank]!.set(slot, { path, content, position: 0, appends: (mode & OPEN_MODE.append) !== 0 });
  }

  private transfer(
    rank: number,
    { operation, slot, bytes, offset }: { operation: string; slot: number; bytes: number; offset?: number },
  ): void {
    this.requests++;
    const open = this.at(rank, slot);
    const { content, path } = open;
    const reads = operation.endsWith('read');
    const begin = open.appends && !reads ? content.length : (offset ?? open.position);
    if (reads) {
      const got = content.slice(begin, begin + bytes);
      if (got.length < bytes) throw new Error(`rank ${rank} reads ${bytes} bytes of ${path} and gets ${got.length}`);
      (this.reads[`${rank} ${path}`] ??= []).push(...got);
    } else {
      while (content.length < begin) content.push('0');
      for (let i = 0; i < bytes; i++) {
        const number = (this.written.get(`${rank} ${path}`) ?? 0) + 1;
        this.written.set(`${rank} ${path}`, number);
        content[begin + i] = `${rank}:${number}`;
      }
    }
    if (offset === undefined) open.position = begin + bytes;
  }

  private token(rank: number, sends: boolean, peer: number): boolean {
    if (!this.heedsTokens) return true;
    const key = sends ? `${rank} ${peer}` : `${peer} ${rank}`;
    const count = this.tokens.get(key) ?? 0;
    if (!sends && count === 0) return false;
    this.tokens.set(key, count + (sends ? 1 : -1));
    return true;
  }

  private barrier(rank: number, tasks: readonly number[]): boolean {
    if (!this.heedsTokens) return true;
    const key = tasks.join(' ');
    let arrived = this.arrived.get(key);
    if (arrived === undefined) this.arrived.set(key, (arrived = new Set()));
    // Who was let through takes itself out; the last one makes room for the next time.
    if (arrived.has(-1)) {
      arrived.delete(rank);
      if (arrived.size === 1) arrived.delete(-1);
      return true;
    }
    arrived.add(rank);
    if (arrived.size < tasks.length) return false;
    arrived.add(-1);
    return this.barrier(rank, tasks);
  }
}

/** Runs a replay, its tasks interleaved at random as its tokens allow. @throws Error where the tasks wait for each other. */
export function simulated(replay: RecordedReplay, below: (bound: number) => number): Simulated {
  const simulation = new Simulation(replay, true);
  const next = replay.tasks.map(() => 0);
  for (;;) {
    const ready = next.flatMap((at, rank) => (at < replay.tasks[rank]!.steps.length ? [rank] : []));
    if (ready.length === 0) return simulation;
    let moved = false;
    // Any order of those that can go on.
    for (const rank of ready
      .map((rank) => [below(1000), rank] as const)
      .sort()
      .map(([, rank]) => rank)) {
      if (!simulation.step(rank, replay.tasks[rank]!.steps[next[rank]!]!)) continue;
      next[rank]!++;
      moved = true;
      break;
    }
    if (!moved) throw new Error(`all tasks wait: ${next.join(' ')}`);
  }
}

/** What the recorded calls themselves do, in the order of their times: tokens are not looked at. */
export function asRecorded(replay: RecordedReplay): Simulated {
  const simulation = new Simulation(replay, false);
  const steps = replay.tasks.flatMap(({ steps: all }, rank) => {
    let latest = 0;
    return all
      .filter(({ operation }) => !/sync|barrier/.test(operation.operation))
      .map((step, at) => ({ rank, at, step, time: (latest = Math.max(latest, step.startNs)) }));
  });
  steps.sort((a, b) => a.time - b.time || a.rank - b.rank || a.at - b.at);
  for (const { rank, step } of steps) simulation.step(rank, step);
  return simulation;
}
