import type { TimelineRecording } from '../../src/analysis/timeline/timeline-recording.ts';
import { ResolvedStacks } from '../../src/symbols/resolved-stacks.ts';
import { CallStackTable } from '../../src/trace/call-stacks.ts';
import { CallTable, LAYERS, type Layer, type Operation } from '../../src/trace/calls.ts';
import type { ChunkStore } from '../../src/trace/chunk-store.ts';
import { CHUNK_MASK, EventTable, LINK, NONE, type Link } from '../../src/trace/events.ts';
import { FileTable, HandleTable } from '../../src/trace/files.ts';
import { NameTable } from '../../src/trace/names.ts';
import type { Stream, Trace } from '../../src/trace/trace.ts';
import { FORMAT_TRAITS } from '../../src/readers/format-traits.ts';

/** A call of a made-up recording. What is left out is unknown, or nothing. */
export interface MadeEvent {
  stream: number;
  start: number;
  duration: number;
  call: number;
  file: number;
  bytes: number;
  flags?: number;
  error?: number;
  layer?: Layer;
  offset?: number;
  /** `bytes` unless said. */
  requested?: number;
  argument?: number;
  handle?: number;
  stack?: number;
  parent?: number;
  link?: Link;
}

export const CALLS: readonly (readonly [name: string, Operation])[] = [
  ['read', 'read'],
  ['write', 'write'],
  ['openat', 'open'],
  ['close', 'close'],
  ['copy_file_range', 'copy'],
  ['statx', 'metadata'],
];

/**
 * A recording that no reader has read: streams of given hosts, files by their paths, and events made one by one.
 *
 * @param make fills the event of a row; the object is the same each time.
 */
export function eventTrace(
  streams: readonly Partial<Stream>[],
  paths: readonly string[],
  count: number,
  make: (event: MadeEvent, row: number) => void,
  store?: ChunkStore,
): Trace {
  const events = new EventTable(store);
  const event: MadeEvent = { stream: 0, start: 0, duration: 0, call: 0, file: NONE, bytes: 0 };
  let end = 0;
  for (let row = 0; row < count; row++) {
    make(event, row);
    events.append();
    const chunk = events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.start[i] = event.start;
    chunk.duration[i] = event.duration;
    chunk.offset[i] = event.offset ?? NaN;
    chunk.bytes[i] = event.bytes;
    chunk.requested[i] = event.requested ?? event.bytes;
    chunk.file[i] = event.file;
    chunk.handle[i] = event.handle ?? NONE;
    chunk.stack[i] = event.stack ?? NONE;
    chunk.parent[i] = event.parent ?? NONE;
    chunk.link[i] = LINK[event.link ?? 'none'];
    chunk.argument[i] = event.argument ?? NaN;
    chunk.stream[i] = event.stream;
    chunk.line[i] = row + 1;
    chunk.call[i] = event.call;
    chunk.error[i] = event.error ?? 0;
    chunk.flags[i] = event.flags ?? 0;
    chunk.layer[i] = LAYERS.indexOf(event.layer ?? 'system call');
    if (event.start + event.duration > end) end = event.start + event.duration;
  }
  events.trim();
  const calls = new CallTable();
  for (const [name, operation] of CALLS) calls.intern(name, operation);
  const files = new FileTable();
  for (const path of paths) files.intern('', path);
  return {
    format: 'strace',
    form: FORMAT_TRAITS.strace,
    version: '',
    program: 'program',
    startTime: null,
    durationNs: end,
    parts: [{ name: 'made', path: '/nowhere/made', commandId: '', host: '', launchId: '', run: 'made' }],
    streams: streams.map((stream, i) => ({ host: '', pid: i + 1, processId: i + 1, part: 0, ...stream })),
    files,
    handles: new HandleTable(),
    calls,
    errors: new NameTable(['', 'ENOENT']),
    events,
    stacks: new CallStackTable(),
    capabilities: { time: true, duration: true, stacks: false, paths: true },
    damage: [],
    notes: [],
  };
}

/** The recording as a timeline takes it, without call sites and findings. */
export function timelineRecording(trace: Trace, name = 'made'): TimelineRecording {
  return {
    name,
    trace,
    resolved: new ResolvedStacks(0, trace.stacks.modules),
    callSites: { sites: [], siteOfNode: new Int32Array(0), isStartUp: new Uint8Array(0) },
    ignored: new Uint8Array(trace.files.length),
    insights: () => [],
    localSource: (file) => ({ file, isHere: false }),
  };
}
