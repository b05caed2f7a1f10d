import { withLinkedLayers } from '../../analysis/layers/linked-trace.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Hooks } from '../worker/topics.ts';
import { readJoined } from './joined-recording.ts';
import type { OpenRequest } from './open-request.ts';
import { readRecording, type ReadingMeans, type ReadRecording } from './read-recording.ts';
import { recogniseRecording, type RecognisedRecording } from './recognise-recording.ts';
import { missingFiles } from './recording-note.ts';
import { withLentStacks } from './stack-samples.ts';

/** Share of the work of opening that reading is; what is left is for the stacks. */
const READING = 0.9;

/** How far the reading is, as a share of opening. */
export function readingProgress({ progress }: Hooks): (share: number | undefined) => void {
  return (share) => progress?.(share === undefined ? undefined : share * READING);
}

/**
 * Reads the events of a request, those of all recordings that are joined in it.
 *
 * @param finish gives the trace of a recording that was read while it was written, in the place of reading it.
 * @throws UnreadableRecordingError, or an Error in words for the user, when nothing can be read.
 */
export async function readRequest(
  request: OpenRequest,
  { format, files }: RecognisedRecording,
  hooks: Hooks,
  means: ReadingMeans,
  finish?: () => Promise<Trace>,
): Promise<ReadRecording> {
  const { added = [], sharedPaths } = request;
  const progress = readingProgress(hooks);
  const options = readingOptions(request, hooks);
  const readFirst = (chunkStore: ChunkStore): Promise<Trace> =>
    finish === undefined ? format.read(files, { ...options, chunkStore, progress }) : finish();
  const readAll = (chunkStore: ChunkStore): Promise<Trace> =>
    added.length === 0
      ? readFirst(chunkStore)
      : readJoined(request.paths.join(' '), readFirst, added, chunkStore, { budget: means.budget, ...options });
  const parse = async (chunkStore: ChunkStore): Promise<Trace> => withLinkedLayers(await readAll(chunkStore));
  // The cache knows a recording by its own files alone.
  const ways = added.length === 0 ? means : { ...means, cache: undefined };
  return readRecording(files, sharedPaths, parse, ways, { progress, signal: hooks.signal });
}

/** Adds what lies beside the files: it is looked at anew each time, whatever the cache holds of them. */
export async function withWhatLiesBeside(
  read: ReadRecording,
  { notes, damage, files }: RecognisedRecording,
  request: OpenRequest,
  hooks: Hooks,
): Promise<ReadRecording> {
  const trace = {
    ...read.trace,
    notes: [...read.trace.notes, ...notes],
    damage: [...damage, ...(await missingFiles(files)), ...read.trace.damage],
  };
  const readSample = async (file: string): Promise<Trace> => {
    const sample = await recogniseRecording([file], hooks.signal);
    return sample.format.read(sample.files, readingOptions(request, hooks));
  };
  return withLentStacks({ ...read, trace }, request.paths, readSample);
}

function readingOptions(
  { sharedPaths }: OpenRequest,
  { signal }: Hooks,
): { readonly sharedPaths: readonly string[]; readonly signal?: AbortSignal } {
  return { sharedPaths, ...(signal && { signal }) };
}
