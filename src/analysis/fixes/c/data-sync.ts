import { isClosedWorld } from './closed-world.ts';
import type { FixSources } from './descriptors.ts';
import { descriptorOf, reachOf } from './holders.ts';
import { callsOnLine, replace } from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

/** Calls that change nothing about a file but what it has; chmod, rename and their like are not among them. */
const KNOWN = (
  'open close read write readv writev pread pwrite preadv pwritev lseek ftruncate fsync fdatasync fstat stat ' +
  'posix_fadvise posix_fallocate usleep sleep nanosleep getpid _exit abort assert'
).split(' ');

/**
 * `fsync(fd)` becomes `fdatasync(fd)`: what was written, and how long the file is, is as safe as before; its times are not.
 * Fewer or later synchronisations are never offered: an acknowledgement or a journal may rely on each.
 */
export function syncData(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main, all } = sources;
  const [sync] = callsOnLine(main, request.place.line, ['fsync', 'fdatasync']);
  if (sync === undefined) return undefined;
  const later: Refusal = {
    title: 'Synchronise once, when the file is closed',
    note: 'One fsync in front of close makes all of it safe, but nothing before.',
    reason: 'an acknowledgement or a journal may rely on each synchronisation',
  };
  const [descriptor] = sync.operands;
  if (sync.name !== 'fsync' || descriptor === undefined || sync.operands.length !== 1) return later;
  const opened = descriptorOf(reachOf(request, sources), descriptor);
  const isWritten = opened?.opens.every(({ operands }) => /\bO_(WRONLY|RDWR)\b/.test(operands[1]?.text ?? ''));
  if (isWritten !== true || opened!.uses.some(({ name }) => name === 'fchmod')) return later;
  if (!isClosedWorld(request, all, KNOWN)) return later;
  return {
    title: "Use fdatasync instead of fsync (the file's times may be older after a power failure)",
    note: 'What was written, and the length of the file, are as safe as before.',
    edits: [replace(main, sync.callee, sync.callee.text.replace('fsync', 'fdatasync'))],
    method: 'data synchronised',
    kind: 'trade',
  };
}
