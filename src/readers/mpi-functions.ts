import type { FunctionRole } from '../trace/function-calls.ts';

/** What a process does while it is in a function of MPI that is no I/O. */
export function roleOfMpi(name: string): FunctionRole {
  return /^MPI_(I?barrier|Wait\w*|M?Probe|Win_\w+|Init\w*|Finalize)$/i.test(name) ? 'synchronisation' : 'communication';
}
