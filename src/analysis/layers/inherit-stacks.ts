import { CHUNK_ROWS, EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { hasSeveralLayers } from './layers-present.ts';

/**
 * Gives calls that were recorded without a stack that of the call that made them, or of the nearest one above with a
 * stack: the line of an `H5Dwrite` is the line of the writes below it too, only the frames within the libraries are
 * missing. Parts of calls have their call's stack already.
 *
 * @returns how many calls got a stack.
 */
export function inheritStacks(trace: Trace): number {
  if (!trace.capabilities.stacks || !hasSeveralLayers(trace)) return 0;
  const { events } = trace;
  const stacks = stacksAndCallers(trace);
  if (stacks === undefined) return 0;
  let inherited = 0;
  events.update((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (chunk.stack[i] !== NONE) continue;
      const stack = inheritedStack(stacks, number * CHUNK_ROWS + i);
      if (stack === NONE) continue;
      chunk.stack[i] = stack;
      inherited++;
    }
  });
  return inherited;
}

/** Of each row its stack; or below NONE, where it has none, which row made it. Undefined when no row without a stack was made. */
function stacksAndCallers({ events }: Trace): Int32Array | undefined {
  const stacks = new Int32Array(events.length);
  let made = 0;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      let stack = chunk.stack[i]!;
      const caller = chunk.parent[i]!;
      if (stack === NONE && caller !== NONE && !(chunk.flags[i]! & EVENT_FLAGS.part)) {
        stack = callerMark(caller);
        made++;
      }
      stacks[number * CHUNK_ROWS + i] = stack;
    }
  });
  return made > 0 ? stacks : undefined;
}

function inheritedStack(stacks: Int32Array, row: number): number {
  // Layers are few: what leads up further than this is damaged and leads round in a circle.
  for (let [at, steps] = [row, 0]; steps < MOST_STEPS; steps++) {
    const stack = stacks[at] ?? NONE;
    if (stack >= NONE) return stack;
    at = callerMark(stack);
  }
  return NONE;
}

const MOST_STEPS = 64;

/** A caller as a number below NONE, and back. */
function callerMark(value: number): number {
  return NONE - 1 - value;
}
