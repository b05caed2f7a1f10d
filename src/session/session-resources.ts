import type { ReadResource } from './machine/lookup-tools.ts';

/** What comes with the program, and where a session finds it. Plain data but for `read`: the rest crosses to the worker. */
export interface SessionResources {
  /** The folder with addr2line.wasm and the grammars (dist). */
  readonly folder: string;
  /** How a file of that folder is read; from the disk by default. */
  readonly read?: ReadResource;
  /** Where the SQL engine of stores may lie besides the modules of the program. */
  readonly engineFolders?: readonly string[];
  /** Number of the first recording that is opened; 1 by default. */
  readonly firstId?: number;
}
