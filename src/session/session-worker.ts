/** What runs in the worker thread: a session, and the loop that answers requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveSession } from './serve-session.ts';
import type { SessionResources } from './session.ts';
import type { Request } from './worker-protocol.ts';

const port = parentPort!;
serveSession(workerData as SessionResources, {
  send: (reply) => {
    port.postMessage(reply);
  },
  receive: (handle) => {
    port.on('message', (request: Request) => {
      handle(request);
    });
  },
});
