/** Exit statuses of the command; 0 is "done", 1 "done, and --fail-on was met". */
export const STATUS = {
  /** `fleet history --alarm`: a kind of jobs has become worse. */
  alarm: 1,
  /** A trial showed that results change, or not that the finding is gone. */
  notProven: 1,
  usage: 2,
  unreadable: 3,
  /** What was asked for could do harm. */
  refused: 4,
} as const;
