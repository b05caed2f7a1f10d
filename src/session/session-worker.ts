/** What runs in the worker thread: a session, and the loop that answers requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { Session, type SessionResources } from './session.ts';
import type { OpenRequest } from './open-request.ts';
import { callNamed } from './topics.ts';
import type { Reply, Request } from './worker-protocol.ts';

const port = parentPort!;
const session = new Session(workerData as SessionResources);
const running = new Map<number, AbortController>();

function reply(message: Reply): void {
  port.postMessage(message);
}

async function answer(id: number, method: string, values: unknown[], signal: AbortSignal): Promise<unknown> {
  if (method === 'open') {
    let last = -1;
    return session.open(values[0] as OpenRequest, {
      signal,
      progress: (share) => {
        const percent = share === undefined ? -1 : Math.floor(share * 100);
        if (percent !== last) reply({ kind: 'progress', id, share });
        last = percent;
      },
    });
  }
  return callNamed(session, method, values);
}

port.on('message', (request: Request) => {
  if (request.kind === 'cancel') {
    running.get(request.id)?.abort();
    return;
  }
  const { id } = request;
  const controller = new AbortController();
  running.set(id, controller);
  answer(id, request.method, request.values, controller.signal)
    .then(
      (value) => {
        reply({ kind: 'result', id, value });
      },
      (error: unknown) => {
        const cancelled = controller.signal.aborted;
        const name = cancelled ? 'CancelledError' : error instanceof Error ? error.name : 'Error';
        reply({ kind: 'error', id, name, message: error instanceof Error ? error.message : String(error) });
      },
    )
    .finally(() => running.delete(id));
});
