/** What runs in the thread of one task. */
import { parentPort, workerData } from 'node:worker_threads';
import { runTask } from './run-task.ts';
import type { TaskStart } from './task-protocol.ts';

parentPort!.postMessage(runTask(workerData as TaskStart));
