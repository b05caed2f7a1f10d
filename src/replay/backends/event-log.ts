import type { Backend, BackendKind, BackendReport, ReplayCall } from './backend.ts';

/** A call with its place in the order of all begins and ends of all tasks. */
export interface LoggedCall {
  readonly task: number;
  readonly operation: string;
  readonly bytes: number;
  readonly begin: number;
  readonly end: number;
}

/** Calls that one task logs. */
const MOST_LOGGED = 100_000;

class CallLog implements Backend {
  private readonly calls: Omit<LoggedCall, 'task'>[] = [];
  private left = 0;
  private began = 0;

  constructor(private readonly nextNumber: () => number) {}

  begin(): void {
    this.began = this.nextNumber();
  }

  end(call: ReplayCall, moved: number): void {
    const end = this.nextNumber();
    if (this.calls.length >= MOST_LOGGED) this.left++;
    else this.calls.push({ operation: call.operation, bytes: moved, begin: this.began, end });
  }

  state(): { calls: Omit<LoggedCall, 'task'>[]; left: number } {
    return { calls: this.calls, left: this.left };
  }
}

/** Ours: "this way the backend can generate traces". */
export const eventLog: BackendKind = {
  name: 'EventLog',
  describes: 'the order in which the calls of all tasks began and ended',
  start: (nextNumber) => new CallLog(nextNumber),
  report: (states): BackendReport => {
    const tasks = states as readonly { calls: Omit<LoggedCall, 'task'>[]; left: number }[];
    const calls: LoggedCall[] = tasks.flatMap((state, task) => state.calls.map((call) => ({ task, ...call })));
    calls.sort((a, b) => a.begin - b.begin);
    const left = tasks.reduce((total, state) => total + state.left, 0);
    const text = calls.map(
      ({ task, operation, bytes, begin, end }) => `${begin}–${end} task ${task}: ${operation} ${bytes} B`,
    );
    if (left > 0) text.push(`${left} more calls: a task logs ${MOST_LOGGED}`);
    return { backend: 'EventLog', text, values: { calls, left } };
  },
};
