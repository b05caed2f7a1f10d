import type { SessionResources } from '../session-resources.ts';
import type { Reply, Request } from './worker-protocol.ts';

/** A worker with a session in it, seen from its user. */
export interface WorkerChannel {
  send(message: Request, transferred?: readonly ArrayBuffer[]): void;
  terminate(): Promise<void>;
}

export interface WorkerEvents {
  readonly received: (reply: Reply) => void;
  /** The worker has ended, and why. */
  readonly lost: (error: Error) => void;
}

/**
 * Starts the bundled session-worker. `#worker` (package.json, `imports`) is `node-worker.ts`, and `browser/web-worker.ts`
 * where the bundle is made for a browser.
 *
 * @param script its place: a path, or an address in a browser.
 */
export type StartWorker = (script: string | URL, resources: SessionResources, events: WorkerEvents) => WorkerChannel;
