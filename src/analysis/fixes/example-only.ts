import type { RepairMethod } from './fix.ts';

/** Why a repair of a kind is not made: what the program that it breaks relies on, in a few words for the menu. */
export type ExampleOnly = Readonly<Partial<Record<RepairMethod, string>>>;

/**
 * Repairs that are offered as an example only until they are rewritten (those of C and C++ refuse by themselves): each was found to break
 * programs that nothing in their file, nor in the recording, tells from others. One that is right again leaves this list.
 */
export const EXAMPLE_ONLY: ExampleOnly = {
  // A reader in the same program, a child process, or an end by _exit: old data or none.
  'dropped flush': 'a reader, a child process or an _exit may need each flush',
  // An acknowledgement before what it acknowledges is safe; data before its journal.
  'synchronised once': 'an acknowledgement or a journal may rely on each synchronisation',
};
