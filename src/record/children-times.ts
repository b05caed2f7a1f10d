import { readFileSync } from 'node:fs';

/** Nanoseconds that processors worked for a process, in its own code and in the kernel. */
export interface Worked {
  readonly userNs: number;
  readonly systemNs: number;
}

/** The unit of /proc/PID/stat on Linux, whatever the kernel's clock: `getconf CLK_TCK` gives 100 everywhere. */
const TICK_NS = 1e7;

/**
 * What processors worked for the children of this process that have ended, and for those that they waited for (proc(5),
 * `cutime` and `cstime` of /proc/PID/stat); undefined where the system does not tell.
 */
export function workedForChildren(): Worked | undefined {
  try {
    const text = readFileSync('/proc/self/stat', 'latin1');
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [userNs, systemNs] = [fields[13], fields[14]].map((ticks) => Number(ticks) * TICK_NS);
    return Number.isFinite(userNs) && Number.isFinite(systemNs) ? { userNs: userNs!, systemNs: systemNs! } : undefined;
  } catch {
    return undefined;
  }
}

export function difference(after: Worked | undefined, before: Worked | undefined): Worked | undefined {
  if (after === undefined || before === undefined) return undefined;
  return { userNs: after.userNs - before.userNs, systemNs: after.systemNs - before.systemNs };
}
