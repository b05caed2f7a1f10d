import type { Fixer } from './c-descriptors.ts';
import { callsOnLine } from './c-syntax.ts';

/** What only the whole program's author can decide: an example says how, and why it is no more. */
function refuses(calls: readonly string[], title: string, note: string, reason: string): Fixer {
  return (request, { main }) =>
    callsOnLine(main, request.place.line, calls).length === 0 ? undefined : { title, note, reason };
}

export const collectWrites = refuses(
  ['write'],
  'Collect these writes in a buffer',
  'A stream (fopen, fwrite, fclose) collects them. What it holds is lost when the program is killed, and a full disk is noticed when it writes.',
  'threads, signals and error checks may need each write at once',
);

export const syncOnce = refuses(
  ['fsync', 'fdatasync'],
  'Synchronise once, when the file is closed',
  'One fsync in front of close makes all of it safe, but nothing before.',
  'an acknowledgement or a journal may rely on each synchronisation',
);
