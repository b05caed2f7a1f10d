import { forEachByStart } from '../../analysis/dfg/event-order.ts';
import { CREATION_BITS, STATUS_BITS } from '../../readers/otf2/event-records.ts';
import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, LOCK_KIND, NONE, type EventChunk } from '../../trace/events.ts';
import { EventLabels, type EventSource } from '../events/event-labels.ts';
import type { Sink } from '../events/events-csv.ts';
import { Pieces } from '../events/pieces.ts';
import { Tracks } from '../events/tracks.ts';
import { NOTHING, Otf2Definitions, type Field } from './otf2-definitions.ts';

/** Numbers of OTF2_IoOperationMode, bits of OTF2_IoOperationFlag. */
const MODE = { read: 0, write: 1, flush: 2 } as const;
const NON_BLOCKING = 1;
const COLLECTIVE = 2;
/** What our names of calls say beside the function's: the command of fcntl(2). */
const COMMAND = /\(F_\w+\)$/;
/** Calls that remove a file. */
const REMOVES = /^(unlink(at)?|remove|MPI_File_delete|nc(mpi)?_delete)$/;

/**
 * The events and definitions of a recording as records for native/otf2-writer/write-archive.c, which makes an OTF2 archive of them:
 * a location for each thread, a region for each call, in the context of the line that made it, and within it what it did.
 *
 * @throws Error in words for the user when the recording has no times.
 */
export function writeOtf2Records(source: EventSource, sink: Sink): void {
  if (!source.trace.capabilities.time)
    throw new Error(
      'the recording has no times, which every event of OTF2 has: record with -ttt, or export CSV or Parquet',
    );
  new Otf2Records(source, sink).write();
}

/** What comes later on a location: the end of a call, or of a transfer that was only begun. */
interface Later {
  readonly time: number;
  readonly lines: string[];
}

class Otf2Records {
  private readonly output: Pieces;
  private readonly labels: EventLabels;
  private readonly tracks: Tracks;
  private readonly definitions: Otf2Definitions;
  /** By track: the calls that are open, the innermost last; and transfers under way, the earliest end last. */
  private readonly open: Later[][] = [];
  private readonly underWay: Later[][] = [];
  private transfers = 0;

  constructor(
    private readonly source: EventSource,
    sink: Sink,
  ) {
    this.output = new Pieces(sink);
    this.labels = new EventLabels(source);
    this.tracks = new Tracks(source.trace.streams.length);
    this.definitions = new Otf2Definitions(source.trace);
  }

  write(): void {
    const track = { number: 0 };
    forEachByStart(this.source.trace.events, (chunk, from, to) => {
      for (let row = from; row < to; row++) {
        if (Number.isNaN(chunk.start[row]!)) continue;
        if ((chunk.flags[row]! & EVENT_FLAGS.part) === 0) track.number = this.call(chunk, row);
        else this.part(chunk, row, track.number);
      }
    });
    this.open.forEach((_, at) => this.settle(at, Infinity));
    this.definitions.write((kind, ...fields) => this.output.add(line(kind, fields)), this.tracks);
    this.output.add('.\n');
    this.output.flush();
  }

  /** @returns its track. */
  private call(chunk: EventChunk, row: number): number {
    const { definitions, labels } = this;
    const flags = chunk.flags[row]!;
    const start = Math.round(chunk.start[row]!);
    const lasts = (flags & (EVENT_FLAGS.neverReturned | EVENT_FLAGS.nonBlocking)) === 0 && chunk.duration[row]! > 0;
    const end = lasts ? start + Math.round(chunk.duration[row]!) : start;
    const track = this.tracks.place(chunk.stream[row]!, start, end);
    this.open[track] ??= [];
    this.underWay[track] ??= [];
    this.settle(track, start);
    const layer = chunk.layer[row]!;
    const context = definitions.callContext(
      labels.call(chunk, row).replace(COMMAND, ''),
      layer,
      this.stores(chunk, row),
      labels.site(chunk, row),
    );
    this.output.add(line('e', [track, start, context]));
    const closing = [line('x', [track, end, context])];
    this.open[track].push({ time: end, lines: closing });
    if (chunk.handle[row] !== NONE) definitions.uses(chunk.handle[row]!, layer);
    if (chunk.error[row] === 0) this.deed(chunk, row, track, start, closing);
    return track;
  }

  private operationOf(chunk: EventChunk, row: number): number {
    return this.source.trace.calls.operation[chunk.call[row]!]!;
  }

  private stores(chunk: EventChunk, row: number): boolean {
    const operation = this.operationOf(chunk, row);
    const { read, write, copy, sync } = OPERATION;
    return operation === read || operation === write || operation === copy || operation === sync;
  }

  /** What the call did, as far as OTF2 has a record for it. @param closing lines of its end, the first of which is written last. */
  private deed(chunk: EventChunk, row: number, track: number, start: number, closing: string[]): void {
    const operation = this.operationOf(chunk, row);
    const mode = modeOf(operation, this.labels.call(chunk, row));
    if (mode !== undefined) {
      this.transfer(chunk, row, track, mode, closing);
      return;
    }
    const handle = chunk.handle[row]!;
    const put = (kind: string, ...fields: Field[]): void => this.output.add(line(kind, [track, start, ...fields]));
    if (handle === NONE) {
      if (REMOVES.test(this.labels.call(chunk, row)) && chunk.file[row] !== NONE)
        put('r', this.definitions.paradigm(chunk.layer[row]!), chunk.file[row]!);
      return;
    }
    switch (operation) {
      case OPERATION.open:
        put('o', handle, ...openFields(chunk.argument[row]!));
        break;
      case OPERATION.close:
        put('d', handle);
        break;
      case OPERATION.seek:
        if (chunk.offset[row]! >= 0)
          put('s', handle, chunk.argument[row]! >= 0 ? chunk.argument[row]! : 0, chunk.offset[row]!);
        break;
      case OPERATION.lock:
        lock(chunk.argument[row]!, handle, put);
        break;
      default:
    }
  }

  private transfer(chunk: EventChunk, row: number, track: number, mode: number, closing: string[]): void {
    const flags = chunk.flags[row]!;
    const isBegun = (flags & EVENT_FLAGS.nonBlocking) !== 0;
    const isOpen = (flags & EVENT_FLAGS.neverReturned) !== 0;
    if (isOpen && !isBegun) return;
    const start = Math.round(chunk.start[row]!);
    const known = chunk.handle[row]!;
    // Nothing is stored of a file that nobody names: sync() and its like are calls only.
    if (known === NONE && mode === MODE.flush) return;
    const handle = known === NONE ? this.definitions.handleOf(chunk.file[row]!, chunk.layer[row]!) : known;
    const number = ++this.transfers;
    const bits = (isBegun ? NON_BLOCKING : 0) | ((flags & EVENT_FLAGS.collective) !== 0 ? COLLECTIVE : 0);
    this.output.add(
      line('b', [
        track,
        start,
        handle,
        mode,
        bits,
        orNothing(chunk.requested[row]!),
        number,
        orNothing(chunk.offset[row]!),
      ]),
    );
    if (isBegun) this.output.add(line('i', [track, start, handle, number]));
    if (isOpen) return;
    const end = start + Math.round(chunk.duration[row]! || 0);
    const complete = line('c', [track, end, handle, chunk.bytes[row]!, number]);
    if (isBegun) this.complete(track, { time: end, lines: [complete] });
    else closing.push(complete);
  }

  /** The other file of a copy is worked on within the call. */
  private part(chunk: EventChunk, row: number, track: number): void {
    const whole = this.open[track]?.at(-1);
    if (whole === undefined || chunk.error[row] !== 0) return;
    const mode = modeOf(this.operationOf(chunk, row), this.labels.call(chunk, row));
    if (mode !== undefined) this.transfer(chunk, row, track, mode, whole.lines);
  }

  private complete(track: number, later: Later): void {
    const list = this.underWay[track]!;
    let at = list.length;
    while (at > 0 && list[at - 1]!.time < later.time) at--;
    list.splice(at, 0, later);
  }

  /** Writes what ended on a track up to a time. */
  private settle(track: number, now: number): void {
    const open = this.open[track]!;
    const underWay = this.underWay[track]!;
    for (;;) {
      const call = open.at(-1);
      const transfer = underWay.at(-1);
      const next = transfer !== undefined && !(call !== undefined && call.time <= transfer.time) ? transfer : call;
      if (next === undefined || next.time > now) return;
      for (let i = next.lines.length - 1; i >= 0; i--) this.output.add(next.lines[i]!);
      if (next === call) open.pop();
      else underWay.pop();
    }
  }
}

function orNothing(value: number): Field {
  return value >= 0 ? value : NOTHING;
}

function line(kind: string, fields: readonly Field[]): string {
  return `${kind}\t${fields.join('\t')}\n`;
}

/** One of MODE; undefined for operations that OTF2 has no record for. Of a copy one side is written, the other is read. */
function modeOf(operation: number, name: string): number | undefined {
  switch (operation) {
    case OPERATION.read:
      return MODE.read;
    case OPERATION.write:
      return MODE.write;
    case OPERATION.sync:
      return MODE.flush;
    case OPERATION.copy:
      return /^sendfile\S*$|\(target\)$/.test(name) ? MODE.write : MODE.read;
    default:
      return undefined;
  }
}

/** Access, creation flags and status flags. */
function openFields(argument: number): Field[] {
  const mode = argument >= 0 ? argument : 0;
  const bitsOf = (bits: typeof CREATION_BITS): number =>
    bits.reduce((sum, [bit, linux]) => ((mode & linux) !== 0 ? sum | bit : sum), 0);
  return [mode & 3, bitsOf(CREATION_BITS), bitsOf(STATUS_BITS)];
}

function lock(kind: number, handle: number, put: (kind: string, ...fields: Field[]) => void): void {
  const { exclusive, shared, release, tryExclusive } = LOCK_KIND;
  if (kind === release) put('u', handle, 0);
  else if (kind === exclusive || kind === shared) put('a', handle, kind - exclusive);
  else if (kind >= tryExclusive) put('t', handle, kind - tryExclusive);
}
