import type { LogEntry } from '../../../fleet/store/manifest.ts';
import type { SessionResources } from '../../session-resources.ts';
import type { FoundSource } from '../source.ts';
import type { BatchLimits } from './batch-limits.ts';

/** A source that a thread is to take in. */
export interface IngestTask {
  readonly id: number;
  readonly source: FoundSource;
}

/** What the main thread says of a claimed content: to be read; in the store already; or why it cannot be read. */
export type ClaimAnswer = 'granted' | 'known' | { readonly unreadable: string };

/** What the threads of an ingestion have in common. */
export interface ReaderTask {
  /** Folder of the store. */
  readonly store: string;
  readonly limits: BatchLimits;
  /** Bytes that this thread's event tables may take. */
  readonly memory: number;
}

/** What a thread begins with. */
export interface ReaderStart extends ReaderTask {
  readonly resources: Pick<SessionResources, 'folder'>;
  /** addr2line.wasm where it does not lie in the folder; undefined where it does. */
  readonly wasm: Uint8Array | undefined;
  /** Where it writes the number of the task that it reads, for whoever finds the thread dead; -1 between tasks. */
  readonly current: Int32Array;
}

export type ToReader =
  | { readonly kind: 'take'; readonly tasks: readonly IngestTask[] }
  | { readonly kind: 'answers'; readonly answers: readonly ClaimAnswer[] }
  /** Give up what is being read, and the tasks behind it. */
  | { readonly kind: 'stop' }
  /** Write what was read, and end. */
  | { readonly kind: 'end' };

export type FromReader =
  | { readonly kind: 'claim'; readonly claims: readonly { readonly id: number; readonly key: string }[] }
  /** Tasks that are done, but not yet in the store. */
  | { readonly kind: 'read'; readonly entries: readonly LogEntry[] }
  /** Everything that was read so far is in the store; of so many rows and bytes. */
  | { readonly kind: 'committed'; readonly rows: number; readonly bytes: number }
  /** The tasks that were given are done. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'ended' }
  /** The store cannot be written. */
  | { readonly kind: 'failed'; readonly message: string };
