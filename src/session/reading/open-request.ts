import type { PathRule } from '../../symbols/symbol-files.ts';

export { readConfiguration } from '../../analysis/triggers/configuration.ts';

/** Where the editor looks for the user's own triggers, in each folder of a trusted workspace. */
export const OWN_TRIGGER_FOLDER = '.iolens/triggers';

/** A recording of the same run that becomes a part of another. */
export interface AddedRecording {
  readonly paths: readonly string[];
  /** Nanoseconds to add to its times; undefined: it is found out. */
  readonly offsetNs?: number;
}

/** What to open, and everything that decides how it is read and judged. Plain data: it crosses to the worker. */
export interface OpenRequest {
  /** Files and folders of one recording; '-' is standard input. */
  readonly paths: readonly string[];
  /** Recordings of other tools of the same run, joined to the first on its clock. Undefined: none. */
  readonly added?: readonly AddedRecording[];
  /** Binaries that stand for recorded modules of the same file name. */
  readonly binaries: readonly string[];
  /** Folders with separate debug files. */
  readonly debugFolders: readonly string[];
  /** Recorded path prefix to local prefix, for sources and binaries. */
  readonly pathRules: readonly PathRule[];
  /** Prefixes of source paths that were learned when the user picked a file; `pathRules` come first. */
  readonly learnedRules: readonly PathRule[];
  /** Servers that are asked for debug files by build id; none unless the user turned it on. */
  readonly debugServers: readonly string[];
  /** Folders whose source files are the user's own. */
  readonly workspaceFolders: readonly string[];
  /** Folders that are one file system on all hosts. */
  readonly sharedPaths: readonly string[];
  /** Globs of files that do not count; undefined is the default list. */
  readonly ignoredFiles?: readonly string[];
  /** Bounds of the triggers that differ from the defaults. */
  readonly thresholds?: Readonly<Record<string, number>>;
  /** Bytes of memory that the session may take; events beyond it go to a temporary file. Undefined: the default. */
  readonly memoryBudget?: number;
  /** Bytes that the cache of read recordings may take; 0 turns it off. Undefined: the default. */
  readonly cacheBytes?: number;
  /** Modules with the user's own triggers, and folders of them; they are run only when `maySpawn`. Undefined: none. */
  readonly triggers?: readonly string[];
  /** Nobody asks what following a finding would gain: what calls cost under the tracer is not looked for. */
  readonly withoutGains?: boolean;
  /** False in an untrusted workspace: no program is started, and no code of the workspace is run. */
  readonly maySpawn: boolean;
}

/** A request for one file or folder with everything else at its default. */
export function plainRequest(...paths: string[]): OpenRequest {
  return {
    paths,
    binaries: [],
    debugFolders: [],
    pathRules: [],
    learnedRules: [],
    debugServers: [],
    workspaceFolders: [],
    sharedPaths: [],
    maySpawn: true,
  };
}
