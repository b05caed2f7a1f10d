import { LOCK_KIND, OPEN_MODE } from '../../trace/events.ts';
import type { CallArguments } from './call-arguments.ts';

/** Commands of fcntl(2). */
const COMMAND = {
  duplicate: 0,
  setDescriptorFlags: 2,
  setFlags: 4,
  setLock: 6,
  setLockWait: 7,
  setDescriptionLock: 37,
  setDescriptionLockWait: 38,
  duplicateCloseOnExecute: 1030,
} as const;
const LOCK_TYPE = { read: 0, write: 1, release: 2 } as const;
/** Bits of flock(2), and commands of lockf(3). */
const FLOCK = { shared: 1, exclusive: 2, nonBlocking: 4, release: 8 } as const;
const LOCKF: readonly number[] = [LOCK_KIND.release, LOCK_KIND.exclusive, LOCK_KIND.tryExclusive, NaN];

/** What a call of fcntl(2) does, by its command. */
type Control =
  | { readonly effect: 'duplicate' | 'closeOnExecute'; readonly closeOnExecute: boolean }
  | { readonly effect: 'appends'; readonly appends: boolean }
  | { readonly effect: 'lock'; readonly name: string; readonly kind: number }
  | { readonly effect: 'none' };

const NAME_OF_LOCK: Readonly<Record<number, string>> = {
  [COMMAND.setLock]: 'fcntl(F_SETLK)',
  [COMMAND.setLockWait]: 'fcntl(F_SETLKW)',
  [COMMAND.setDescriptionLock]: 'fcntl(F_OFD_SETLK)',
  [COMMAND.setDescriptionLockWait]: 'fcntl(F_OFD_SETLKW)',
};

export function controlOf({ kind, value }: CallArguments): Control {
  switch (kind) {
    case COMMAND.duplicate:
    case COMMAND.duplicateCloseOnExecute:
      return { effect: 'duplicate', closeOnExecute: kind !== COMMAND.duplicate };
    case COMMAND.setDescriptorFlags:
      return { effect: 'closeOnExecute', closeOnExecute: (value & 1) !== 0 };
    case COMMAND.setFlags:
      return { effect: 'appends', appends: (value & OPEN_MODE.append) !== 0 };
    default: {
      const name = NAME_OF_LOCK[kind];
      if (name === undefined) return { effect: 'none' };
      const tries = kind === COMMAND.setLock || kind === COMMAND.setDescriptionLock;
      return { effect: 'lock', name, kind: kindOfRecordLock(value, tries) };
    }
  }
}

function kindOfRecordLock(type: number, tries: boolean): number {
  if (type === LOCK_TYPE.release) return LOCK_KIND.release;
  if (type === LOCK_TYPE.read) return tries ? LOCK_KIND.tryShared : LOCK_KIND.shared;
  if (type === LOCK_TYPE.write) return tries ? LOCK_KIND.tryExclusive : LOCK_KIND.exclusive;
  return NaN;
}

/** One of LOCK_KIND for flock(2) and lockf(3), NaN when it is neither locked nor released. */
export function lockKind(name: string, kind: number): number {
  if (name.startsWith('lockf')) return LOCKF[kind] ?? NaN;
  if (kind & FLOCK.release) return LOCK_KIND.release;
  const tries = (kind & FLOCK.nonBlocking) !== 0;
  if (kind & FLOCK.shared) return tries ? LOCK_KIND.tryShared : LOCK_KIND.shared;
  if (kind & FLOCK.exclusive) return tries ? LOCK_KIND.tryExclusive : LOCK_KIND.exclusive;
  return NaN;
}
