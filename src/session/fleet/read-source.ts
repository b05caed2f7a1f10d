import type { LookupFactory } from '../../symbols/address-lookup.ts';
import { recordingRows } from '../../fleet/rows/recording-rows.ts';
import type { Damage } from '../../trace/damage.ts';
import { folderRecordingAt } from '../folder-recording.ts';
import type { MemoryBudget } from '../memory-budget.ts';
import { plainRequest } from '../open-request.ts';
import { OpenedRecording } from '../opened-recording.ts';
import type { FoundSource, SourceRows } from './source.ts';

/** What the sources of an ingestion share while they are read. */
export interface SourceContext {
  readonly lookup: LookupFactory;
  readonly budget: MemoryBudget;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads what an ingestion found, and makes rows of it.
 *
 * @param log key of its content.
 * @throws UnreadableRecordingError, or an Error in words for the user, when nothing of it can be read.
 */
export async function readSource(source: FoundSource, log: string, context: SourceContext): Promise<SourceRows> {
  const request = { ...plainRequest(...(await pathsOf(source))), maySpawn: false };
  const hooks = context.signal === undefined ? {} : { signal: context.signal };
  const means = { budget: context.budget, cache: undefined };
  const recording = await OpenedRecording.open(request, context.lookup, hooks, means);
  try {
    const { trace, ignored, metrics } = recording;
    const judged = { trace, ignored, metrics, callSites: recording.callSites(), insights: recording.findings() };
    const rows = recordingRows({ log, path: source.path, ...judged });
    return { format: trace.format, rows, damage: trace.damage.map(inWords) };
  } finally {
    await recording.close();
  }
}

/** What is opened: a folder that is a recording as a whole, or the files. */
async function pathsOf({ path, files }: FoundSource): Promise<readonly string[]> {
  if (files.length === 1 && files[0] === path) return files;
  return (await folderRecordingAt(path)) === undefined ? files : [path];
}

function inWords({ where, what, lost }: Damage): string {
  return `${where}: ${what}; lost: ${lost}`;
}
