/** What runs in a browser's worker: a session, and the loop that answers requests. Its first message are the resources. */
import { localSession, type Session } from '../features/answers/all-answers.ts';
import type { SessionResources } from '../session/session-resources.ts';
import { serveSession } from '../session/worker/serve-session.ts';
import type { Request } from '../session/worker/worker-protocol.ts';

/** The worker's own port, or the one that is handed in where no worker can be started (web-worker.ts). */
declare const iolensPort: BrowserPort | undefined;

/** What of a worker's global scope and of a MessagePort is used. */
export interface BrowserPort {
  postMessage(message: unknown): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}

const port = typeof iolensPort === 'undefined' ? (globalThis as unknown as BrowserPort) : iolensPort;
port.onmessage = ({ data: resources }) =>
  serveSession<Session>(localSession(resources as SessionResources), {
    send: (reply) => port.postMessage(reply),
    receive: (handle) => {
      port.onmessage = ({ data }) => handle(data as Request);
    },
  });
