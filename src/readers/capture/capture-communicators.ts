import type { Communicator } from '../../trace/definitions.ts';
import { NONE } from '../../trace/events.ts';
import type { Stream } from '../../trace/trace.ts';
import type { CommunicatorDefinition } from './definitions.ts';

const SELF = 'MPI_COMM_SELF';

/** Groups of processes: each process numbers its own, and those with the same name and members are one. */
export class CaptureCommunicators {
  private readonly definitions: CommunicatorDefinition[] = [];
  private readonly indices = new Map<string, number>();

  /** @param process any text that tells processes apart. @returns its index in the trace. */
  intern(definition: CommunicatorDefinition, process: string): number {
    const { name, size, ranks } = definition;
    const isWhole = name === SELF || ranks.length === size;
    const key = name === SELF ? name : JSON.stringify([name, size, ranks, isWhole ? '' : process]);
    let index = this.indices.get(key);
    if (index === undefined) {
      index = this.definitions.push(definition) - 1;
      this.indices.set(key, index);
    }
    return index;
  }

  list(streams: readonly Stream[]): Communicator[] {
    const streamOfRank = new Map<number, number>();
    streams.forEach(({ rank }, stream) => {
      if (rank !== undefined && !streamOfRank.has(rank)) streamOfRank.set(rank, stream);
    });
    return this.definitions.map(({ name, ranks }) => ({
      name,
      members: name === SELF ? [] : ranks.map((rank) => streamOfRank.get(rank) ?? NONE),
      parent: NONE,
      isSelf: name === SELF,
    }));
  }
}
