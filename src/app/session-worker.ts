/** What runs in the worker thread: a session, and the loop that answers requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { localSession, type Session } from '../features/answers/all-answers.ts';
import type { SessionResources } from '../session/session-resources.ts';
import { serveSession } from '../session/worker/serve-session.ts';
import type { Request } from '../session/worker/worker-protocol.ts';

const port = parentPort!;
serveSession<Session>(localSession(workerData as SessionResources), {
  send: (reply) => port.postMessage(reply),
  receive: (handle) => {
    port.on('message', (request: Request) => handle(request));
  },
});
