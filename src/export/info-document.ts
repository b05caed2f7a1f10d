import type { Lack } from '../analysis/lacks.ts';
import { LAYERS } from '../trace/calls.ts';
import { EVENT_FLAGS } from '../trace/events.ts';
import type { Trace } from '../trace/trace.ts';
import type { InfoDocument } from './documents.ts';

/** What a recording is and holds. */
export function infoDocument(trace: Trace, recording: string, lacks: readonly Lack[]): InfoDocument {
  const used = new Set<number>();
  const nodes = new Set<number>();
  let calls = 0;
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      used.add(chunk.layer[i]!);
      if ((chunk.flags[i]! & EVENT_FLAGS.part) === 0) calls++;
      if (chunk.stack[i]! >= 0) nodes.add(chunk.stack[i]!);
    }
  });
  return {
    schema: 'iolens/info@1',
    recording,
    format: trace.format,
    version: trace.version,
    program: trace.program,
    startTime: trace.startTime,
    durationNs: trace.durationNs,
    streams: trace.streams.length,
    layers: LAYERS.filter((_, layer) => used.has(layer)),
    files: trace.files.length,
    events: calls,
    counters: {},
    segments: {},
    stacks: nodes.size,
    damage: trace.damage,
    notes: trace.notes,
    capabilities: trace.capabilities,
    hosts: [...new Set(trace.streams.map((stream) => stream.host))].filter((host) => host !== ''),
    lacks,
  };
}
