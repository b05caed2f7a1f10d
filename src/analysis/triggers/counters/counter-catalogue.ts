import { AGGREGATORS } from './aggregators.ts';
import { ALIGNMENTS } from './alignment.ts';
import { BALANCES } from './balance.ts';
import { BLOCKING } from './blocking.ts';
import { COLLECTIVES } from './collective.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import { SIEVED_WRITES } from './data-sieving.ts';
import { FLUSHED_STREAMS } from './flushes.ts';
import { INTENSITIES } from './intensity.ts';
import { INTERFACES } from './interfaces.ts';
import { METADATA_TIMES } from './metadata.ts';
import { ORDERS } from './order.ts';
import { SMALL_REQUESTS, SMALL_SHARED_REQUESTS } from './requests.ts';
import { SLOW_PROCESS } from './slow-process.ts';
import { TRAFFIC } from './traffic.ts';

/** All triggers over counters, in Drishti's order of evaluation. */
export const COUNTER_CATALOGUE: readonly CounterTrigger[] = [
  ...INTERFACES,
  ...INTENSITIES,
  ...SMALL_REQUESTS,
  ...ALIGNMENTS,
  ...TRAFFIC,
  ...ORDERS,
  ...SMALL_SHARED_REQUESTS,
  ...METADATA_TIMES,
  ...BALANCES,
  ...COLLECTIVES,
  ...BLOCKING,
  ...AGGREGATORS,
];

/** What Drishti has no trigger for. */
export const OWN_COUNTER_TRIGGERS: readonly CounterTrigger[] = [FLUSHED_STREAMS, SLOW_PROCESS, SIEVED_WRITES];
