import { spawn } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Session } from '../../src/features/answers/all-answers.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { WorkerSession } from '../../src/session/worker/worker-session.ts';

/**
 * Opens a recording as the editor does, in a worker, up to the findings that become squiggles. Prints the milliseconds,
 * the largest memory of the process, and the longest time that this thread (the editor's extension host) was held.
 */
/** A process that does nothing meanwhile: how long a busy machine holds even that. */
const IDLE = `
const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 });
setTimeout(() => { delay.enable(); process.stdout.write('ready'); }, 100);
process.stdin.on('end', () => { delay.disable(); process.stdout.write(' ' + delay.max / 1e6); }).resume();
`;

const [, , dist, file, memoryBudget, cache] = process.argv;
const worker = new WorkerSession<Session>(`${dist!}/session-worker.js`, { folder: dist! });
const session = worker.topics;
const delay = monitorEventLoopDelay({ resolution: 1 });
const idle = spawn(process.execPath, ['-e', IDLE], { stdio: ['pipe', 'pipe', 'inherit'] });
let idleOutput = '';
idle.stdout.on('data', (data: Buffer) => (idleOutput += data.toString()));
const idleEnded = new Promise((resolve) => idle.on('close', resolve));
// Starting up is not what is measured.
await new Promise((resolve) => idle.stdout.once('data', resolve));
delay.enable();
const started = performance.now();
const request = {
  ...plainRequest(file!),
  memoryBudget: Number(memoryBudget),
  ...(cache !== 'cached' && { cacheBytes: 0 }),
};
const { id, info } = await session.recordings.open(request);
const opened = performance.now();
await session.findings.analysis([id]);
const done = performance.now();
delay.disable();
idle.stdin.end();
await idleEnded;
// The rest of the work, such as filling the cache, is waited for.
await session.recordings.close(id);
await worker.dispose();
const { maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({
    events: info.events,
    opening: opened - started,
    total: done - started,
    peak: maxRSS * 1024,
    held: delay.max / 1e6,
    idle: Number(idleOutput.split(' ')[1]),
  }),
);
