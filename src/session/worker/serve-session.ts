import { messageOf } from '../../base/error-message.ts';
import { connectEditorFiles, type EditorFileSystem } from '../machine/editor-files.ts';
import { callTopic, type Hooks, type Remote } from './topics.ts';
import type { Reply, Request } from './worker-protocol.ts';

/** The worker's end of the line to its user. */
export interface ServerPort {
  send(reply: Reply): void;
  /** Hands over what comes in, one after the other. */
  receive(handle: (request: Request) => void): void;
}

/** Answers requests by topics until nobody asks. */
export function serveSession<Topics>(topics: Remote<Topics>, port: ServerPort): void {
  const running = new Map<number, AbortController>();
  const asking = new Asking(port);
  connectEditorFiles(asking.files);

  const answer = ({ id, topic, method, values, hasHooks }: Call, signal: AbortSignal): Promise<unknown> =>
    callTopic(topics, topic, method, hasHooks ? [...values, hooksOf(id, signal, port)] : values);

  const begin = (call: Call): void => {
    const { id } = call;
    const controller = new AbortController();
    running.set(id, controller);
    answer(call, controller.signal)
      .then(
        (value) => port.send({ kind: 'result', id, value }),
        (error: unknown) => {
          const cancelled = controller.signal.aborted;
          const name = cancelled ? 'CancelledError' : error instanceof Error ? error.name : 'Error';
          port.send({ kind: 'error', id, name, message: messageOf(error) });
        },
      )
      .finally(() => running.delete(id));
  };

  port.receive((request) => {
    switch (request.kind) {
      case 'call':
        begin(request);
        break;
      case 'cancel':
        running.get(request.id)?.abort();
        break;
      case 'answer':
        asking.answered(request);
        break;
    }
  });
}

/** Progress goes over as a message, once for each percent. */
function hooksOf(id: number, signal: AbortSignal, port: ServerPort): Hooks {
  let last = -1;
  return {
    signal,
    progress: (share) => {
      const percent = share === undefined ? -1 : Math.floor(share * 100);
      if (percent !== last) port.send({ kind: 'progress', id, share });
      last = percent;
    },
  };
}

type Call = Extract<Request, { kind: 'call' }>;
type Answer = Extract<Request, { kind: 'answer' }>;

/** Questions to the user of the session that wait for their answers. */
class Asking {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private next = 1;

  constructor(private readonly port: ServerPort) {}

  readonly files: EditorFileSystem = {
    status: (location) => this.ask('status', location),
    list: (location) => this.ask('list', location),
    read: (location) => this.ask('read', location),
  };

  answered(answer: Answer): void {
    this.waiting.get(answer.id)?.(answer);
    this.waiting.delete(answer.id);
  }

  private ask<Value>(method: keyof EditorFileSystem, location: string): Promise<Value> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ value, error }) => {
        if (error === undefined) resolve(value as Value);
        else reject(new Error(error));
      });
      this.port.send({ kind: 'ask', id, method, location });
    });
  }
}
