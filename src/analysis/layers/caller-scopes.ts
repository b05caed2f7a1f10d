import { addToGroup, getOrCreate } from '../../base/grouping.ts';
import { LAYERS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';

const NO_SCOPES: readonly Scope[] = [];

/** Streams of one process and one recording that hold calls of the same layers. */
interface Scope {
  readonly scope: number;
  /** Of the recording, among those that were joined. */
  readonly source: number;
}

/**
 * In which streams the caller of a call may stand. Its own stream comes first. Where the recordings of several tools were
 * joined, a process has streams of each of them: one with the calls of MPI-IO, say, and one for each thread with system
 * calls. A stream that records calls of a layer has those that it made itself, so it is no caller of another stream's.
 */
export class CallerScopes {
  /** By stream: where its calls are found by other streams of its process; NONE where there are none that could ask. */
  private readonly scopeOfStream: Int32Array;
  private readonly scopesOfProcess: (readonly (Scope & { layers: number })[])[] = [];
  private readonly processOfStream: Int32Array;
  /** What was asked for before, by process and layer. */
  private readonly lacking = new Map<number, readonly Scope[]>();

  /**
   * @param layersOfStream bits of the layers that each stream records.
   * @param sourceOfStream which of the joined recordings each stream is of.
   */
  constructor(trace: Trace, layersOfStream: Uint8Array, sourceOfStream: Int32Array) {
    const { streams } = trace;
    this.processOfStream = joinedProcesses(trace);
    this.scopeOfStream = new Int32Array(streams.length).fill(NONE);
    const members = new Map<number, number[]>();
    this.processOfStream.forEach((process, stream) => {
      addToGroup(members, process, stream);
    });
    let next = streams.length;
    for (const [process, of] of members) {
      const scopes = new Map<string, Scope & { layers: number }>();
      for (const stream of of) {
        const [layers, source] = [layersOfStream[stream]!, sourceOfStream[stream]!];
        const key = `${layers} ${source}`;
        if (!scopes.has(key)) scopes.set(key, { scope: next + scopes.size, layers, source });
        if (of.length > 1) this.scopeOfStream[stream] = scopes.get(key)!.scope;
      }
      if (scopes.size > 1) this.scopesOfProcess[process] = [...scopes.values()];
      else for (const stream of of) this.scopeOfStream[stream] = NONE;
      next += scopes.size;
    }
  }

  /** The scope that a stream's calls have for other streams of its process; NONE when no other could ask. */
  outside(stream: StreamIndex): number {
    return this.scopeOfStream[stream]!;
  }

  /** Scopes of the process of a stream that record no calls of a layer. */
  othersLacking(stream: StreamIndex, layer: number): readonly Scope[] {
    const process = this.processOfStream[stream]!;
    const scopes = this.scopesOfProcess[process];
    if (scopes === undefined) return NO_SCOPES;
    const key = process * LAYERS.length + layer;
    const lacking = getOrCreate(this.lacking, key, () => scopes.filter(({ layers }) => (layers & (1 << layer)) === 0));
    return lacking;
  }
}

/** For each stream one that stands for its process: the same process of the same host, or the same rank. */
function joinedProcesses({ streams, parts }: Trace): Int32Array {
  const known = new Map<string, number>();
  const leaders = Int32Array.from({ length: streams.length }, (_, stream) => stream);
  const leaderOf = (stream: StreamIndex): StreamIndex => {
    let at = stream;
    while (leaders[at] !== at) at = leaders[at]!;
    return at;
  };
  streams.forEach(({ host, processId, part, rank }, stream) => {
    const names = [`process ${host} ${processId} ${parts[part]!.run}`];
    if (rank !== undefined) names.push(`rank ${rank}`);
    for (const name of names) {
      leaders[leaderOf(stream)] = leaderOf(known.get(name) ?? stream);
      known.set(name, leaderOf(stream));
    }
  });
  return leaders.map((_, stream) => leaderOf(stream));
}
