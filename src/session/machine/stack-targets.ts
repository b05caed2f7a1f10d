import { getOrCreate } from '../../base/grouping.ts';
import { ignoredFiles } from '../../analysis/metrics/ignored-files.ts';
import { OPERATION } from '../../trace/calls.ts';
import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import { chooseLookup } from './lookup-tools.ts';
import { plainRequest } from '../reading/open-request.ts';
import { OpenedRecording } from '../reading/opened-recording.ts';

/** What a second run has to record with stacks so that the lines of nearly all I/O are known. */
interface StackTargets {
  readonly files: readonly string[];
  readonly calls: readonly string[];
  /** How many calls that will be. */
  readonly events: number;
  /** Share of the time of all calls on files that count, 0 to 1. */
  readonly share: number;
}

/** Of the time in calls this share is to get its lines. */
const WANTED_SHARE = 0.98;
/** strace compares each call with every path. */
const MOST_FILES = 200;

interface FileSum {
  readonly file: number;
  time: number;
  events: number;
  readonly calls: Set<number>;
}

/** Reads a recording without stacks and chooses the files that take nearly all the time, and the calls made on them. */
export async function chooseStackTargets(recording: string): Promise<StackTargets> {
  const opened = await OpenedRecording.open(plainRequest(recording), await chooseLookup('', false));
  try {
    return targetsOf(opened);
  } finally {
    await opened.close();
  }
}

function targetsOf({ trace }: OpenedRecording): StackTargets {
  const ignored = ignoredFiles(trace.files);
  const sums = new Map<number, FileSum>();
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const file = chunk.file[i]!;
      if (chunk.flags[i]! & NOT_COUNTED || file === NONE || ignored[file] === 1) continue;
      // The program's own file is among them: its execve tells that both recordings are of one program.
      if (trace.calls.operation[chunk.call[i]!] === OPERATION.other) continue;
      const sum = getOrCreate(sums, file, () => ({ file, time: 0, events: 0, calls: new Set<number>() }));
      sum.time += chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
      sum.events++;
      sum.calls.add(chunk.call[i]!);
    }
  });
  const total = [...sums.values()].reduce((time, sum) => time + sum.time, 0);
  const chosen: FileSum[] = [];
  let time = 0;
  for (const sum of [...sums.values()].sort((a, b) => b.time - a.time)) {
    if (chosen.length === MOST_FILES || time >= WANTED_SHARE * total) break;
    chosen.push(sum);
    time += sum.time;
  }
  const calls = new Set(chosen.flatMap((sum) => [...sum.calls]));
  return {
    files: chosen.map(({ file }) => trace.files.at(file).path),
    calls: [...calls].map((call) => trace.calls.names[call]!),
    events: chosen.reduce((sum, { events }) => sum + events, 0),
    share: total === 0 ? 0 : time / total,
  };
}
