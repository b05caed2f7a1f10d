/** What runs in the worker thread: a session, and the loop that answers requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { Session, type SessionResources } from './session.ts';
import type { OpenRequest } from './open-request.ts';
import type { OpenHooks } from './opened-recording.ts';
import { callNamed } from './topics.ts';
import type { Reply, Request } from './worker-protocol.ts';

const port = parentPort!;
const session = new Session(workerData as SessionResources);
const running = new Map<number, AbortController>();

function reply(message: Reply): void {
  port.postMessage(message);
}

async function answer(id: number, method: string, values: unknown[], signal: AbortSignal): Promise<unknown> {
  if (method === 'open') return session.open(values[0] as OpenRequest, hooksOf(id, signal));
  if (method === 'live.follow')
    return session.live.follow(values[0] as OpenRequest, values[1] as number | undefined, hooksOf(id, signal));
  return callNamed(session, method, values);
}

/** Progress goes over as a message, once for each percent. */
function hooksOf(id: number, signal: AbortSignal): OpenHooks {
  let last = -1;
  return {
    signal,
    progress: (share) => {
      const percent = share === undefined ? -1 : Math.floor(share * 100);
      if (percent !== last) reply({ kind: 'progress', id, share });
      last = percent;
    },
  };
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
