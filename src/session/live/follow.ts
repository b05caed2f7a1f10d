import type { LiveMethods, LiveStep } from './live-methods.ts';
import { pause } from './pause.ts';

/** Milliseconds between two looks at a recording that grows, and at one that does not at present. */
const LOOK_AGAIN = 300;
const LOOK_AGAIN_WHEN_STILL = 700;
/** Looks without anything new after which a recording counts as still. */
const STILL_AFTER = 10;

/**
 * Follows a recording until `signal` says stop: looks again and again, and takes as much rest as the last step took work, so
 * that at most half of a processor is used however large the recording becomes.
 *
 * @param onStep works out what is shown; the next step waits for it.
 * @throws what a step or `onStep` throws: the recording was closed, or the worker is gone.
 */
export async function followSteps(
  live: LiveMethods,
  id: number,
  onStep: (step: LiveStep) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let still = 0;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const started = performance.now();
    const step = await live.step(id);
    if (isOver()) return;
    await onStep(step);
    still = step.changed ? 0 : still + 1;
    const spent = performance.now() - started;
    const rest = still < STILL_AFTER ? LOOK_AGAIN : LOOK_AGAIN_WHEN_STILL;
    await pause(Math.max(rest, spent), signal);
  }
}
