import { BALANCES } from './catalogue/balance.ts';
import { FLUSHES, LIBRARIES, STDIO } from './catalogue/layers.ts';
import { METADATA } from './catalogue/metadata.ts';
import { NAMES } from './catalogue/names.ts';
import { PIPES } from './catalogue/pipes.ts';
import { POLLING } from './catalogue/polling.ts';
import { PLACES, STRIDES } from './catalogue/places.ts';
import { SHARED_REQUESTS, SMALL_REQUESTS } from './catalogue/requests.ts';
import { STORAGE, SYNCHRONISATION } from './catalogue/storage.ts';
import { SUMMARIES } from './catalogue/summaries.ts';
import { TURNS } from './catalogue/turns.ts';
import type { Trigger } from './trigger.ts';

/** All triggers, in the order in which they are evaluated: a cause before what it explains. */
export const CATALOGUE: readonly Trigger[] = [
  ...TURNS,
  ...POLLING,
  ...FLUSHES,
  ...LIBRARIES,
  ...SHARED_REQUESTS,
  ...STRIDES,
  ...STORAGE,
  ...SMALL_REQUESTS,
  ...STDIO,
  ...PLACES,
  ...METADATA,
  ...SYNCHRONISATION,
  ...NAMES,
  ...BALANCES,
  ...PIPES,
  ...SUMMARIES,
];
