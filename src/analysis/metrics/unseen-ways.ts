import type { Trace } from '../../trace/trace.ts';

/** How bytes move that the recording does not show: in files that the program maps, by requests that it writes into rings. */
export type UnseenWay = 'mapped files' | 'io_uring';

/**
 * The ways that the programs use. Where there are some, what was recorded is not all of the I/O.
 *
 * @param mapsFiles whether the program maps files of its own.
 */
export function unseenWays(trace: Trace, mapsFiles: boolean): UnseenWay[] {
  return [...(mapsFiles ? (['mapped files'] as const) : []), ...(usesRings(trace) ? (['io_uring'] as const) : [])];
}

/** By a call, or where such calls are not recorded by the descriptor of a ring. */
function usesRings({ calls, files }: Trace): boolean {
  if (calls.names.some((name) => name.startsWith('io_uring_'))) return true;
  for (let file = 0; file < files.length; file++) if (files.at(file).path === 'anon_inode:[io_uring]') return true;
  return false;
}
