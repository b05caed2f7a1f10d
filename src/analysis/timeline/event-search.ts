import { NONE, type EventChunk } from '../../trace/events.ts';
import type { ShownEvents } from './shown-events.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** An event that was found, numbered as `ShownEvents` does, and its start on the axis. */
export interface FoundEvent {
  readonly event: number;
  readonly start: number;
}

/**
 * The next event that begins after a moment (or, backwards, before it) whose call, path, function (any of its stack) or error
 * holds a text, in whatever case. Of several that begin together the first by its number. Names are compared once each, and
 * the events gone through once: what is looked for among them is a flag.
 */
export function searchEvents(
  events: ShownEvents,
  text: string,
  from: number,
  direction: 1 | -1,
): FoundEvent | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return undefined;
  const matchers = events.recordings.map((recording) => new NameMatches(recording, wanted));
  let found: FoundEvent | undefined;
  let nearest = Infinity;
  events.forEachBlock(({ recording, chunk, rows, firstEvent, start, role }) => {
    const matches = matchers[recording]!;
    for (let i = 0; i < rows; i++) {
      const distance = (start[i]! - from) * direction;
      if (role[i] === 0 || !(distance > 0 && distance < nearest) || !matches.has(chunk, i)) continue;
      nearest = distance;
      found = { event: firstEvent + i, start: start[i]! };
    }
  });
  return found;
}

/** Which calls, files, errors and stacks of a recording hold a text. */
class NameMatches {
  private readonly calls: Uint8Array;
  private readonly files: Uint8Array;
  private readonly errors: Uint8Array;
  private readonly nodes: Uint8Array;

  constructor({ trace, resolved }: TimelineRecording, wanted: string) {
    const flags = (names: readonly string[]): Uint8Array =>
      Uint8Array.from(names, (name) => (name.toLowerCase().includes(wanted) ? 1 : 0));
    this.calls = flags(trace.calls.names);
    this.files = flags(trace.files.files.map(({ path }) => path));
    this.errors = flags(trace.errors.names);
    // Success is no error, whatever stands at its index.
    this.errors[0] = 0;
    const { stacks } = trace;
    this.nodes = new Uint8Array(stacks.nodes);
    // A caller's node stands before those of what it calls.
    for (let node = 0; node < stacks.nodes; node++) {
      const caller = stacks.nodeParent.at(node);
      const isBelow = caller !== NONE && this.nodes[caller] === 1;
      const own = resolved.framesOf(node).some(({ functionName }) => functionName.toLowerCase().includes(wanted));
      if (isBelow || own) this.nodes[node] = 1;
    }
  }

  has(chunk: EventChunk, i: number): boolean {
    const file = chunk.file[i]!;
    const node = chunk.stack[i]!;
    return (
      this.calls[chunk.call[i]!] === 1 ||
      (file !== NONE && this.files[file] === 1) ||
      this.errors[chunk.error[i]!] === 1 ||
      (node !== NONE && this.nodes[node] === 1)
    );
  }
}
