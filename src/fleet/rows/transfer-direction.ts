import { OPERATION, type CallTable } from '../../trace/calls.ts';

/** What a call does with the bytes of its file. */
export const DIRECTION = { none: 0, read: 1, write: 2 } as const;

/**
 * The direction of each call of a recording. A copy inside the kernel has a row for each of its files: `sendfile` for its
 * target and `(source)` for the other, the rest for their source and `(target)`.
 */
export function directionsOf({ names, operation }: CallTable): Uint8Array {
  return Uint8Array.from(operation, (kind, call) => {
    if (kind === OPERATION.read) return DIRECTION.read;
    if (kind === OPERATION.write) return DIRECTION.write;
    if (kind !== OPERATION.copy) return DIRECTION.none;
    const name = names[call]!;
    const writes = name.endsWith('(target)') || (name.startsWith('sendfile') && !name.endsWith('(source)'));
    return writes ? DIRECTION.write : DIRECTION.read;
  });
}
