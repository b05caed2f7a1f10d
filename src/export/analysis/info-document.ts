import type { Lack } from '../../analysis/lacks/lacks.ts';
import { roleShares } from '../../analysis/layers/shares.ts';
import { hasRanks, processCount } from '../../analysis/metrics/process-noun.ts';
import { LAYERS } from '../../trace/calls.ts';
import { LAYER_OF_MODULE } from '../../trace/counters.ts';
import { EVENT_FLAGS } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { counterTotals } from './counter-totals.ts';
import { definitionDocument, handleDocuments } from './definition-document.ts';
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
  const { counters } = trace;
  const shares = roleShares(trace);
  const handles = handleDocuments(trace);
  const definitions = definitionDocument(trace);
  for (const { module, length } of counters?.modules ?? []) {
    const layer = LAYER_OF_MODULE[module];
    if (layer !== undefined && length > 0) used.add(LAYERS.indexOf(layer));
  }
  return {
    schema: 'iolens/info@1',
    recording,
    format: trace.format,
    version: trace.version,
    program: trace.program,
    // Darshan's own tools leave out the fractions, and scripts compare with them.
    startTime: counters === undefined || trace.startTime === null ? trace.startTime : Math.floor(trace.startTime),
    durationNs: trace.durationNs,
    streams: counters?.job.processes ?? numberOfStreams(trace),
    processes: processCount(trace),
    ...(hasRanks(trace) && { ranks: new Set(trace.streams.map(({ rank }) => rank)).size }),
    layers: LAYERS.filter((_, layer) => used.has(layer)),
    files: trace.files.length,
    events: calls,
    counters: counters === undefined ? {} : counterTotals(counters),
    segments: Object.fromEntries(
      (counters?.segments ?? []).map(({ module, write, read }) => [module, { write, read }]),
    ),
    stacks: nodes.size,
    damage: trace.damage,
    notes: trace.notes,
    ...earlyEndsOf(trace),
    capabilities: trace.capabilities,
    ...(shares !== undefined && { roleTimes: shares.total }),
    hosts: hostsOf(trace),
    lacks,
    ...(trace.sources && { sources: trace.sources }),
    ...(handles.length > 0 && { handles }),
    ...(definitions && { definitions }),
  };
}

function earlyEndsOf({ earlyEnds, counters }: Trace): Pick<InfoDocument, 'earlyEnds'> {
  // A log whose job has no end was pieced together after the program had been killed.
  const ends = [...(earlyEnds ?? []), ...(counters?.job.endTime === 0 ? ['the program was killed'] : [])];
  return ends.length === 0 ? {} : { earlyEnds: ends };
}

/** Each process or thread once, however many recordings of it were joined, and programs it became (execve). */
function numberOfStreams({ streams, parts }: Trace): number {
  return new Set(streams.map(({ host, pid, part, rank }) => `${host} ${pid} ${rank ?? ''} ${parts[part]!.run}`)).size;
}

function hostsOf(trace: Trace): string[] {
  const ofStreams = trace.streams.map((stream) => stream.host);
  return [...new Set([...ofStreams, ...(trace.counters?.hosts?.values() ?? [])])].filter((host) => host !== '');
}
