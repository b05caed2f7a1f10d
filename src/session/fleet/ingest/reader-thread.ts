import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SessionResources } from '../../session.ts';
import type { FromReader, ReaderStart, ToReader } from './ingest-protocol.ts';

/** A thread that takes sources in. */
export interface ReaderThread {
  send(message: ToReader): void;
  /** Number of the task that it reads, or read when it died; -1 between tasks. */
  readonly current: number;
  terminate(): Promise<void>;
}

export interface ReaderEvents {
  received(message: FromReader): void;
  /** The thread is gone; what it had not committed is lost. */
  lost(reason: string): void;
}

/** Megabytes of JavaScript objects that one thread may hold: a log that needs more ends its thread, not the ingestion. */
const MOST_HEAP_MB = 700;

/** Starts a thread; `fleet-reader.js` lies in the resources' folder, or `fleet-reader.cjs` among the executable's assets. */
export async function startReader(
  start: Omit<ReaderStart, 'current' | 'resources'>,
  { folder, read }: SessionResources,
  events: ReaderEvents,
): Promise<ReaderThread> {
  const current = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const workerData: ReaderStart = { ...start, resources: { folder }, current };
  const options = { workerData, resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB } };
  const worker =
    read === undefined
      ? new Worker(path.join(folder, 'fleet-reader.js'), options)
      : new Worker(new TextDecoder().decode(await read('fleet-reader.cjs')), { ...options, eval: true });
  let isLost = false;
  const lost = (reason: string): void => {
    if (!isLost) events.lost(reason);
    isLost = true;
  };
  worker.on('message', (message: FromReader) => {
    events.received(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    lost(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it needs more than ${MOST_HEAP_MB} MB of memory` : error.message);
  });
  worker.on('exit', (code) => {
    if (code !== 0) lost(`its thread ended with ${code}`);
  });
  return {
    send: (message) => {
      worker.postMessage(message);
    },
    get current() {
      return Atomics.load(current, 0);
    },
    terminate: async () => {
      await worker.terminate();
    },
  };
}
