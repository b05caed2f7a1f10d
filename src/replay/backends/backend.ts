/**
 * Back ends of a replay (Knüpfer et al., section 5): each is told of the begin and the end of every call, and says
 * something about all of them afterwards.
 */

/** Operations as back ends see them; `open` with the flag says whether the call may have made the file. */
export interface ReplayCall {
  /** As in the program: `pread`, `buf_write`, `mpi_read`, … */
  readonly operation: string;
  readonly direction: 'read' | 'write' | 'none';
  /** Bytes asked for; 0 for calls that move none. */
  readonly bytes: number;
  readonly effect: 'create' | 'unlink' | 'none';
  /** Whether its time counts as time inside I/O: not for waiting on other tasks, and sleeping. */
  readonly isIo: boolean;
}

/** One task's side of a back end. Seconds are of a clock that never goes back. */
export interface Backend {
  begin?(call: ReplayCall, now: number): void;
  /**
   * @param moved bytes.
   * @param times how many such calls are told of at once, with their bytes and seconds in all: engines that measure by
   *   themselves sum up.
   */
  end(call: ReplayCall, moved: number, seconds: number, now: number, times: number): void;
  /** What it gathered, as plain data. */
  state(): unknown;
}

/** What a replay is known by when its back ends speak. */
export interface RunFacts {
  readonly size: number;
  /** From the first task's begin to the last one's end. */
  readonly seconds: number;
}

/** A statement of a back end. */
export interface BackendReport {
  readonly backend: string;
  /** Lines for a person. */
  readonly text: readonly string[];
  /** The same as data. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface BackendKind {
  readonly name: string;
  readonly describes: string;
  /** @param nextNumber numbers the events of all tasks in their order. */
  readonly start: (nextNumber: () => number) => Backend;
  readonly report: (states: readonly unknown[], run: RunFacts) => BackendReport;
}
