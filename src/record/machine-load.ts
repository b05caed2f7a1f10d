import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import type { MachineLoad } from '../trace/trace.ts';
import type { Worked } from './children-times.ts';

/** The unit of /proc/stat, as of /proc/PID/stat: `getconf CLK_TCK` gives 100 everywhere. */
const TICK_NS = 1e7;
/** Times in ticks tell nothing of less; nanoseconds. */
const SHORTEST = 5e8;

/**
 * Measures from now on. Of a job whose processes a service starts (srun) nothing can be said: they are no children of ours.
 * @returns what tells the load when a program has ended, of which and whose children processors worked so much; undefined
 * where the system does not tell.
 */
export function watchLoad(): (lastedNs: number, worked: Worked | undefined) => MachineLoad | undefined {
  const before = busyNs();
  const own = process.cpuUsage();
  return (lastedNs, worked) => {
    const after = busyNs();
    if (before === undefined || after === undefined || worked === undefined || lastedNs < SHORTEST) return undefined;
    if (process.env['SLURM_JOB_ID'] !== undefined) return undefined;
    // The times are of all processors: where we may use some of them only, nothing is known of these.
    if (availableParallelism() < cpus().length) return undefined;
    const { user, system } = process.cpuUsage(own);
    const ours = worked.userNs + worked.systemNs + (user + system) * 1000;
    const othersNs = Math.max(0, after - before - ours);
    return { processors: availableParallelism(), lastedNs, othersNs, ownNs: worked.userNs + worked.systemNs };
  };
}

/** What all processors worked since the machine was started, for whoever (proc(5), /proc/stat): without idling and waiting for disks. */
function busyNs(): number | undefined {
  try {
    const line = /^cpu +([\d ]+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1];
    const [user, nice, system, , , irq, softIrq, steal] = (line ?? '').split(' ').map(Number);
    const sum = user! + nice! + system! + irq! + softIrq! + steal!;
    return Number.isFinite(sum) ? sum * TICK_NS : undefined;
  } catch {
    return undefined;
  }
}
