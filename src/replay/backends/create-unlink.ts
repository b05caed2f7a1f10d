import type { Backend, BackendKind, BackendReport, ReplayCall } from './backend.ts';
import { durationText } from './words.ts';

/** Durations kept for the median of one task; of more a sample, spread evenly. */
const MOST_KEPT = 100_000;

/** Durations of one kind of call, in seconds. */
interface Durations {
  calls: number;
  seconds: number;
  least: number;
  most: number;
  kept: number[];
  /** One of so many is kept. */
  step: number;
}

function noDurations(): Durations {
  return { calls: 0, seconds: 0, least: Infinity, most: 0, kept: [], step: 1 };
}

class CreateUnlinkTimer implements Backend {
  private readonly durations = { create: noDurations(), unlink: noDurations() };

  end(call: ReplayCall, _moved: number, seconds: number, _now: number, times: number): void {
    if (call.effect === 'none') return;
    const durations = this.durations[call.effect];
    const each = seconds / times;
    if (durations.calls % durations.step === 0) durations.kept.push(each);
    durations.calls += times;
    durations.seconds += seconds;
    durations.least = Math.min(durations.least, each);
    durations.most = Math.max(durations.most, each);
    if (durations.kept.length < MOST_KEPT) return;
    durations.kept = durations.kept.filter((_, index) => index % 2 === 0);
    durations.step *= 2;
  }

  state(): { create: Durations; unlink: Durations } {
    return this.durations;
  }
}

/**
 * "prints statistics how long it took (min, max, mean, average) to create files and to unlink files": mean and average
 * are one, so the fourth is the median here. To create is to open with the flag that makes a file.
 */
export const createUnlink: BackendKind = {
  name: 'CreateUnlink',
  describes: 'how long creating and unlinking files took: least, most, mean, median',
  start: () => new CreateUnlinkTimer(),
  report: (states): BackendReport => {
    const all = states as readonly { create: Durations; unlink: Durations }[];
    const create = statistics(all.map((state) => state.create));
    const unlink = statistics(all.map((state) => state.unlink));
    return {
      backend: 'CreateUnlink',
      text: [line('create', create), line('unlink', unlink)],
      values: { create, unlink },
    };
  },
};

/** Seconds; absent where there were no calls. */
interface Statistics {
  readonly calls: number;
  readonly min?: number;
  readonly max?: number;
  readonly mean?: number;
  readonly median?: number;
}

function statistics(tasks: readonly Durations[]): Statistics {
  const calls = tasks.reduce((total, task) => total + task.calls, 0);
  if (calls === 0) return { calls };
  // A task that kept one of two counts as much for each of them as one that kept all.
  const coarsest = Math.max(...tasks.map((task) => task.step));
  const kept = tasks.flatMap((task) => task.kept.filter((_, index) => (index * task.step) % coarsest === 0));
  kept.sort((a, b) => a - b);
  const middle = kept.length >> 1;
  return {
    calls,
    min: tasks.reduce((least, task) => Math.min(least, task.least), Infinity),
    max: tasks.reduce((most, task) => Math.max(most, task.most), 0),
    mean: tasks.reduce((total, task) => total + task.seconds, 0) / calls,
    median: kept.length % 2 === 1 ? kept[middle]! : (kept[middle - 1]! + kept[middle]!) / 2,
  };
}

function line(what: string, { calls, min, max, mean, median }: Statistics): string {
  if (min === undefined) return `${what}: no calls`;
  const [least, most, average, middle] = [min, max!, mean!, median!].map(durationText);
  return `${what}: ${calls} calls, min ${least!}, max ${most!}, mean ${average!}, median ${middle!}`;
}
