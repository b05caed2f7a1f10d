import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { AffineNumber, CallPattern, Pattern } from './pattern.ts';
import { namesOffset } from './positions.ts';

/** Where a transfer of a loop's body begins in one iteration. */
export interface Place {
  /** Counted from the beginning of the file, or from where the iteration found the handle. */
  readonly from: 'file' | 'iteration';
  /** Bytes; NaN where that is not known. */
  readonly at: number;
  /** Bytes from one iteration to the next. */
  readonly step: number;
  /** The step is the same each time, not only on average. */
  readonly isSteady: boolean;
}

const UNKNOWN: Place = { from: 'file', at: NaN, step: NaN, isSteady: false };
const BEGINNING: Place = { from: 'file', at: 0, step: 0, isSteady: true };
const AS_FOUND: Place = { from: 'iteration', at: 0, step: 0, isSteady: true };

/** Bytes that one call moves, on average. */
export function movedEach({ bytes, events }: CallPattern): number {
  return bytes / events;
}

/** Whether a call asks for the same number of bytes each time, and moves these. */
export function isFull({ requested, bytes, events }: CallPattern): boolean {
  return requested?.steps.every((step) => step === 0) === true && requested.base * events === bytes;
}

/**
 * Where the transfers directly in a loop's body begin. The body is gone through twice: how it leaves the handles is how
 * the next iteration finds them.
 *
 * @param depth number of loops around this one.
 */
export function placesOf(trace: Trace, body: readonly Pattern[], depth: number): ReadonlyMap<CallPattern, Place> {
  const first = new BodyWalk(trace, depth, new Map());
  first.visit(body);
  const second = new BodyWalk(trace, depth, first.nextIteration());
  second.visit(body);
  return second.places;
}

/** Follows the handles of one stream through a body. */
class BodyWalk {
  readonly places = new Map<CallPattern, Place>();

  /** @param positions of the handles' slots; those that are missing are as the iteration found them. */
  constructor(
    private readonly trace: Trace,
    private readonly depth: number,
    private readonly positions: Map<number, Place>,
  ) {}

  visit(body: readonly Pattern[]): void {
    for (const pattern of body) {
      if (pattern.kind === 'call') this.call(pattern);
      else if (pattern.kind === 'loop') this.loseTrack(pattern.body);
    }
  }

  nextIteration(): Map<number, Place> {
    const next = new Map<number, Place>();
    for (const [slot, place] of this.positions) {
      const { from, at, step } = place;
      next.set(slot, from === 'iteration' ? { ...place, at: 0, step: at } : { ...place, at: at - step });
    }
    return next;
  }

  /** How far a loop in the body moves the handles is not worked out. */
  private loseTrack(body: readonly Pattern[]): void {
    for (const pattern of body) {
      if (pattern.kind === 'call') this.positions.set(pattern.slot, UNKNOWN);
      else if (pattern.kind === 'loop') this.loseTrack(pattern.body);
    }
  }

  private call(call: CallPattern): void {
    // What fails moves nothing.
    if (call.error !== 0) return;
    switch (this.trace.calls.operation[call.call]!) {
      case OPERATION.open:
        this.positions.set(call.slot, BEGINNING);
        break;
      case OPERATION.seek:
        this.positions.set(call.slot, this.named(call.offset));
        break;
      case OPERATION.read:
      case OPERATION.write:
      case OPERATION.copy:
        this.transfer(call);
    }
  }

  private transfer(call: CallPattern): void {
    const { slot, offset, flags, count, follows } = call;
    const found = follows && slot !== NONE ? (this.positions.get(slot) ?? AS_FOUND) : this.named(offset);
    // At a named place a call that is repeated moves the same bytes again.
    this.places.set(call, offset !== undefined && count > 1 ? UNKNOWN : found);
    if (slot === NONE || namesOffset(this.trace.calls.names[call.call]!)) return;
    const appends = (flags & EVENT_FLAGS.append) !== 0;
    const isSteady = found.isSteady && isFull(call);
    this.positions.set(slot, appends ? UNKNOWN : { ...found, at: found.at + movedEach(call) * count, isSteady });
  }

  private named(offset: AffineNumber | undefined): Place {
    if (offset === undefined) return UNKNOWN;
    return { from: 'file', at: offset.base, step: offset.steps[this.depth] ?? 0, isSteady: true };
  }
}
