/**
 * What orders the tasks of a replay among each other: tokens, barriers and locks in memory that their threads share.
 * Who waits, and for what, is known at each moment, so the last task that goes to wait sees that nobody is left.
 */

/** All tasks wait for each other, or for tasks that have ended. */
export class DeadlockError extends Error {
  override name = 'DeadlockError';
}

/** Another task failed: this one ends too, without a word of its own. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}

const STATE = { running: 0, awaitsToken: 1, awaitsBarrier: 2, awaitsLock: 3, ended: 4 } as const;
/** Words before those of the tasks: the mutex, whether to stop, the last number that was given out. */
const HEADER = 3;
const MUTEX = 0;
const STOP = 1;
const SEQUENCE = 2;
/** Files that can be locked in one replay. */
const MOST_LOCKS = 1024;
/** A lock's name, its exclusive holder (rank + 1), its shared holders. */
const LOCK_WORDS = 3;

/** The memory for so many tasks and barriers; its size grows with the square of the tasks. */
export function synchronisationMemory(size: number, barriers: number): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * (HEADER + 2 * size + size * size + barriers + MOST_LOCKS * LOCK_WORDS));
}

/** One task's side of it. */
export class Synchronisation {
  private readonly words: Int32Array;
  private readonly states: number;
  private readonly awaited: number;
  private readonly tokens: number;
  private readonly arrivals: number;
  private readonly locks: number;

  /**
   * @param barriers the tasks that meet at each barrier, the same for all tasks.
   */
  constructor(
    memory: SharedArrayBuffer,
    private readonly size: number,
    private readonly rank: number,
    private readonly barriers: readonly (readonly number[])[],
  ) {
    this.words = new Int32Array(memory);
    this.states = HEADER;
    this.awaited = this.states + size;
    this.tokens = this.awaited + size;
    this.arrivals = this.tokens + size * size;
    this.locks = this.arrivals + barriers.length;
  }

  /** Numbers events of all tasks in the order in which they happen. */
  nextNumber(): number {
    return Atomics.add(this.words, SEQUENCE, 1);
  }

  get isStopped(): boolean {
    return Atomics.load(this.words, STOP) === 1;
  }

  /** Leaves a token for another task. */
  send(to: number): void {
    this.exclusively(() => {
      if (this.isAwaiting(to, STATE.awaitsToken, this.rank)) this.wake(to);
      else Atomics.add(this.words, this.tokens + this.rank * this.size + to, 1);
    });
  }

  /** Takes a token of another task, when there is one. */
  receive(from: number): void {
    this.waitUnless(STATE.awaitsToken, from, () => {
      const cell = this.tokens + from * this.size + this.rank;
      if (Atomics.load(this.words, cell) === 0) return false;
      Atomics.sub(this.words, cell, 1);
      return true;
    });
  }

  /** Goes on when all tasks of the barrier are here. */
  meet(barrier: number): void {
    const members = this.barriers[barrier]!;
    this.waitUnless(STATE.awaitsBarrier, barrier, () => {
      if (Atomics.add(this.words, this.arrivals + barrier, 1) + 1 < members.length) return false;
      Atomics.store(this.words, this.arrivals + barrier, 0);
      for (const member of members) if (this.isAwaiting(member, STATE.awaitsBarrier, barrier)) this.wake(member);
      return true;
    });
  }

  /**
   * Waits for a lock among the tasks of this replay.
   * @throws RangeError when more files are locked than there is room for.
   */
  lock(name: number, shared: boolean): void {
    const entry = this.exclusively(() => this.lockEntry(name));
    // Both kinds of waiting are told apart by the lowest bit.
    this.waitUnless(STATE.awaitsLock, entry * 2 + (shared ? 1 : 0), () => this.acquire(entry, this.rank, shared));
  }

  unlock(name: number, shared: boolean): void {
    this.exclusively(() => {
      const entry = this.lockEntry(name);
      const base = this.locks + entry * LOCK_WORDS;
      if (shared) Atomics.sub(this.words, base + 2, 1);
      else Atomics.store(this.words, base + 1, 0);
      for (let task = 0; task < this.size; task++)
        for (const kind of [0, 1])
          if (this.isAwaiting(task, STATE.awaitsLock, entry * 2 + kind) && this.acquire(entry, task, kind === 1))
            this.wake(task);
    });
  }

  /** This task is done: whoever waits for it waits in vain. */
  end(): void {
    this.exclusively(() => {
      Atomics.store(this.words, this.states + this.rank, STATE.ended);
      this.refuseDeadlock();
    });
  }

  /** Ends the replay: all tasks stop at their next operation. */
  stop(): void {
    this.exclusively(() => this.stopAll());
  }

  private stopAll(): void {
    Atomics.store(this.words, STOP, 1);
    for (let task = 0; task < this.size; task++) if (this.stateOf(task) !== STATE.ended) this.wake(task);
  }

  private waitUnless(state: number, awaited: number, ready: () => boolean): void {
    const waits = this.exclusively(() => {
      if (this.isStopped || ready()) return false;
      Atomics.store(this.words, this.awaited + this.rank, awaited);
      Atomics.store(this.words, this.states + this.rank, state);
      this.refuseDeadlock();
      return true;
    });
    // Whoever wakes this task has done for it what it waited for.
    while (waits && this.stateOf(this.rank) === state) Atomics.wait(this.words, this.states + this.rank, state);
    if (this.isStopped) throw new StoppedError('another task failed');
  }

  private acquire(entry: number, task: number, shared: boolean): boolean {
    const base = this.locks + entry * LOCK_WORDS;
    const isFree = Atomics.load(this.words, base + 1) === 0;
    if (!isFree || (!shared && Atomics.load(this.words, base + 2) > 0)) return false;
    if (shared) Atomics.add(this.words, base + 2, 1);
    else Atomics.store(this.words, base + 1, task + 1);
    return true;
  }

  private lockEntry(name: number): number {
    // 0 is a free entry.
    const wanted = name | 1;
    for (let entry = 0; entry < MOST_LOCKS; entry++) {
      const cell = this.locks + entry * LOCK_WORDS;
      const found = Atomics.load(this.words, cell);
      if (found === 0) Atomics.store(this.words, cell, wanted);
      if (found === 0 || found === wanted) return entry;
    }
    throw new RangeError(`more than ${MOST_LOCKS} files are locked`);
  }

  private stateOf(task: number): number {
    return Atomics.load(this.words, this.states + task);
  }

  private isAwaiting(task: number, state: number, what: number): boolean {
    return this.stateOf(task) === state && Atomics.load(this.words, this.awaited + task) === what;
  }

  private wake(task: number): void {
    Atomics.store(this.words, this.states + task, STATE.running);
    Atomics.notify(this.words, this.states + task);
  }

  /** @throws DeadlockError when no task runs and some wait. */
  private refuseDeadlock(): void {
    const waiting: string[] = [];
    for (let task = 0; task < this.size; task++) {
      const state = this.stateOf(task);
      if (state === STATE.running) return;
      if (state !== STATE.ended) waiting.push(this.describe(task, state));
    }
    if (waiting.length === 0 || this.isStopped) return;
    this.stopAll();
    throw new DeadlockError(`deadlock: ${waiting.join('; ')}`);
  }

  private describe(task: number, state: number): string {
    const awaited = Atomics.load(this.words, this.awaited + task);
    const ended = (other: number): string => (this.stateOf(other) === STATE.ended ? ', which has ended' : '');
    if (state === STATE.awaitsToken) return `task ${task} waits for a token of task ${awaited}${ended(awaited)}`;
    if (state === STATE.awaitsLock) {
      const holder = Atomics.load(this.words, this.locks + (awaited >> 1) * LOCK_WORDS + 1) - 1;
      const by = holder >= 0 ? `task ${holder} holds${ended(holder)}` : 'others hold as readers';
      return `task ${task} waits for a lock that ${by}`;
    }
    const missing = this.barriers[awaited]!.filter(
      (member) => !this.isAwaiting(member, STATE.awaitsBarrier, awaited),
    ).map((member) => `task ${member}${ended(member)}`);
    return `task ${task} waits in a barrier for ${missing.join(' and ')}`;
  }

  /** Runs what no other task may do meanwhile. */
  exclusively<Result>(act: () => Result): Result {
    while (Atomics.compareExchange(this.words, MUTEX, 0, 1) !== 0) Atomics.wait(this.words, MUTEX, 1);
    try {
      return act();
    } finally {
      Atomics.store(this.words, MUTEX, 0);
      Atomics.notify(this.words, MUTEX, 1);
    }
  }
}
