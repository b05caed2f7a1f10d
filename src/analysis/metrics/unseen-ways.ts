import type { Trace } from '../../trace/trace.ts';

/**
 * How bytes move that the recording does not show: in files that the program maps, by requests that it writes into rings; by
 * calls behind a limit of events, which were only counted.
 */
export type UnseenWay = 'mapped files' | 'io_uring' | 'calls behind the limit';

/**
 * The ways that the programs use. Where there are some, what was recorded is not all of the I/O.
 *
 * @param mapsFiles whether the program maps files of its own.
 */
export function unseenWays(trace: Trace, mapsFiles: boolean): UnseenWay[] {
  const ways: UnseenWay[] = [];
  if (mapsFiles) ways.push('mapped files');
  if (usesRings(trace)) ways.push('io_uring');
  if (trace.tallied !== undefined) ways.push('calls behind the limit');
  return ways;
}

/** By a call, or where such calls are not recorded by the descriptor of a ring. */
function usesRings({ calls, files }: Trace): boolean {
  if (calls.names.some((name) => name.startsWith('io_uring_'))) return true;
  for (let file = 0; file < files.length; file++) if (files.at(file).path === 'anon_inode:[io_uring]') return true;
  return false;
}
