import type { Communicator } from '../../trace/definitions.ts';
import { NONE } from '../../trace/events.ts';
import { streamsOfRanks } from '../../trace/ranks.ts';
import type { Stream } from '../../trace/trace.ts';
import type { CommunicatorDefinition, RankRun } from './definitions.ts';

const SELF = 'MPI_COMM_SELF';
/** Members of all communicators that are listed; what has more is junk, or a job of more than any machine can do. */
const MOST_MEMBERS = 1 << 24;

/**
 * Groups of processes: each process numbers its own. Of those with the same name and members the first that each process uses
 * are one, the second, and so on.
 */
export class CaptureCommunicators {
  private readonly definitions: CommunicatorDefinition[] = [];
  private readonly indices = new Map<string, number>();
  /** How many of the same name and members a process has. */
  private readonly known = new Map<string, number>();
  /** Indices of communicators of which others have the same name and members. */
  readonly twins = new Set<number>();

  /** @param process any text that tells processes apart. @returns its index in the trace. */
  intern(definition: CommunicatorDefinition, process: string): number {
    const { name, size, runs } = definition;
    const isWhole = name === SELF || runs.reduce((sum, { ranks }) => sum + ranks, 0) === size;
    const alike = name === SELF ? name : JSON.stringify([name, size, runs, isWhole ? '' : process]);
    const before = name === SELF ? 0 : (this.known.get(`${process} ${alike}`) ?? 0);
    this.known.set(`${process} ${alike}`, before + 1);
    const key = `${alike} ${before}`;
    let index = this.indices.get(key);
    if (index === undefined) {
      index = this.definitions.push(definition) - 1;
      this.indices.set(key, index);
    }
    if (before > 0) this.twins.add(index).add(this.indices.get(`${alike} 0`)!);
    return index;
  }

  list(streams: readonly Stream[]): Communicator[] {
    const streamOfRank = streamsOfRanks(streams);
    let room = MOST_MEMBERS;
    return this.definitions.map(({ name, runs }) => {
      const isSelf = name === SELF;
      const members = isSelf ? [] : ranksOf(runs, room).map((rank) => streamOfRank.get(rank) ?? NONE);
      room -= members.length;
      return { name, members, parent: NONE, isSelf };
    });
  }
}

/** The ranks of runs, as far as there is room for them. */
function ranksOf(runs: readonly RankRun[], room: number): number[] {
  const listed: number[] = [];
  for (const { first, step, ranks } of runs) {
    if (listed.length + ranks > room) break;
    for (let i = 0; i < ranks; i++) listed.push(first + i * step);
  }
  return listed;
}
