import { machine } from '#machine';
import type { RecordingFile } from '../../trace/byte-source.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import type { Trace } from '../../trace/trace.ts';
import type { EventSpill } from '../machine/machine.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { READER_BUILD } from './reader-build.ts';
import type { TraceCache } from './trace-cache.ts';

/** What the recordings of a session share while they are read. */
export interface ReadingMeans {
  readonly budget: MemoryBudget;
  /** Undefined: recordings are read anew each time. */
  readonly cache: TraceCache | undefined;
  /** Where the events stand already of a recording that was read while it was written; it is closed with the recording. */
  readonly spill?: EventSpill;
  /** The recording's files where they were opened already; else they are found by its paths. */
  readonly files?: readonly RecordingFile[];
}

/** @param most bytes that the cache may take; 0 turns it off. */
export function cacheOf(most: number | undefined): TraceCache | undefined {
  if (READER_BUILD === undefined || most === 0) return undefined;
  return machine.traceCache(READER_BUILD, most);
}

/** A trace that was read, with what it holds of this machine. */
export interface ReadRecording {
  readonly trace: Trace;
  /** What the user should know about how it was read; no damage of the recording. */
  readonly notes: readonly string[];
  /** Done when the trace is stored in the cache (or is not going to be). Its events must not change before. */
  readonly stored: Promise<unknown>;
  /** Gives memory and temporary files back. */
  close(): Promise<void>;
}

interface ReadingHooks {
  progress?: ((share: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a recording, or takes what an earlier reading of the same files left in the cache.
 *
 * @param parse reads the files, with their events in the given store.
 * @throws whatever `parse` throws.
 */
export async function readRecording(
  files: readonly RecordingFile[],
  sharedPaths: readonly string[],
  parse: (chunkStore: ChunkStore) => Promise<Trace>,
  { budget, cache, spill = machine.spill(budget) }: ReadingMeans,
  { progress, signal }: ReadingHooks = {},
): Promise<ReadRecording> {
  const notes: string[] = [];
  try {
    const identity = await cache?.identify(files, sharedPaths);
    const cached = identity && (await cache?.load(identity, spill, sharedPaths, progress));
    if (cached !== undefined && 'trace' in cached) {
      const close = (): Promise<void> => {
        spill.close();
        cached.close();
        return Promise.resolve();
      };
      return { trace: cached.trace, notes, stored: Promise.resolve(), close };
    }
    if (cached !== undefined) notes.push(cached.problem);
    const readAt = Date.now();
    const trace = await parse(spill);
    if (spill.problem !== '')
      notes.push(`events beyond the memory budget stay in memory: ${spill.problem} (set TMPDIR to a folder with room)`);
    const stored = unchanged(identity, cache, files, sharedPaths).then((same) =>
      same === undefined || signal?.aborted === true ? false : cache!.store(same, trace, readAt),
    );
    const close = async (): Promise<void> => {
      // What was read once is worth keeping, however short it was open.
      await stored;
      spill.close();
    };
    return { trace, notes, stored, close };
  } catch (error) {
    spill.close();
    throw error;
  }
}

/** The files' identity when it is still what it was before they were read. */
async function unchanged(
  before: Awaited<ReturnType<TraceCache['identify']>>,
  cache: TraceCache | undefined,
  files: readonly RecordingFile[],
  sharedPaths: readonly string[],
): ReturnType<TraceCache['identify']> {
  if (before === undefined) return undefined;
  const now = await cache?.identify(files, sharedPaths);
  return now?.text === before.text ? now : undefined;
}
