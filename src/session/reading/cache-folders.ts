import { homedir } from 'node:os';
import path from 'node:path';

/** The folder for caches of all programs by the XDG base directory rules: a relative or empty name counts as none. */
function userCaches(environment: NodeJS.ProcessEnv): string {
  const given = environment['XDG_CACHE_HOME'];
  if (given !== undefined && path.isAbsolute(given)) return given;
  return path.join(environment['HOME'] ?? homedir(), '.cache');
}

/** Where this program keeps what it read before. */
export function traceCacheFolder(environment: NodeJS.ProcessEnv): string {
  return path.join(userCaches(environment), 'iolens');
}

/** Where debuginfod's own client keeps its files (debuginfod-find(1)): what gdb has fetched is not fetched again. */
export function debuginfodFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment['DEBUGINFOD_CACHE_PATH'];
  if (named !== undefined && named !== '') return named;
  return path.join(userCaches(environment), 'debuginfod_client');
}
