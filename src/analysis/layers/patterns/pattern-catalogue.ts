import { BYTE_AMPLIFICATION } from './byte-amplification.ts';
import { CALL_SPLIT, METADATA_BELOW } from './call-split.ts';
import { CHUNKS_AGAIN } from './chunks-again.ts';
import { COLLECTIVE_BUFFERING, COLLECTIVE_NOT_JOINED } from './collective-buffering.ts';
import { COLLECTIVE_WAITING } from './collective-waiting.ts';
import { DATA_SIEVING } from './data-sieving.ts';
import { INDEPENDENT_METADATA } from './independent-metadata.ts';
import { LIBRARY_FLUSHES } from './library-flushes.ts';
import { MANY_OBJECTS, REOPENED_OBJECTS } from './library-objects.ts';
import { LOCK_WAITING } from './lock-waiting.ts';
import { METADATA_STORM } from './metadata-storm.ts';
import { NO_OVERLAP } from './overlap.ts';
import type { LayerPattern } from './pattern.ts';
import { SMALL_LIBRARY_CALLS } from './small-library-calls.ts';

/** All patterns across layers, in the order in which they are looked for: a cause before what it explains. */
export const LAYER_PATTERNS: readonly LayerPattern[] = [
  DATA_SIEVING,
  COLLECTIVE_BUFFERING,
  COLLECTIVE_NOT_JOINED,
  LIBRARY_FLUSHES,
  REOPENED_OBJECTS,
  MANY_OBJECTS,
  CHUNKS_AGAIN,
  CALL_SPLIT,
  BYTE_AMPLIFICATION,
  COLLECTIVE_WAITING,
  NO_OVERLAP,
  LOCK_WAITING,
  METADATA_STORM,
  INDEPENDENT_METADATA,
  METADATA_BELOW,
  SMALL_LIBRARY_CALLS,
];
