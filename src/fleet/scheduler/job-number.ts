/** What the notations of a job's number say: `30_1.0`, `31.batch`, `30_[4-9%2]`, `42+1.0`. */
interface JobNumber {
  /** Without the step: `30_1`. */
  readonly job: string;
  readonly array: string | null;
  readonly task: number | null;
  /** What follows the point; null for the job itself. */
  readonly step: string | null;
}

const NUMBER = /^(?<base>\d+)(?:_(?:(?<task>\d+)|(?<rest>\[[^\]]*\]|\*))|\+\d+)?(?:\.(?<step>[\w+-]+))?$/;

export function parseJobNumber(text: string): JobNumber | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const { base, task, rest, step } = match.groups!;
  return {
    // What remains of an array that has not begun goes by the number of the array.
    job: rest === undefined ? text.split('.')[0]! : base!,
    array: task === undefined && rest === undefined ? null : base!,
    task: task === undefined ? null : Number(task),
    step: step ?? null,
  };
}

/** Steps of `srun`; `batch`, `extern` and `interactive` are none. */
export function isNumberedStep(step: string): boolean {
  return /^\d+(\+\d+)?$/.test(step);
}
