import type { Trace } from '../../trace/trace.ts';

/** Processes numbered from 1: the kernel's numbers are unique on one host only. */
export class EventProcesses {
  readonly ofStream: readonly number[];
  /** By number less one. */
  readonly labels: string[] = [];
  readonly hosts: string[] = [];

  constructor(trace: Trace) {
    const numbers = new Map<string, number>();
    this.ofStream = trace.streams.map(({ host, processId, part, rank }) => {
      const { run } = trace.parts[part]!;
      const key = JSON.stringify([host, processId, run, rank]);
      let number = numbers.get(key);
      if (number === undefined) {
        number = numbers.size + 1;
        numbers.set(key, number);
        const process = rank === undefined ? `process ${processId}` : `rank ${rank}`;
        this.labels.push(host === '' ? process : `${host}: ${process}`);
        this.hosts.push(host);
      }
      return number;
    });
  }
}

/** What a track is called: the thread, or the rank whose main thread it is. */
export function trackName(
  { streams }: Trace,
  { stream, lane }: { readonly stream: number; readonly lane: number },
): string {
  const { pid, processId, rank } = streams[stream]!;
  const isMain = rank !== undefined && pid === processId;
  const name = isMain ? `rank ${rank}` : `thread ${pid}`;
  return lane === 0 ? name : `${name} (overlapping ${lane})`;
}
