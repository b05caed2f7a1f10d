/** For recorders that have no option for call stacks. */
export const RECORD_SMALL_CASE = 'record a small case of the program with "iolens record" (strace -k)';
