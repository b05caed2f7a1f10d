/** What runs in a thread that reads sources for an ingestion, and writes their batches. */
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../base/error-message.ts';
import { chooseLookup } from '../../machine/lookup-tools.ts';
import { MemoryBudget } from '../../reading/memory-budget.ts';
import { LocalStore } from '../local-store.ts';
import { readSource } from '../read-source.ts';
import type { ClaimAnswer, FromReader, ReaderStart, ToReader } from './ingest-protocol.ts';
import { SourceTaker } from './take-sources.ts';

const port = parentPort!;
const { store, limits, memory, resources, wasm, current } = workerData as ReaderStart;
const budget = new MemoryBudget(memory);
const stop = new AbortController();
// Nothing of a machine's tools is run for logs that came from anywhere.
const readWasm = wasm === undefined ? undefined : (): Promise<Uint8Array> => Promise.resolve(wasm);
const lookup = chooseLookup(path.join(resources.folder, 'addr2line.wasm'), false, readWasm);
let answered: ((answers: readonly ClaimAnswer[]) => void) | undefined;

const send = (message: FromReader): void => port.postMessage(message);

const taker = new SourceTaker({
  store: new LocalStore(store),
  limits,
  read: async (source, log, kept) =>
    readSource(source, log, { lookup: await lookup, budget, signal: stop.signal }, kept),
  claim: (claims) =>
    new Promise((resolve) => {
      answered = resolve;
      send({ kind: 'claim', claims });
    }),
  reading: (id) => {
    Atomics.store(current, 0, id ?? -1);
  },
  taken: (entries) => send({ kind: 'read', entries }),
  committed: ({ parts }) => {
    const sum = (of: (part: (typeof parts)[number]) => number): number =>
      parts.reduce((total, part) => total + of(part), 0);
    send({ kind: 'committed', rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) });
  },
  signal: stop.signal,
});

/** One thing after another: tasks, then the end. */
let work = Promise.resolve();
function then(step: () => Promise<void>): void {
  work = work.then(step).catch((error: unknown) => send({ kind: 'failed', message: messageOf(error) }));
}

port.on('message', (message: ToReader) => {
  switch (message.kind) {
    case 'take':
      then(async () => {
        await taker.take(message.tasks);
        send({ kind: 'idle' });
      });
      break;
    case 'answers':
      answered?.(message.answers);
      break;
    case 'stop':
      stop.abort();
      break;
    case 'end':
      then(async () => {
        await taker.commit();
        send({ kind: 'ended' });
        port.close();
      });
      break;
  }
});
