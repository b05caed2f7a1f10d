import { startWorker } from '#worker';
import { messageOf } from '../../base/error-message.ts';
import type { EditorFileSystem } from '../machine/editor-files.ts';
import type { SessionResources } from '../session-resources.ts';
import { remote, type Hooks, type Remote } from './topics.ts';
import type { WorkerChannel } from './worker-channel.ts';
import { CancelledError, type Reply, type Request } from './worker-protocol.ts';

/** Recordings have numbers of their own in each worker: when one is lost, nobody may take one recording for another. */
const NUMBERS_OF_A_WORKER = 1_000_000;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly progress: Hooks['progress'];
}

/**
 * A session in a worker thread: loading and analysis never hold the caller's event loop. The worker starts with the first
 * request.
 */
export class WorkerSession<Topics> {
  readonly topics: Remote<Topics> = remote<Topics>((topic, method, values) => this.call(topic, method, values));
  private worker: WorkerChannel | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  /** Workers that were started. */
  private starts = 0;

  /**
   * @param script the bundled session-worker, which answers these topics.
   * @param editor answers for the files that only an editor reaches.
   */
  constructor(
    private readonly script: string | URL,
    private readonly resources: SessionResources,
    private readonly editor?: EditorFileSystem,
  ) {}

  /** Ends the worker; what is open in it is gone. */
  async dispose(): Promise<void> {
    this.failAll(new CancelledError('the session was ended'));
    await this.worker?.terminate();
    this.worker = undefined;
  }

  private async call(topic: string, method: string, all: readonly unknown[]): Promise<unknown> {
    const last = all.at(-1);
    const hooks = isHooks(last) ? last : undefined;
    const values = hooks === undefined ? all : all.slice(0, -1);
    const signal = hooks?.signal;
    if (signal?.aborted === true) throw new CancelledError('cancelled');
    const worker = this.started();
    const id = this.next++;
    const send = (message: Request): void => worker.send(message);
    const cancel = (): void => send({ kind: 'cancel', id });
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject, progress: hooks?.progress });
        send({ kind: 'call', id, topic, method, values, hasHooks: hooks !== undefined });
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.waiting.delete(id);
    }
  }

  private started(): WorkerChannel {
    if (this.worker !== undefined) return this.worker;
    const firstId = 1 + this.starts++ * NUMBERS_OF_A_WORKER;
    const resources: SessionResources = { ...this.resources, firstId };
    const worker: WorkerChannel = startWorker(this.script, resources, {
      received: (reply) => this.receive(reply, worker),
      lost: (error) => {
        if (this.worker === worker) this.worker = undefined;
        this.failAll(error);
      },
    });
    this.worker = worker;
    return worker;
  }

  private receive(reply: Reply, worker: WorkerChannel): void {
    if (reply.kind === 'ask') {
      void this.answer(reply, worker);
      return;
    }
    const waiting = this.waiting.get(reply.id);
    if (waiting === undefined) return;
    switch (reply.kind) {
      case 'progress':
        waiting.progress?.(reply.share);
        break;
      case 'result':
        waiting.resolve(reply.value);
        break;
      case 'error': {
        const error = reply.name === 'CancelledError' ? new CancelledError(reply.message) : new Error(reply.message);
        error.name = reply.name;
        waiting.reject(error);
        break;
      }
    }
  }

  private async answer(
    { id, method, location }: Extract<Reply, { kind: 'ask' }>,
    worker: WorkerChannel,
  ): Promise<void> {
    try {
      if (this.editor === undefined) throw new Error('only an editor reaches this file');
      const value = await this.editor[method](location);
      worker.send({ kind: 'answer', id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
    } catch (error) {
      worker.send({
        kind: 'answer',
        id,
        value: undefined,
        error: messageOf(error),
      });
    }
  }

  private failAll(error: Error): void {
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}

/** Hooks are known by what they hold: plain data holds neither. */
function isHooks(value: unknown): value is Hooks {
  if (typeof value !== 'object' || value === null) return false;
  const { progress, signal } = value as Partial<Record<keyof Hooks, unknown>>;
  return typeof progress === 'function' || signal instanceof AbortSignal;
}
