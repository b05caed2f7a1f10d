import { addToGroup } from '../../base/grouping.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';

/** Programs that start the ranks of a job, on this machine or through a daemon of theirs. */
const LAUNCHER = /(^|[/ ])(mpirun|mpiexec|orterun|prterun|srun|aprun|jsrun|ibrun)(\.\w+)?( |$)/;

/**
 * Processes of one recording that the launcher of a parallel program started: those that became the same program, where
 * the command that was recorded is such a launcher. By their stacks ranks are known without this.
 *
 * @param processOfStream the process of each stream.
 */
export function launchedRanks(trace: Trace, processOfStream: Int32Array): ReadonlySet<number> {
  const becomes = trace.calls.find('execve');
  const launched = trace.parts.map(({ program = '' }) => LAUNCHER.test(program));
  if (becomes === undefined || !launched.includes(true)) return new Set();
  const programs = new Map<StreamIndex, FileIndex>();
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (chunk.call[i] !== becomes || chunk.error[i] !== 0 || chunk.file[i] === NONE) continue;
      const stream = chunk.stream[i]!;
      if (launched[trace.streams[stream]!.part]) programs.set(stream, chunk.file[i]!);
    }
  });
  const processes = new Map<FileIndex, number[]>();
  for (const [stream, file] of programs) addToGroup(processes, file, processOfStream[stream]!);
  const largest = [...processes.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
  return new Set(largest.length > 1 ? largest : []);
}
