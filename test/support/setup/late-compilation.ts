/**
 * Options of Node: V8 optimises what runs for long only, not what ran for a moment. A test, and each command that it starts,
 * takes a second or less; on machines whose processors are all busy, a third of that went into code that soon ended.
 */
export const LATE_COMPILATION: readonly string[] = ['--interrupt-budget=500000'];
