/** Exit statuses of the command; 0 is "done", 1 "done, and --fail-on was met". */
export const STATUS = { usage: 2, unreadable: 3 } as const;
