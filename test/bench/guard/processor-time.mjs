// Loaded ahead of a measured program: at its end says on descriptor 3 what it took of the processors, all threads together, and
// of memory. Others who use the machine change the time that passes by much more than this.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// A thread of the program ends, too; its time is in the sum.
if (isMainThread)
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const peak = process.resourceUsage().maxRSS * 1024;
    writeSync(3, JSON.stringify({ seconds: (user + system) / 1e6, peak }));
  });
