import type { EventFormat } from '../../export/events/event-formats.ts';
import type { EventSource } from '../../export/events/event-labels.ts';
import type { TabledRecording } from '../../export/tables/recorded-rows.ts';
import type { RecordedTableName } from '../../export/tables/recorded-tables.ts';
import type { LookupFactory } from '../../symbols/address-lookup.ts';
import type { DebugDownloads } from '../../symbols/symbol-files.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import type { Repository } from '../sources/git.ts';
import type { MemoryBudget } from '../reading/memory-budget.ts';
import type { OpenRequest } from '../reading/open-request.ts';
import type { OwnTriggerFiles } from '../reading/own-trigger-files.ts';
import type { TraceCache } from '../reading/trace-cache.ts';

/**
 * What a session reaches of the machine that it runs on. `#machine` (package.json, `imports`) is `node-machine.ts`, and
 * `browser/browser-machine.ts` where the bundle is made for a browser (docs/decisions/0081). What a machine has not, it
 * answers with undefined or says in words for the user.
 */
export interface Machine {
  readonly files: MachineFiles;
  readonly inflation: Inflation;
  /** Reads a file that comes with the program. */
  readResource(file: string): Promise<Uint8Array>;
  /** @throws Error in words for the user when there is none. */
  standardInput(): InputChunks;
  /** Where events go that memory has no room for. */
  spill(budget: MemoryBudget): EventSpill;
  /** @param most bytes that the cache may take. */
  traceCache(reader: string, most: number | undefined): TraceCache | undefined;
  /** What resolves addresses where addr2line.wasm was not built. */
  installedLookup(): Promise<LookupFactory | undefined>;
  debugDownloads(request: OpenRequest, signal?: AbortSignal): DebugDownloads | undefined;
  /** Writes events to a file; returns how many bytes. @throws Error in words for the user. */
  writeEvents(source: EventSource, format: EventFormat, file: string): Promise<number>;
  /** Writes a table for questions in SQL to a file, as Parquet. @throws Error in words for the user. */
  writeTable(recording: TabledRecording, table: RecordedTableName, file: string): Promise<number>;
  /** Writes a file anew. @throws Error in words for the user. */
  writeText(file: string, text: string): Promise<void>;
  repository(): Promise<Repository | undefined>;
  /** @param mayRun the user trusts the places. */
  ownTriggers(places: readonly string[], mayRun: boolean): Promise<OwnTriggerFiles>;
  /** Runs a module that the user named. @throws Error in words for the user. */
  importModule(file: string): Promise<{ readonly default?: unknown }>;
  /** A function of a script that comes with the program. */
  compile(script: string, parameters: readonly string[]): (...values: unknown[]) => void;
}

/** Chunks of bytes that come when they come. */
export interface InputChunks {
  readonly chunks: AsyncIterator<Uint8Array>;
  close(): void;
}

type EntryKind = 'file' | 'folder' | 'other';

export interface FileStatus {
  readonly kind: EntryKind;
  /** Bytes. */
  readonly size: number;
  /** Seconds since 1970 when it was last written. */
  readonly modified: number;
  /** Differs between a file and one that took its name, where the file system knows. */
  readonly identity: string;
}

export interface FolderEntry {
  readonly name: string;
  /** A link is not followed. */
  readonly kind: EntryKind | 'link';
}

/** Files by their path; those of an editor's file system have a scheme in front (docs/decisions/0082). */
export interface MachineFiles {
  /**
   * Opens a regular file.
   * @throws Error in words for the user.
   */
  open(file: string): Promise<OpenFile>;
  /**
   * What a path leads to; links are followed.
   * @throws Error in words for the user.
   */
  status(path: string): Promise<FileStatus>;
  /** @throws Error in words for the user. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  isReadable(path: string): Promise<boolean>;
  /** @throws Error when it is not there. */
  text(file: string): Promise<string>;
  absolute(path: string): string;
  /**
   * What a path leads to when all links are followed.
   * @throws Error when it leads nowhere.
   */
  real(path: string): Promise<string>;
}

/** A regular file that is open for reading. */
export interface OpenFile {
  /** Bytes that it had when it was opened. */
  readonly size: number;
  /** Bytes that it has now. */
  readonly sizeNow: number;
  /** It may give fewer bytes than there are; 0 at the end. @throws Error in words for the user. */
  read(position: number, target: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** A store of one recording's events. */
export interface EventSpill extends ChunkStore {
  /** Why chunks stay in memory although there is no room; '' when all is well. */
  readonly problem: string;
  close(): void;
}

/** Stored bytes from which a stream is taken. */
export interface StoredWindow {
  /** From the byte that is wanted next. */
  readonly bytes: Uint8Array;
  fill(): Promise<void>;
  skip(length: number): void;
}

/** How deflated bytes are inflated. */
export interface Inflation {
  /** Unpacks gzip (RFC 1952); what was unpacked before damage is handed out before the error. */
  gunzipped(stored: StoredPieces): AsyncGenerator<Uint8Array>;
  /** Whether bytes begin with a sound zlib stream (RFC 1950), or one that goes on behind them. */
  isStream(bytes: Uint8Array): boolean;
  /** A zlib stream that stands in the bytes as a whole; undefined when it does not, is long, or is damaged. */
  atOnce(stored: Uint8Array): { bytes: Uint8Array; stored: number } | undefined;
  /**
   * Inflates one zlib stream, and takes what it took out of the window; returns how many bytes it gave.
   * @throws DamagedError after everything before the damage was handed out.
   */
  piecewise(window: StoredWindow): AsyncGenerator<Uint8Array, number>;
}

export interface StoredPieces {
  piece(): Promise<Uint8Array | undefined>;
}
