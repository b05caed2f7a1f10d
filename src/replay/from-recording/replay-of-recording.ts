import { addToGroup } from '../../base/grouping.ts';
import { FILE_EFFECT, fileEffects } from '../../analysis/dependencies/file-effects.ts';
import { findDependencies, type Dependencies } from '../../analysis/dependencies/find-dependencies.ts';
import { JointCalls } from '../../analysis/dependencies/joint-calls.ts';
import type { Synchronisation } from '../../analysis/dependencies/synchronisations.ts';
import type { IoEvents } from '../../analysis/dependencies/io-events.ts';
import { OPEN_MODE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { SynchronisationOperation } from '../program.ts';
import { callForms } from './call-forms.ts';
import { chooseCalls, type ReplayedCalls } from './choose-calls.ts';
import { callColumns, HandleUses } from './handle-uses.ts';
import type { InputFile, RecordedReplay, RecordedTask } from './recorded-replay.ts';
import { MpiUnsaid, viewsSet } from './mpi-calls.ts';
import { ReplayPaths } from './replay-paths.ts';
import { TaskBuilder, type BuilderMeans } from './task-builder.ts';

/** Gaps between calls that are shorter are the recorder's and the clock's: nanoseconds. */
const SHORTEST_THOUGHT = 1000;

export interface ReplayOptions {
  /** Which calls are repeated; see `chooseCalls`. */
  readonly calls: ReplayedCalls;
  /** By what the time between calls is multiplied; 0 leaves it out. */
  readonly thinkTime: number;
  /** 1 for each file that is none of the program's own. */
  readonly ignored: Uint8Array;
  /** Whether calls of MPI-IO, where they are chosen, become requests of POSIX: for what knows no MPI. */
  readonly plainRequests?: boolean;
}

/**
 * Makes a replay of a recording, call by call: a task for each stream, tokens between them where they depend on each
 * other, and the files that have to be there first.
 *
 * @throws RangeError in words for the user when nothing of the recording can be replayed.
 */
export function replayOfRecording(trace: Trace, options: ReplayOptions): RecordedReplay {
  const { takesPart, notes } = chooseCalls(trace, options.calls, options.ignored);
  let joint: JointCalls | undefined;
  const isMpi = options.calls === 'MPI-IO' && options.plainRequests !== true;
  const jointly = isMpi ? (events: IoEvents) => (joint = new JointCalls(trace, events)) : undefined;
  const dependencies = findDependencies(trace, takesPart, jointly);
  const { events, synchronisations } = dependencies;
  const streams = actingStreams(trace, dependencies);
  const rankOf = new Map(streams.map((stream, rank) => [stream, rank]));
  const effects = fileEffects(trace.calls);
  const leftOut = new Map<string, number>();
  const { paths, inputs, isThere, isFolder } = placesOf(trace, dependencies);
  const columns = callColumns(trace, events);
  const unsaid = new MpiUnsaid();
  if (isMpi) unsaid.views = viewsSet(trace);
  const size = streams.length;
  const mpi = joint && {
    joint,
    names: trace.calls.names,
    rankOf: (stream: number): number => rankOf.get(stream)!,
    size,
    unsaid,
  };
  const means: BuilderMeans = {
    events,
    columns,
    uses: new HandleUses(trace, events, columns),
    forms: callForms(trace.calls, effects),
    paths,
    isThere,
    isFolder,
    isContended: contendedFiles(events),
    leaveOut: (call) => {
      const name = trace.calls.names[call]!;
      leftOut.set(name, (leftOut.get(name) ?? 0) + 1);
    },
    mpi,
  };
  const tokens = tokensOf(synchronisations, rankOf);
  const times = { thinkTime: options.thinkTime, began: events.start[dependencies.order[0] ?? 0] ?? 0 };
  const tasks = streams.map((stream) => taskOf(stream, means, tokens.get(stream) ?? [], times));
  const unrepeated = [...leftOut].map(([name, count]) => `left out: ${count} × ${name}, which a replay cannot repeat`);
  return {
    tasks,
    inputs,
    synchronisations: { found: dependencies.found, kept: synchronisations.length },
    notes: [...notes, ...unrepeated, ...unsaid.notes(), ...dependencies.notes],
  };
}

/** Streams with calls, and those that only pass signals on; by rank where all have one. */
function actingStreams(trace: Trace, { events, synchronisations }: Dependencies): number[] {
  const acting = new Set<number>();
  for (let stream = 0; stream < trace.streams.length; stream++) if (events.count(stream) > 0) acting.add(stream);
  for (const { signals, waits } of synchronisations)
    for (const { stream } of [...signals, ...waits]) acting.add(stream);
  const rank = (stream: number): number => trace.streams[stream]!.rank ?? 0;
  return [...acting].sort((a, b) => rank(a) - rank(b) || a - b);
}

/** Where the files of a replay stand, and what is known of them. */
interface Places {
  readonly paths: ReplayPaths;
  readonly inputs: readonly InputFile[];
  /** Whether something of a file is there when it is asked for. */
  readonly isThere: (file: number) => boolean;
  readonly isFolder: (file: number) => boolean;
}

function placesOf(trace: Trace, { events, needed }: Dependencies): Places {
  const used = new Set<number>(needed.map(({ file }) => file));
  const folders = new Set<number>();
  const madeFolders = new Set<number>();
  const regular = new Set<number>();
  /** Files that are there for some time, as more than a name. */
  const opened = new Set<number>(used);
  for (let k = 0; k < events.length; k++) {
    const file = events.file[k]!;
    const effect = events.effect[k]!;
    used.add(file);
    if (effect === FILE_EFFECT.makeFolder) madeFolders.add(file);
    if (effect === FILE_EFFECT.makeFolder || effect === FILE_EFFECT.removeFolder) folders.add(file);
    else if (effect === FILE_EFFECT.read || effect === FILE_EFFECT.write) regular.add(file);
    else if (effect === FILE_EFFECT.open && events.argument[k]! & OPEN_MODE.directory) folders.add(file);
    if (effect === FILE_EFFECT.rename && events.argument[k]! >= 0) used.add(events.argument[k]!);
    if (effect !== FILE_EFFECT.look) opened.add(file);
  }
  const above = foldersAbove(Array.from(used, (file) => trace.files.at(file).path));
  for (const file of used) if (!regular.has(file) && above.has(trace.files.at(file).path)) folders.add(file);
  const isFolder = (file: number): boolean => folders.has(file);
  const paths = new ReplayPaths(trace.files, used, isFolder);
  const inputs = needed
    .filter(({ file }) => !isFolder(file))
    .map(({ file, bytes }) => ({ path: paths.at(file), bytes }));
  const isThere = (file: number): boolean => madeFolders.has(file) || (opened.has(file) && !isFolder(file));
  return { paths, inputs, isThere, isFolder };
}

/** Files that several streams lock. */
function contendedFiles({ effect, file, stream, length }: Dependencies['events']): (file: number) => boolean {
  const lockers = new Map<number, number>();
  const contended = new Set<number>();
  for (let k = 0; k < length; k++) {
    if (effect[k] !== FILE_EFFECT.lock) continue;
    const known = lockers.get(file[k]!);
    if (known !== undefined && known !== stream[k]) contended.add(file[k]!);
    lockers.set(file[k]!, stream[k]!);
  }
  return (its) => contended.has(its);
}

/** All folders that some paths lie in. */
function foldersAbove(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

/** A token of a task: behind so many of its calls. */
interface Token {
  readonly calls: number;
  readonly operation: SynchronisationOperation;
  /** When what is waited for was over; NaN for signals. */
  readonly timeNs: number;
}

/** The tokens of each stream in their order: those behind the same call stand as they depend on each other. */
function tokensOf(
  synchronisations: readonly Synchronisation[],
  rankOf: ReadonlyMap<number, number>,
): Map<number, readonly Token[]> {
  const tokens = new Map<number, Token[]>();
  const add = (stream: number, token: Token): void => {
    addToGroup(tokens, stream, token);
  };
  for (const { signals, waits, timeNs } of synchronisations) {
    if (signals === waits || signals.length > 1) {
      const tasks = waits.map(({ stream }) => rankOf.get(stream)!).sort((a, b) => a - b);
      const operation = { operation: 'barrier', ...(tasks.length < rankOf.size && { tasks }) } as const;
      for (const { stream, calls } of waits) add(stream, { calls, operation, timeNs });
      continue;
    }
    const [from] = signals;
    const [to] = waits;
    const peer = (stream: number): number => rankOf.get(stream)!;
    add(from!.stream, {
      calls: from!.calls,
      operation: { operation: 'send_sync', peer: peer(to!.stream) },
      timeNs: NaN,
    });
    add(to!.stream, { calls: to!.calls, operation: { operation: 'recv_sync', peer: peer(from!.stream) }, timeNs });
  }
  // Sorting keeps the order of equal ones.
  for (const list of tokens.values()) list.sort((a, b) => a.calls - b.calls);
  return tokens;
}

/** @param began when the first call of all streams began: what is before a stream's own first is thinking too. */
function taskOf(
  stream: number,
  means: BuilderMeans,
  tokens: readonly Token[],
  { thinkTime, began }: { readonly thinkTime: number; readonly began: number },
): RecordedTask {
  const { events } = means;
  const builder = new TaskBuilder(means, stream);
  const first = events.first[stream]!;
  const count = events.count(stream);
  let next = 0;
  let free = began;
  for (let calls = 0; calls <= count; calls++) {
    for (; next < tokens.length && tokens[next]!.calls <= calls; next++) {
      const { operation, timeNs } = tokens[next]!;
      builder.synchronise(operation, timeNs);
      if (!Number.isNaN(timeNs)) free = Math.max(free, timeNs);
    }
    if (calls === count) break;
    const k = first + calls;
    const gap = events.start[k]! - free;
    if (thinkTime > 0 && gap >= SHORTEST_THOUGHT)
      builder.add({ operation: 'sleep', seconds: Number(((gap * thinkTime) / 1e9).toFixed(9)) }, free);
    builder.call(k);
    free = events.end[k]!;
  }
  builder.end();
  return { stream, steps: builder.steps };
}
