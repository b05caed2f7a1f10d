import { StreamBuffer, type TaskFile } from './task-files.ts';
import type { RandomNumbers } from './random-numbers.ts';
import { checkPlace, type Direction, type Transfers } from './transfers.ts';

/** The calls of C streams over a buffer of 4 KiB, as glibc makes them: whole blocks go past the buffer. */
export class BufferedStreams {
  constructor(
    private readonly transfers: Transfers,
    private readonly sizeOf: (file: TaskFile) => number,
    private readonly random: RandomNumbers,
  ) {}

  read(file: TaskFile, stream: StreamBuffer, operation: string, bytes: number): void {
    checkPlace(file.position, bytes);
    const isRandom = operation === 'buf_read_random';
    const memory = this.transfers.atLeast(bytes);
    let begin = file.position;
    const got = this.transfers.measured(ioCall(operation, 'read', bytes), () => {
      if (isRandom) this.seek(file, stream, this.random.below(Math.max(1, this.sizeOf(file) - bytes + 1)));
      begin = file.position;
      return this.take(file, stream, memory, bytes);
    });
    this.transfers.check(file, memory, got, begin);
  }

  write(file: TaskFile, stream: StreamBuffer, operation: string, bytes: number): void {
    checkPlace(file.position, bytes);
    const memory = this.transfers.atLeast(bytes);
    this.transfers.fill(file, memory, bytes, file.position);
    this.transfers.measured(ioCall(operation, 'write', bytes), () => {
      this.forget(file, stream);
      this.put(file, stream, memory, bytes);
      return bytes;
    });
  }

  /** @param target offset from the begin of the file. */
  seek(file: TaskFile, stream: StreamBuffer, target: number): void {
    checkPlace(target);
    this.flush(file, stream);
    const move = target - file.position;
    const isInBuffer = -move <= stream.taken && move <= stream.filled - stream.taken && stream.filled > 0;
    if (isInBuffer) stream.taken += move;
    else {
      this.forget(file, stream);
      file.isSequential = false;
    }
    file.position = target;
  }

  /** Writes what waits. */
  flush(file: TaskFile, stream: StreamBuffer): void {
    const { pending } = stream;
    if (pending === 0) return;
    stream.pending = 0;
    this.transfers.raw(file, 'write', stream.bytes, pending, file.position - pending);
  }

  /** Drops what was read ahead. */
  forget(file: TaskFile, stream: StreamBuffer): void {
    if (stream.filled > stream.taken) file.isSequential = false;
    stream.filled = 0;
    stream.taken = 0;
  }

  private take(file: TaskFile, stream: StreamBuffer, memory: Uint8Array, bytes: number): number {
    this.flush(file, stream);
    let got = 0;
    while (got < bytes) {
      const here = Math.min(stream.filled - stream.taken, bytes - got);
      memory.set(stream.bytes.subarray(stream.taken, stream.taken + here), got);
      stream.taken += here;
      got += here;
      file.position += here;
      const rest = bytes - got;
      if (rest === 0) break;
      const whole = rest - (rest % StreamBuffer.SIZE);
      const brought = whole > 0 ? this.takeWhole(file, memory.subarray(got), whole) : this.fillBuffer(file, stream);
      if (whole > 0) got += brought;
      if (brought === 0) break;
    }
    return got;
  }

  private takeWhole(file: TaskFile, memory: Uint8Array, whole: number): number {
    const brought = this.transfers.raw(file, 'read', memory, whole, file.position);
    file.position += brought;
    return brought;
  }

  private fillBuffer(file: TaskFile, stream: StreamBuffer): number {
    stream.taken = 0;
    stream.filled = this.transfers.raw(file, 'read', stream.bytes, StreamBuffer.SIZE, file.position);
    return stream.filled;
  }

  private put(file: TaskFile, stream: StreamBuffer, memory: Uint8Array, bytes: number): void {
    const room = stream.pending > 0 ? Math.min(StreamBuffer.SIZE - stream.pending, bytes) : 0;
    stream.bytes.set(memory.subarray(0, room), stream.pending);
    stream.pending += room;
    file.position += room;
    const rest = bytes - room;
    if (rest === 0) return;
    this.flush(file, stream);
    const whole = rest - (rest % StreamBuffer.SIZE);
    this.transfers.raw(file, 'write', memory.subarray(room), whole, file.position);
    stream.bytes.set(memory.subarray(room + whole, bytes));
    stream.pending = rest - whole;
    file.position += rest;
  }
}

function ioCall(operation: string, direction: Direction, bytes: number) {
  return { operation, direction, bytes, effect: 'none', isIo: true } as const;
}
