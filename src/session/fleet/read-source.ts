import { recordingRows } from '../../fleet/rows/recording-rows.ts';
import { readLmt } from '../../fleet/server-load/read-lmt.ts';
import { lmtTables } from '../../fleet/server-load/lmt-tables.ts';
import { FOLDER_FORMATS } from '../../readers/registry.ts';
import type { LookupFactory } from '../../symbols/address-lookup.ts';
import type { Damage } from '../../trace/damage.ts';
import { folderRecordingAt } from '../reading/folder-recording.ts';
import type { KeptFile } from '../machine/kept-file.ts';
import type { MemoryBudget } from '../reading/memory-budget.ts';
import { plainRequest } from '../reading/open-request.ts';
import { OpenedRecording } from '../reading/opened-recording.ts';
import { LocalRecordingFile } from '../reading/recording-files.ts';
import { accountingOf } from './accounting-source.ts';
import { holdsLooks } from './ingest/source-groups.ts';
import { serverLoadOf } from './server-load-source.ts';
import type { FoundSource, SourceRows } from './source.ts';

/** What the sources of an ingestion share while they are read. */
interface SourceContext {
  readonly lookup: LookupFactory;
  readonly budget: MemoryBudget;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads what an ingestion found, and makes rows of it: a recording, a table of the batch system, what servers did.
 *
 * @param log key of its content.
 * @param kept its only file, where that was read already.
 * @throws UnreadableRecordingError, or an Error in words for the user, when nothing of it can be read.
 */
export async function readSource(
  source: FoundSource,
  log: string,
  context: SourceContext,
  kept?: KeptFile,
): Promise<SourceRows> {
  const { path, files } = source;
  if (files.length === 1 && files[0] === path) {
    const file = kept ?? new LocalRecordingFile(path);
    return (
      (await serverLoadOf([file], log, context.signal)) ??
      (await readTable(file, log)) ??
      readRecordingRows(source, files, log, context, kept)
    );
  }
  const opened = files.map((file) => new LocalRecordingFile(file));
  const tables = lmtTables(opened);
  if (tables !== undefined) {
    const { rows, damage } = await readLmt(tables, log, context.signal);
    return { format: 'lmt', rows: { server_load: rows }, damage };
  }
  const load = holdsLooks(files) ? await serverLoadOf(opened, log, context.signal) : undefined;
  if (load !== undefined) return load;
  const isFolder = (await folderRecordingAt(path)) !== undefined;
  return readRecordingRows(source, isFolder ? [path] : files, log, context);
}

async function readTable(file: LocalRecordingFile | KeptFile, log: string): Promise<SourceRows | undefined> {
  const accounting = await accountingOf(file);
  if (accounting === undefined) return undefined;
  const { format, jobs, steps, damage, notes } = accounting;
  const rows = { scheduler_job: jobs.map((row) => ({ log, ...row })), job_step: steps.map((row) => ({ log, ...row })) };
  return { format, rows, damage, notes };
}

async function readRecordingRows(
  source: FoundSource,
  paths: readonly string[],
  log: string,
  { lookup, budget, signal }: SourceContext,
  kept?: KeptFile,
): Promise<SourceRows> {
  const request = { ...plainRequest(...paths), withoutGains: true, maySpawn: false };
  // A file that stands for a folder is not all of the recording.
  const isWhole = kept !== undefined && !FOLDER_FORMATS.some((format) => format.isEntry(kept.name));
  const means = { budget, cache: undefined, ...(isWhole && { files: [kept] }) };
  const recording = await OpenedRecording.open(request, lookup, signal === undefined ? {} : { signal }, means);
  try {
    const { trace, ignored, metrics } = recording;
    const judged = { trace, ignored, metrics, callSites: recording.callSites(), insights: recording.findings() };
    const rows = recordingRows({ log, path: source.path, ...judged });
    return { format: trace.format, rows, damage: trace.damage.map(inWords) };
  } finally {
    await recording.close();
  }
}

function inWords({ where, what, lost }: Damage): string {
  return `${where}: ${what}; lost: ${lost}`;
}
