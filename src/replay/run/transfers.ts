import type { ReplayCall } from '../backends/backend.ts';
import { checkContent, fillContent } from './content.ts';
import type { TaskFile } from './task-files.ts';
import { ReplayError } from './replay-error.ts';
import type { ContentReport, TaskSurroundings } from './surroundings.ts';

/** Larger requests are moved in pieces of this many bytes, as the kernel does with those above 2 GiB. */
const LARGEST_PIECE = 64 << 20;
/** Wrong places that a task names. */
const MOST_PLACES = 10;

export type Direction = 'read' | 'write';

/** Moves bytes between files and a task's memory, measures it, and makes and checks contents outside of the time. */
export class Transfers {
  readonly content: ContentReport = { right: 0, unwritten: 0, wrong: 0, unchecked: 0, wrongPlaces: [] };
  private memory = new Uint8Array(0);

  constructor(private readonly around: TaskSurroundings) {}

  /** Measures one call: the back ends are told of its begin and end. @param act gives the bytes moved. */
  measured(call: ReplayCall, act: () => number): number {
    const { backends, clock } = this.around;
    for (const backend of backends) backend.begin?.(call, clock.now());
    const started = clock.now();
    const moved = act();
    const end = clock.now();
    for (const backend of backends) backend.end(call, moved, end - started, end, 1);
    return moved;
  }

  /**
   * Moves bytes in full, or until the file ends, as one call.
   * @param offset undefined: where the file stands, which moves on.
   */
  move(file: TaskFile, direction: Direction, operation: string, bytes: number, offset?: number): void {
    const { backends, clock } = this.around;
    const call: ReplayCall = { operation, direction, bytes, effect: 'none', isIo: true };
    const begin = offset ?? file.position;
    checkPlace(begin, bytes);
    const memory = this.atLeast(Math.min(bytes, LARGEST_PIECE));
    for (const backend of backends) backend.begin?.(call, clock.now());
    let moved = 0;
    let seconds = 0;
    let got: number;
    // A request of no bytes is a call too.
    do {
      const piece = Math.min(LARGEST_PIECE, bytes - moved);
      const at = begin + moved;
      if (direction === 'write') this.fill(file, memory, piece, at);
      const started = clock.now();
      got = this.once(file, direction, memory, piece, offset === undefined && file.isSequential ? null : at);
      seconds += clock.now() - started;
      if (direction === 'read') this.check(file, memory, got, at);
      moved += got;
    } while (got > 0 && moved < bytes);
    for (const backend of backends) backend.end(call, moved, seconds, clock.now(), 1);
    if (offset === undefined) file.position = begin + moved;
  }

  /** Moves bytes in full, or until the file ends, without measuring. @returns bytes moved. */
  raw(file: TaskFile, direction: Direction, memory: Uint8Array, length: number, at: number): number {
    let moved = 0;
    while (moved < length) {
      const rest = memory.subarray(moved, length);
      const got = this.once(file, direction, rest, rest.length, file.isSequential ? null : at + moved);
      if (got === 0) break;
      moved += got;
    }
    return moved;
  }

  /** Memory of the task, used again by its next transfer. */
  atLeast(bytes: number): Uint8Array {
    if (this.memory.length >= bytes) return this.memory;
    this.memory = new Uint8Array(bytes);
    // Without contents: anything but 0, which file systems may not store.
    for (let i = 0; i < bytes; i++) this.memory[i] = 1 + (i % 251);
    return this.memory;
  }

  /** Puts what this task writes at a place into memory; without contents it stays what it is. */
  fill(file: TaskFile, memory: Uint8Array, length: number, at: number, writer = this.around.rank): void {
    if (this.around.contentNames === undefined || file.contentKey === undefined) return;
    fillContent(memory, length, file.contentKey, writer, at);
  }

  /** Looks at what was read at a place. */
  check(file: TaskFile, memory: Uint8Array, length: number, at: number): void {
    const { contentNames, size, place } = this.around;
    if (contentNames === undefined) return;
    // It may have been appended to since it was opened.
    if (file.contentKey === undefined || contentNames.originOf(file.path) === undefined) {
      this.content.unchecked += length;
      return;
    }
    const checked = checkContent(memory, length, file.contentKey, size + 1, at);
    this.content.right += checked.right;
    this.content.unwritten += checked.unwritten;
    this.content.wrong += checked.wrong;
    if (checked.wrong > 0 && this.content.wrongPlaces.length < MOST_PLACES)
      this.content.wrongPlaces.push({ path: file.path, offset: checked.firstWrong, place: place() });
  }

  private once(file: TaskFile, direction: Direction, memory: Uint8Array, length: number, at: number | null): number {
    const { calls } = this.around;
    return direction === 'read'
      ? calls.read(file.descriptor, memory, length, at)
      : calls.write(file.descriptor, memory, length, file.appends ? null : at);
  }
}

/** @throws ReplayError for a place that no file has. */
export function checkPlace(offset: number, bytes = 0): void {
  if (offset < 0) throw new ReplayError(`the offset ${offset} is before the begin of the file`);
  if (!Number.isSafeInteger(offset + bytes)) throw new ReplayError(`${bytes} bytes at ${offset} end beyond 2^53 − 1`);
}
