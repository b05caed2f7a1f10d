import type { Communicator } from '../../trace/definitions.ts';
import { NONE } from '../../trace/events.ts';

const WORLD = 'MPI_COMM_WORLD';
const SELF = 'MPI_COMM_SELF';
/** Names that stand for no communicator, or for any. */
const NAMELESS: ReadonlySet<string> = new Set(['', 'MPI_COMM_UNKNOWN', 'MPI_COMM_NULL', '%p']);

/** Groups of processes by the names that Recorder gives them: a creator's rank and a counter, the same on all members. */
export class Communicators {
  private readonly names: string[] = [];
  private readonly members: number[][] = [];
  private readonly parents: number[] = [];
  private readonly indices = new Map<string, number>();

  /** @param ranks number of processes; the stream of a rank has its number. */
  constructor(private readonly ranks: number) {}

  /** Index of a communicator, NONE when the name tells nothing. */
  intern(name: string): number {
    if (NAMELESS.has(name)) return NONE;
    let index = this.indices.get(name);
    if (index === undefined) {
      index = this.names.push(name) - 1;
      this.members.push(name === WORLD ? Array.from({ length: this.ranks }, (_, rank) => rank) : []);
      this.parents.push(NONE);
      this.indices.set(name, index);
    }
    return index;
  }

  /** A process became a member of a communicator that was made of another one. */
  join(name: string, parent: string, stream: number, rank: number): void {
    const index = this.intern(name);
    if (index === NONE || !(rank >= 0 && rank < this.ranks)) return;
    const members = this.members[index]!;
    while (members.length <= rank) members.push(NONE);
    members[rank] = stream;
    this.parents[index] = this.intern(parent);
  }

  /** The stream of a rank within a communicator, NONE when unknown. */
  member(index: number, rank: number): number {
    return this.members[index]?.[rank] ?? NONE;
  }

  /** Number of members, NaN when unknown. */
  size(index: number): number {
    const length = this.members[index]?.length ?? 0;
    return length === 0 ? NaN : length;
  }

  list(): Communicator[] {
    return this.names.map((name, index) => ({
      name,
      members: this.members[index]!,
      parent: this.parents[index]!,
      isSelf: name === SELF,
    }));
  }
}
