import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { STORE_FILE, type StoreDescription } from '../../../fleet/store/manifest.ts';
import { messageOf } from '../../../base/error-message.ts';
import type { SessionResources } from '../../session-resources.ts';
import type { LocalStore } from '../local-store.ts';
import type { FoundSource } from '../source.ts';
import { BATCH_LIMITS, type BatchLimits } from './batch-limits.ts';
import { Feed } from './feed.ts';
import type { IngestReport } from './ingest-report.ts';
import { KnownLogs } from './known-logs.ts';
import { Lane } from './lane.ts';
import { IngestLedger } from './ledger.ts';

export type { IngestReport };

/** What an ingestion may take of the machine's memory by default. */
export const INGEST_MEMORY = 2 ** 30;
/** What a thread takes for itself, with a batch of rows and a log of ordinary size. */
const THREAD_BYTES = 110 * 2 ** 20;
/** What the process takes before the first thread. */
const PROCESS_BYTES = 160 * 2 ** 20;
/** A source is large when it is more than this share of a thread's memory. */
const LARGE_SHARE = 1 / 8;

interface IngestOptions {
  /** Where fleet-reader.js and addr2line.wasm are. */
  readonly resources: SessionResources;
  /** Threads; by default one for each processor, as far as memory allows. */
  readonly workers?: number;
  /** Bytes that the process may take: INGEST_MEMORY by default. */
  readonly memory?: number;
  readonly limits?: BatchLimits;
  /** Reads again what could not be read. */
  readonly retry?: boolean;
}

interface IngestHooks {
  /** @param done sources that are done with. */
  readonly progress?: (done: number) => void;
  /** What is in the store when it stops is sound; the report says how far it came. */
  readonly signal?: AbortSignal;
}

/** Threads for a share of memory. */
function workersFor(memory: number): number {
  const room = Math.floor((memory - PROCESS_BYTES) / THREAD_BYTES);
  return Math.max(1, Math.min(availableParallelism(), room));
}

/**
 * Takes sources into a store, which is made if it is not there: those that are unchanged since an earlier ingestion are
 * not read, a content that the store has already is not taken twice, and what cannot be read is listed. Each thread adds
 * batches by itself; whenever this is killed, all batches that were added are sound, and the rest is read the next time.
 * @throws Error in words for the user when the store cannot be written or its manifests cannot be understood.
 */
export async function ingestSources(
  sources: AsyncIterable<FoundSource>,
  store: LocalStore,
  options: IngestOptions,
  { progress, signal }: IngestHooks = {},
): Promise<IngestReport> {
  await createStore(store);
  const { memory = INGEST_MEMORY, limits = BATCH_LIMITS } = options;
  const workers = options.workers ?? workersFor(memory);
  const known = await KnownLogs.of(store, options.retry ?? false);
  const ledger = new IngestLedger(known, store, () => progress?.(ledger.done));
  const ofThread = Math.floor(memory / workers);
  const feed = new Feed(sources, (source) => ledger.isWanted(source), ofThread * LARGE_SHARE, signal);
  const start = { store: store.folder, limits, memory: ofThread };
  const lanes = Array.from({ length: workers }, () => new Lane(start, options.resources, ledger));
  const stop = (): void => {
    for (const lane of lanes) lane.stop();
  };
  signal?.addEventListener('abort', stop, { once: true });
  const works = lanes.map((lane) => work(lane, feed));
  try {
    await Promise.all(works);
  } catch (error) {
    // Ended in the middle of a write they would leave what they had begun.
    stop();
    await Promise.allSettled(works);
    await Promise.all(lanes.map((lane) => lane.terminate()));
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return ledger.count.report();
}

async function work(lane: Lane, feed: Feed): Promise<void> {
  while (!lane.isStopped) {
    const share = await feed.take();
    if (share === undefined) break;
    await lane.take(share.tasks);
    share.release();
  }
  await lane.end();
}

/** @throws Error in words for the user when the folder holds something else, or cannot be written. */
export async function createStore(store: LocalStore): Promise<void> {
  const names = await readdir(store.folder).catch((): string[] => []);
  if (names.includes(STORE_FILE)) return;
  // Another process may be about to make it.
  if (names.some((name) => !name.startsWith(STORE_FILE)))
    throw new Error(`${store.folder}: this folder is not a store, and not empty; name a store, or a folder to be made`);
  const description: StoreDescription = { schema: 'iolens/store@1', created: new Date().toISOString() };
  const bytes = new TextEncoder().encode(`${JSON.stringify(description)}\n`);
  await store.write(STORE_FILE, bytes).catch((error: unknown) => {
    const reason = messageOf(error);
    throw new Error(`${store.folder}: the store cannot be written: ${reason}`, { cause: error });
  });
}
