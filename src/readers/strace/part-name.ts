import type { RecordingPart } from '../../trace/trace.ts';

export interface NamedPart extends RecordingPart {
  /** The process that the whole file belongs to (`-ff` appends `.PID`), or NaN. */
  readonly pid: number;
}

/**
 * What the name of a recording file says: `cid_host_rid.st` of the DFG paper (section III), and the `.PID` of
 * `strace -ff`. The command id ends at the first `_`, the launch id begins behind the last: hosts may hold `_`, `.`, `-`.
 */
export function namedPart(name: string, path: string): NamedPart {
  const plain = name.replace(/\.(gz|xz|bz2|zst)$/, '');
  const process = /^(.+)\.(\d{1,7})$/.exec(plain);
  const run = process?.[1] ?? plain;
  const convention = /^([^_]+)_(.+)_([^_]+)\.st$/.exec(run);
  return {
    name,
    path,
    commandId: convention?.[1] ?? '',
    host: convention?.[2] ?? '',
    launchId: convention?.[3] ?? '',
    pid: process === null ? NaN : Number(process[2]),
    run,
  };
}
