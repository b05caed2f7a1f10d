import type { RepairMethod } from './fix.ts';

/** Why a repair of a kind is not made: what the program that it breaks relies on, in a few words for the menu. */
export type ExampleOnly = Readonly<Partial<Record<RepairMethod, string>>>;

/**
 * Repairs that are offered as an example only, in every language, until they are rewritten: each was found to break
 * programs that nothing in their file, nor in the recording, tells from others. One that is right again leaves this list.
 */
export const EXAMPLE_ONLY: ExampleOnly = {
  // Flushed by another thread or a signal handler in the midst of a write; errors told late, or to nobody; all lost with
  // a SIGTERM; two files in turn flush each other.
  'buffered writes': 'threads, signals and error checks may need each write at once',
  // A reader in the same program, a child process, or an end by _exit: old data or none.
  'dropped flush': 'a reader, a child process or an _exit may need each flush',
  // The caller reads on from where the access left the file offset.
  'positioned access': 'other code may go on from the file offset',
  // An acknowledgement before what it acknowledges is safe; data before its journal.
  'synchronised once': 'an acknowledgement or a journal may rely on each synchronisation',
};
