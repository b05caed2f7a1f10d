import { machine } from '#machine';
import { clockStep, estimateOffset, type ClockOffset } from '../../analysis/join/estimate-offset.ts';
import { joinTraces, type JoinedSource } from '../../analysis/join/join-traces.ts';
import { matchStreams } from '../../analysis/join/match-streams.ts';
import { formatDuration } from '../../base/quantities.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { EventSpill } from '../machine/machine.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { AddedRecording } from './open-request.ts';
import { recogniseRecording } from './recognise-recording.ts';

/** What reading the pieces of a joined recording needs. */
interface JoiningMeans {
  readonly budget: MemoryBudget;
  readonly sharedPaths: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Reads a recording and those that were added to it, as one.
 *
 * @param name of the first recording, for messages.
 * @param readBase reads the first recording with its events in the given store.
 * @param target where the events of the whole go that memory has no room for.
 * @throws UnreadableRecordingError, or an Error in words for the user, when one of them cannot be read.
 */
export async function readJoined(
  name: string,
  readBase: (store: ChunkStore) => Promise<Trace>,
  added: readonly AddedRecording[],
  target: ChunkStore,
  { budget, sharedPaths, signal }: JoiningMeans,
): Promise<Trace> {
  const stores: EventSpill[] = [];
  const ownStore = (): ChunkStore => {
    const store = machine.spill(budget);
    stores.push(store);
    return store;
  };
  try {
    const base = await readBase(ownStore());
    const sources: JoinedSource[] = [sourceOf(base, name, FIRST, new Int32Array(base.streams.length).fill(NONE))];
    for (const { paths, offsetNs } of added) {
      const { format, files, notes, damage } = await recogniseRecording(paths, signal);
      const read = await format.read(files, { sharedPaths, chunkStore: ownStore(), ...(signal && { signal }) });
      const trace = { ...read, notes: [...read.notes, ...notes], damage: [...damage, ...read.damage] };
      const matches = matchStreams(base, trace);
      const clock =
        offsetNs === undefined
          ? estimateOffset(base, trace, matches)
          : byUser(offsetNs, clockStep(base) + clockStep(trace));
      const said = { ...trace, notes: [...trace.notes, joiningNote(paths.join(' '), clock, matches)] };
      sources.push(sourceOf(said, paths.join(' '), clock, matches));
    }
    return joinTraces(sources, target, sharedPaths);
  } finally {
    for (const store of stores) store.close();
  }
}

const FIRST: ClockOffset = { offsetNs: 0, offsetFrom: 'first source', uncertaintyNs: 0 };

/** @param stepNs how coarse the clocks are, which no offset mends. */
function byUser(offsetNs: number, stepNs: number): ClockOffset {
  return { offsetNs, offsetFrom: 'user', uncertaintyNs: stepNs };
}

function sourceOf(trace: Trace, path: string, clock: ClockOffset, matches: Int32Array): JoinedSource {
  return { trace, source: { format: trace.format, version: trace.version, path, ...clock }, matches };
}

/** In words for the user: how the clocks were brought together, and whose calls are whose. */
function joiningNote(path: string, { offsetNs, offsetFrom, uncertaintyNs }: ClockOffset, matches: Int32Array): string {
  const by = `${offsetNs < 0 ? '−' : '+'}${(Math.abs(offsetNs) / 1e9).toFixed(6)} s`;
  const sure = Number.isNaN(uncertaintyNs) ? 'a guess' : `± ${formatDuration(uncertaintyNs)}`;
  const known = matches.filter((match) => match !== NONE).length;
  const from = offsetFrom === 'user' ? 'as given' : `by the ${offsetFrom}, ${sure}`;
  return `${path}: added with its times moved by ${by} (${from}); ${known} of its ${matches.length} processes and threads are those of the first recording`;
}
