/** What the batch system is asked for, beside what is to run. */
export interface BatchOptions {
  /** Where tasks run; the system's own choice unless given. */
  readonly partition?: string;
  /** Limit of a task, in the system's notation. */
  readonly time?: string;
  /** Processors of a task. */
  readonly cpus: number;
  /** Tasks that run at once. */
  readonly maxRunning?: number;
  /** Passed on as they are, one word each. */
  readonly words: readonly string[];
}

/** Work for the batch system. */
export interface BatchWork {
  readonly name: string;
  /** Absolute: where it runs, and where its output goes. */
  readonly folder: string;
  /** Program and words; no shell takes them apart. */
  readonly command: readonly string[];
}

/** Tasks that are not over. */
export interface OpenTasks {
  readonly waiting: number;
  readonly running: number;
}

/** A system that runs programs on the nodes of a cluster: Slurm, or another with arrays of tasks. */
export interface BatchSystem {
  readonly name: string;
  /** Tasks that an array may have. */
  mostTasks(): Promise<number>;
  /**
   * Starts a task for each number, with `FOLDER/NUMBER.json` as the last word of its command.
   * @returns the number of the job.
   * @throws Error in words for the user.
   */
  submitArray(work: BatchWork, numbers: readonly number[], options: BatchOptions): Promise<string>;
  /** Starts it when all tasks of a job are over, however they ended. @throws Error in words for the user. */
  submitAfter(job: string, work: BatchWork, options: BatchOptions): Promise<string>;
  /** @throws Error in words for the user when the system gives no answer. */
  openTasks(job: string): Promise<OpenTasks>;
}
