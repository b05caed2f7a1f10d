import { messageOf } from '../../base/error-message.ts';
import type { StartWorker, WorkerChannel } from './worker-channel.ts';
import type { Reply, Request } from './worker-protocol.ts';

/** What of a browser's Worker and MessagePort is used; the types of the DOM hide what a host of extensions may lack. */
interface Port {
  postMessage(message: unknown, transferred?: readonly ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}

interface WebWorker extends Port {
  terminate(): void;
  onerror: ((event: { readonly message?: string }) => void) | null;
}

declare const Worker: (new (address: string, options: { readonly name: string }) => WebWorker) | undefined;
declare const MessageChannel: new () => { readonly port1: Port; readonly port2: Port };

/**
 * Starts a session in a worker of the browser. Where none can be started, or its script may not be loaded, the session
 * runs in this thread: an answer then keeps other extensions waiting, but comes.
 */
export const startWorker: StartWorker = (script, resources, events): WorkerChannel => {
  const address = String(script);
  /** What would have to be said again; undefined once the worker has answered. */
  let sent: Request[] | undefined = [];
  const received = ({ data }: { readonly data: unknown }): void => {
    sent = undefined;
    events.received(data as Reply);
  };
  const startHere = (): Port => {
    const port = sessionHere(address, events.lost);
    port.onmessage = received;
    port.postMessage(resources);
    return port;
  };
  let worker = startedWorker(address);
  let port: Port = worker ?? startHere();
  if (worker !== undefined) {
    worker.onmessage = received;
    worker.onerror = ({ message = 'its script cannot be loaded' }) => {
      worker = undefined;
      if (sent === undefined) {
        events.lost(new Error(`the worker ended: ${message}`));
        return;
      }
      port = startHere();
      for (const request of sent) port.postMessage(request);
    };
    worker.postMessage(resources);
  }
  return {
    send: (message, transferred = []) => {
      sent?.push(message);
      port.postMessage(message, transferred);
    },
    terminate: () => {
      worker?.terminate();
      port.onmessage = null;
      return Promise.resolve();
    },
  };
};

function startedWorker(address: string): WebWorker | undefined {
  try {
    return typeof Worker === 'undefined' ? undefined : new Worker(address, { name: 'I/O Lens' });
  } catch {
    return undefined;
  }
}

/** The far end of a session in this thread; what is sent waits until its script is loaded. */
function sessionHere(address: string, lost: (error: Error) => void): Port {
  const { port1, port2 } = new MessageChannel();
  fetch(address)
    .then((answer) => answer.text())
    .then((script) => {
      // The host of web extensions loads their code in the same way.
      // oxlint-disable-next-line typescript/no-implied-eval
      const run = new Function('iolensPort', script) as (port: Port) => void;
      run(port2);
    })
    .catch((error: unknown) => lost(new Error(`the session cannot be started: ${messageOf(error)}`)));
  return port1;
}
