import { NONE } from '../../trace/events.ts';
import type { Stream, Trace } from '../../trace/trace.ts';
import { matchByRequests } from './match-by-requests.ts';

/** By stream of the added recording: the stream of the base that is the same process or thread, or NONE. */
export type StreamMatches = Int32Array;

/**
 * Finds out which processes of two recordings of one run are the same: by rank where both know it; by host and pid; by who
 * wrote the added file, when the base recorded that (tracers leave a file per rank: Ather et al., section IV.B); by the
 * requests that only one process of each made; else when each holds one process only and they are by different tools. Nothing is guessed: what fits none of these stays by itself.
 */
export function matchStreams(base: Trace, added: Trace): StreamMatches {
  const matches = new Int32Array(added.streams.length).fill(NONE);
  const byRank = firstBy(base.streams, ({ rank }) => rank?.toString());
  const byPid = firstBy(base.streams, (stream) => pidKey(stream));
  const writers = writersOf(base, added);
  added.streams.forEach((stream, index) => {
    const found =
      byRank.get(stream.rank?.toString() ?? '') ?? byPid.get(pidKey(stream) ?? '') ?? writers.get(stream.part);
    if (found !== undefined) matches[index] = found;
  });
  // Two recordings by one tool number processes alike: what differs there is another process.
  const isOtherTool = base.format !== added.format;
  if (isOtherTool && matches.includes(NONE))
    matchByRequests(base, added).forEach((found, stream) => {
      if (matches[stream] === NONE) matches[stream] = found;
    });
  if (isOtherTool && matches.every((match) => match === NONE) && isOneProcess(base) && isOneProcess(added)) {
    const main = base.streams.findIndex(({ pid, processId }) => pid === processId);
    matches.fill(Math.max(0, main));
  }
  return matches;
}

/** The first stream of each key; a process's main thread stands before its others. */
function firstBy(streams: readonly Stream[], keyOf: (stream: Stream) => string | undefined): Map<string, number> {
  const found = new Map<string, number>();
  for (const wantsMain of [true, false])
    streams.forEach((stream, index) => {
      const key = keyOf(stream);
      const isMain = stream.pid === stream.processId;
      if (key !== undefined && key !== '' && isMain === wantsMain && !found.has(key)) found.set(key, index);
    });
  return found;
}

/** Numbers of processes mean something on a known host only, and readers that have none count from 0. */
function pidKey({ host, pid, rank }: Stream): string | undefined {
  return host === '' || pid <= 0 || rank !== undefined ? undefined : `${host} ${pid}`;
}

/** Key: part of the added recording; value: the only stream of the base that used a file of its name. */
function writersOf(base: Trace, added: Trace): Map<number, number> {
  const wanted = new Map<string, number>();
  added.parts.forEach(({ name }, part) => wanted.set(name.slice(name.lastIndexOf('/') + 1), part));
  const partOfFile = new Map<number, number>();
  base.files.files.forEach(({ path }, file) => {
    const part = wanted.get(path.slice(path.lastIndexOf('/') + 1));
    if (part !== undefined) partOfFile.set(file, part);
  });
  const users = new Map<number, Set<number>>();
  if (partOfFile.size === 0) return new Map();
  base.events.chunks.forEach((chunk, number) => {
    const rows = base.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const part = partOfFile.get(chunk.file[i]!);
      if (part !== undefined) users.set(part, (users.get(part) ?? new Set()).add(chunk.stream[i]!));
    }
  });
  return new Map([...users].flatMap(([part, streams]) => (streams.size === 1 ? [[part, [...streams][0]!]] : [])));
}

function isOneProcess({ streams }: Trace): boolean {
  return (
    streams.length > 0 &&
    streams.every(({ host, processId }) => host === streams[0]!.host && processId === streams[0]!.processId)
  );
}
