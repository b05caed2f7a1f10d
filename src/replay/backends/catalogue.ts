import type { BackendKind } from './backend.ts';
import { clientBandwidth, totalBandwidth } from './bandwidth.ts';
import { chunkBandwidth } from './chunk-bandwidth.ts';
import { createUnlink } from './create-unlink.ts';
import { eventLog } from './event-log.ts';

/** "prints nothing, useful if only the imitation of application I/O is needed" */
const emptyLogger: BackendKind = {
  name: 'EmptyLogger',
  describes: 'nothing: for background load, or only to check contents',
  start: () => ({ end: () => undefined, state: () => undefined }),
  report: () => ({ backend: 'EmptyLogger', text: [], values: {} }),
};

/** Those of the paper's section 5 by the paper's names, and one of ours. */
const BACKENDS: readonly BackendKind[] = [
  emptyLogger,
  totalBandwidth('ReadBandwidth', 'read'),
  totalBandwidth('WriteBandwidth', 'write'),
  clientBandwidth('ClientReadBandwidth', 'read'),
  clientBandwidth('ClientWriteBandwidth', 'write'),
  chunkBandwidth,
  createUnlink,
  eventLog,
];

export const BACKEND_NAMES: readonly string[] = BACKENDS.map(({ name }) => name);

/** @throws RangeError naming those that there are. */
export function backendKind(name: string): BackendKind {
  const found = BACKENDS.find((backend) => backend.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new RangeError(`there is no back end ${name}: one of ${BACKEND_NAMES.join(', ')}`);
  return found;
}
