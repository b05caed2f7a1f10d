import type { CounterTrigger } from './counter-trigger.ts';

/** All triggers over counters, in Drishti's order of evaluation. */
export const COUNTER_CATALOGUE: readonly CounterTrigger[] = [];
