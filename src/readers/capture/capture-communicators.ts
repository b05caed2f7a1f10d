import type { Communicator } from '../../trace/definitions.ts';
import { NONE } from '../../trace/events.ts';
import type { Stream } from '../../trace/trace.ts';
import type { CommunicatorDefinition } from './definitions.ts';

const SELF = 'MPI_COMM_SELF';
/** Members of all communicators that are listed; each takes a number in memory, however few bytes say it. */
const MOST_MEMBERS = 1 << 24;

/** Groups of processes: each process numbers its own, and those with the same name and members are one. */
export class CaptureCommunicators {
  private readonly definitions: CommunicatorDefinition[] = [];
  private readonly indices = new Map<string, number>();

  /** @param process any text that tells processes apart. @returns its index in the trace. */
  intern(definition: CommunicatorDefinition, process: string): number {
    const { name, size, runs } = definition;
    const isWhole = runs.reduce((sum, { count }) => sum + count, 0) === size;
    const key = name === SELF ? name : JSON.stringify([name, size, runs, isWhole ? '' : process]);
    let index = this.indices.get(key);
    if (index === undefined) {
      index = this.definitions.push(definition) - 1;
      this.indices.set(key, index);
    }
    return index;
  }

  /** Members are the first streams of their ranks. */
  list(streams: readonly Stream[]): Communicator[] {
    const streamOfRank = new Map<number, number>();
    streams.forEach(({ rank }, stream) => {
      if (rank !== undefined && !streamOfRank.has(rank)) streamOfRank.set(rank, stream);
    });
    let left = MOST_MEMBERS;
    return this.definitions.map(({ name, runs }) => {
      const isSelf = name === SELF;
      const members: number[] = [];
      const count = runs.reduce((sum, run) => sum + run.count, 0);
      if (!isSelf && count <= left) {
        left -= count;
        for (const { first, step, count: ranks } of runs)
          for (let i = 0; i < ranks; i++) members.push(streamOfRank.get(first + i * step) ?? NONE);
      }
      return { name, members, parent: NONE, isSelf };
    });
  }
}
