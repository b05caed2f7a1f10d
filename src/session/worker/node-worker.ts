import { Worker } from 'node:worker_threads';
import type { StartWorker } from './worker-channel.ts';
import type { Reply } from './worker-protocol.ts';

/** Starts a session in a thread of its own. */
export const startWorker: StartWorker = (script, resources, events) => {
  const worker = new Worker(script, { workerData: resources });
  worker.on('message', (reply: Reply) => events.received(reply));
  worker.on('error', (error) => events.lost(error));
  worker.on('exit', (code) => {
    if (code === 0) return;
    events.lost(new Error(`the worker ended with ${code}: the recording may need more memory than there is`));
  });
  return {
    send: (message, transferred = []) => worker.postMessage(message, [...transferred]),
    terminate: async () => {
      await worker.terminate();
    },
  };
};
