import { LAYERS, type CallTable } from '../../trace/calls.ts';
import type { SegmentSums } from '../../trace/counters.ts';
import { CHUNK_MASK, NONE } from '../../trace/events.ts';
import type { DarshanTraceBuilder } from '../darshan/darshan-trace-builder.ts';
import type { SegmentBuffer } from './segment-buffer.ts';
import type { SegmentModule, SegmentOwner } from './segment-rows.ts';

/** What segments of a module are as events. */
interface SegmentKind {
  readonly layer: number;
  readonly read: number;
  readonly write: number;
  readonly sums: { readonly write: Sum; readonly read: Sum };
}

interface Sum {
  count: number;
  bytes: number;
}

/** Makes events of segments. */
export class SegmentEvents {
  /** The texts of stacks that each stream's segments have, by index of the stream. */
  readonly stackTexts: Set<number>[] = [];
  private readonly kinds = new Map<SegmentModule, SegmentKind>();
  private readonly streams = new Map<string, number>();
  private last = 0;

  constructor(private readonly builder: DarshanTraceBuilder) {}

  get length(): number {
    return this.builder.events.length;
  }

  /** Latest end of a segment in nanoseconds from the start of the job. */
  get end(): number {
    return this.last;
  }

  get sums(): SegmentSums[] {
    return [...this.kinds].map(([module, { sums }]) => ({ module, ...sums }));
  }

  /**
   * Adds the segments of one owner.
   * @param file that they are of: index into the trace's files, or NONE.
   * @param part index of the recording's file that they stand in.
   * @param order of the segments by their start.
   */
  add(owner: SegmentOwner, file: number, part: number, buffer: SegmentBuffer, order: Uint32Array): void {
    const { events, handles } = this.builder;
    const kind = this.kindOf(owner.module);
    const stream = this.streamOf(owner, part);
    const handle = handles.add(file, stream);
    const texts = this.stackTexts[stream]!;
    let lastText = NONE;
    for (const place of order) {
      const row = events.append();
      const chunk = events.chunkOf(row);
      const i = row & CHUNK_MASK;
      const isWrite = buffer.isWrite[place] === 1;
      const bytes = buffer.bytes[place]!;
      const duration = buffer.duration[place]!;
      chunk.start[i] = buffer.start[place]!;
      chunk.duration[i] = duration;
      chunk.offset[i] = buffer.offset[place]!;
      chunk.bytes[i] = bytes;
      chunk.requested[i] = bytes;
      chunk.file[i] = file;
      chunk.handle[i] = handle;
      // The text of the stack: what it means is known when all are (TextStacks).
      const text = (chunk.stack[i] = buffer.stack[place]!);
      chunk.parent[i] = NONE;
      chunk.stream[i] = stream;
      chunk.line[i] = buffer.line[place]!;
      chunk.call[i] = isWrite ? kind.write : kind.read;
      chunk.layer[i] = kind.layer;
      const sum = isWrite ? kind.sums.write : kind.sums.read;
      sum.count++;
      sum.bytes += bytes;
      this.last = Math.max(this.last, chunk.start[i] + (duration > 0 ? duration : 0));
      if (text !== lastText && text !== NONE) texts.add(text);
      lastText = text;
    }
  }

  private kindOf(module: SegmentModule): SegmentKind {
    let kind = this.kinds.get(module);
    if (kind === undefined) {
      kind = { ...callsOf(module, this.builder.calls), sums: { write: noSum(), read: noSum() } };
      this.kinds.set(module, kind);
    }
    return kind;
  }

  private streamOf({ rank, host }: SegmentOwner, part: number): number {
    const { streams, hosts } = this.builder;
    const key = `${part} ${rank}`;
    let stream = this.streams.get(key);
    if (stream === undefined) {
      stream = streams.push({ host, pid: rank, processId: rank, part, rank }) - 1;
      this.streams.set(key, stream);
      this.stackTexts.push(new Set());
      if (host !== '') hosts.set(rank, host);
    }
    return stream;
  }
}

function callsOf(module: SegmentModule, calls: CallTable): Omit<SegmentKind, 'sums'> {
  const isPosix = module === 'DXT_POSIX';
  return {
    layer: LAYERS.indexOf(isPosix ? 'POSIX' : 'MPI-IO'),
    read: calls.intern(isPosix ? 'read' : 'MPI_File_read', 'read'),
    write: calls.intern(isPosix ? 'write' : 'MPI_File_write', 'write'),
  };
}

function noSum(): Sum {
  return { count: 0, bytes: 0 };
}
