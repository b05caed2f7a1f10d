import { CHUNK_MASK, EVENT_FLAGS, LINK } from '../../trace/events.ts';
import { errorName } from '../linux-errors.ts';
import type { CallInProgress } from './arguments.ts';
import { PendingRequests, requestOperation } from './async-requests.ts';
import type { CallNames } from './call-names.ts';
import { appendRow } from './event-rows.ts';
import type { OffsetTracker, Returned } from './offsets.ts';
import type { TracedProcess } from './processes.ts';
import { EFFECT } from './system-calls.ts';
import type { TraceBuilder } from './trace-builder.ts';

/**
 * Calls that work on more than one file have a row for each (docs/decisions/0012): a copy inside the kernel one for the
 * file at its other end, `io_submit` one for each request. These rows stand behind the call's own and name it as parent.
 */
export class CallParts {
  private readonly pending = new PendingRequests();

  constructor(
    private readonly builder: TraceBuilder,
    private readonly callNames: CallNames,
    private readonly offsets: OffsetTracker,
  ) {}

  /** Adds the rows of the parts of a call that begins, when its arguments were read. */
  begin(process: TracedProcess, call: CallInProgress, start: number, line: number): void {
    const { effect, name } = call.call;
    if (effect === EFFECT.sendFile)
      this.add(process, call, this.callNames.part(`${name} (source)`, 'copy'), start, line);
    else if (effect === EFFECT.copyRange) {
      this.add(process, call, this.callNames.part(`${name} (target)`, 'copy'), start, line);
    } else {
      for (const { operation } of call.requests) {
        const index = this.callNames.part(`aio_${operation || 'request'}`, requestOperation(operation));
        this.add(process, call, index, start, line);
      }
    }
  }

  private add(process: TracedProcess, call: CallInProgress, index: number, start: number, line: number): void {
    const row = appendRow(this.builder, process.stream, index, start, line);
    const chunk = this.builder.events.chunkOf(row);
    chunk.parent[row & CHUNK_MASK] = call.row;
    chunk.link[row & CHUNK_MASK] = LINK.part;
    chunk.flags[row & CHUNK_MASK] = EVENT_FLAGS.part | EVENT_FLAGS.neverReturned;
    call.parts++;
  }

  /** Fills the rows of a call that returned at `end` (nanoseconds from the origin). */
  returned(process: TracedProcess, call: CallInProgress, returned: Returned, error: number, end: number): void {
    switch (call.call.effect) {
      case EFFECT.sendFile:
      case EFFECT.copyRange:
        if (call.parts > 0) this.copied(call, error);
        break;
      case EFFECT.submit:
        this.submitted(process, call, returned, error);
        break;
      case EFFECT.collect:
        this.collected(process, call, end);
        break;
    }
  }

  private copied(call: CallInProgress, error: number): void {
    const { events } = this.builder;
    const { offsets } = this;
    const row = call.row + 1;
    const callFlags = events.value('flags', call.row);
    const chunk = events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.file[i] = offsets.otherFile;
    chunk.handle[i] = offsets.otherHandle;
    chunk.offset[i] = offsets.otherOffset;
    chunk.bytes[i] = offsets.bytes;
    chunk.requested[i] = call.requested;
    chunk.error[i] = error;
    chunk.flags[i] = EVENT_FLAGS.part | callFlags;
  }

  private submitted(process: TracedProcess, call: CallInProgress, returned: Returned, error: number): void {
    const { events, unseen } = this.builder;
    const accepted = returned.failed ? 0 : returned.value;
    if (accepted > call.parts) unseen.unlisted(accepted - call.parts);
    for (let part = 0; part < call.parts; part++) {
      const request = call.requests[part]!;
      const row = call.row + 1 + part;
      const chunk = events.chunkOf(row);
      const i = row & CHUNK_MASK;
      const open = this.offsets.seen(process, request.fd, request.decoration);
      if (open !== undefined) {
        chunk.file[i] = open.file;
        chunk.handle[i] = open.handle;
      }
      chunk.offset[i] = request.offset;
      chunk.requested[i] = request.requested;
      if (part < accepted) this.pending.add(process.processId, call.address, { row, file: chunk.file[i]!, request });
      else if (returned.failed) {
        chunk.error[i] = error;
        chunk.flags[i] = EVENT_FLAGS.part;
      }
    }
  }

  private collected(process: TracedProcess, call: CallInProgress, end: number): void {
    for (const completion of call.completions) {
      const pending = this.pending.take(process.processId, call.address, completion);
      if (pending === undefined) continue;
      const chunk = this.builder.events.chunkOf(pending.row);
      const i = pending.row & CHUNK_MASK;
      chunk.flags[i]! &= ~EVENT_FLAGS.neverReturned;
      chunk.duration[i] = end - chunk.start[i]!;
      const { result } = completion;
      if (result < 0) chunk.error[i] = this.builder.errors.intern(errorName(-result));
      else if (!Number.isNaN(pending.request.requested)) {
        chunk.bytes[i] = result;
        const writes = requestOperation(pending.request.operation) === 'write';
        if (writes) this.offsets.wrote(pending.file, pending.request.offset + result);
      }
    }
  }
}
