import { EVENT_FLAGS, NONE, NOT_MEASURED } from '../../trace/events.ts';
import { OPERATION } from '../../trace/calls.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { StartUpCalls, type CallSites } from '../sites/call-sites.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import type { Metrics } from './access-metrics.ts';
import type { FileUse } from './file-use.ts';
import { layerRoles } from './layer-roles.ts';
import { ProcessLives, processesOfStreams } from './processes.ts';
import { unseenWays } from './unseen-ways.ts';

/** Who ran when, and who wrote which file: what of the metrics the costs of calls need. */
export interface MetricsOutline extends Pick<Metrics, 'processes' | 'processOfStream' | 'roles' | 'unseen'> {
  readonly fileUse: ReadonlyMap<FileIndex, Pick<FileUse, 'writers'>>;
  /** Absent where only the outline was made. */
  readonly streams?: Metrics['streams'];
}

/**
 * The outline alone, for those who want no metrics: it takes a tenth of their time.
 *
 * @returns undefined for a recording of several layers, of which the metrics alone tell what counts.
 */
export function outlineOf(trace: Trace, callSites: CallSites, ignored: Uint8Array): MetricsOutline | undefined {
  if (layerRoles(trace) !== undefined) return undefined;
  const { traitsOfNode, isStartUp } = callSites;
  const processOfStream = processesOfStreams(trace);
  const lives = new ProcessLives(trace);
  const fileUse = new Map<FileIndex, { readonly writers: Set<number> }>();
  let lastWritten: FileIndex = NONE;
  let mapsFiles = false;
  const startUp = new StartUpCalls(trace, callSites);
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const flags = chunk.flags[i]!;
      const operation = trace.calls.operation[chunk.call[i]!]!;
      if (flags & NOT_MEASURED || (flags & EVENT_FLAGS.part && operation === OPERATION.copy)) continue;
      const node = chunk.stack[i]!;
      const process = processOfStream[chunk.stream[i]!]!;
      const traits = node === NONE ? 0 : (traitsOfNode?.[node] ?? 0);
      const time = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
      lives.see(process, chunk.start[i]!, time, (traits & TRAIT.mpi) !== 0);
      const file = chunk.file[i]!;
      if (operation !== OPERATION.write && operation !== OPERATION.map) continue;
      if (file === lastWritten || file === NONE || ignored[file] === 1) continue;
      if (chunk.error[i]! !== 0 || (node !== NONE && isStartUp[node] === 1)) continue;
      if (operation === OPERATION.map) {
        mapsFiles ||= !startUp.has(chunk.call[i]!, node);
        continue;
      }
      lastWritten = file;
      if (!fileUse.has(file)) fileUse.set(file, { writers: new Set([process]) });
    }
  });
  const unseen = unseenWays(trace, mapsFiles);
  return { processes: lives.byProcess(processOfStream), processOfStream, roles: undefined, fileUse, unseen };
}
