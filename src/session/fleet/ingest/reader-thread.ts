import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ReadResource } from '../../machine/lookup-tools.ts';
import type { SessionResources } from '../../session-resources.ts';
import type { FromReader, ReaderStart, ReaderTask, ToReader } from './ingest-protocol.ts';

/** A thread that takes sources in. */
export interface ReaderThread {
  send(message: ToReader): void;
  /** Number of the task that it reads, or read when it died; -1 between tasks. */
  readonly current: number;
  terminate(): Promise<void>;
}

interface ReaderEvents {
  received(message: FromReader): void;
  /** The thread is gone; what it had not committed is lost. */
  lost(reason: string): void;
}

/** Megabytes of JavaScript objects that one thread may hold: a log that needs more ends its thread, not the ingestion. */
const MOST_HEAP_MB = 700;

/** Name of the thread's script beside the program that was built, put in by scripts/build.mjs: each build has its own. */
declare const IOLENS_FLEET_READER: string | undefined;
const SCRIPT = typeof IOLENS_FLEET_READER === 'undefined' ? 'fleet-reader.js' : IOLENS_FLEET_READER;

/** The files of a thread in the executable, which are its assets. */
async function assetsOf(folder: string, read: ReadResource): Promise<{ script: string; wasm: Uint8Array | undefined }> {
  const [script, wasm] = await Promise.all([
    read(path.join(folder, 'fleet-reader.cjs')),
    read(path.join(folder, 'addr2line.wasm')).catch(() => undefined), // Where it was not built.
  ]);
  return { script: new TextDecoder().decode(script), wasm };
}

/** Starts a thread; its script lies in the resources' folder, or among the executable's assets. */
export async function startReader(
  start: ReaderTask,
  { folder, read }: SessionResources,
  events: ReaderEvents,
): Promise<ReaderThread> {
  const current = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const assets = read === undefined ? undefined : await assetsOf(folder, read);
  const workerData: ReaderStart = { ...start, resources: { folder }, wasm: assets?.wasm, current };
  const options = { workerData, resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB } };
  const worker =
    assets === undefined
      ? new Worker(path.join(folder, SCRIPT), options)
      : new Worker(assets.script, { ...options, eval: true });
  let isLost = false;
  const lost = (reason: string): void => {
    if (!isLost) events.lost(reason);
    isLost = true;
  };
  worker.on('message', (message: FromReader) => events.received(message));
  worker.on('error', (error: NodeJS.ErrnoException) =>
    lost(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it needs more than ${MOST_HEAP_MB} MB of memory` : error.message),
  );
  worker.on('exit', (code) => {
    if (code !== 0) lost(`its thread ended with ${code}`);
  });
  return {
    send: (message) => worker.postMessage(message),
    get current() {
      return Atomics.load(current, 0);
    },
    terminate: async () => {
      await worker.terminate();
    },
  };
}
