import { machine } from '#machine';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import { locateSources, type LocatedSource } from '../../symbols/source-locator.ts';
import type { SourceReport } from '../../symbols/source-report.ts';
import { SYSTEM_DEBUG_FOLDER, type SymbolSearch } from '../../symbols/symbol-files.ts';
import type { RecordingFile } from '../../trace/byte-source.ts';
import type { Trace } from '../../trace/trace.ts';
import { localSymbolFiles, WorkspaceSources } from '../machine/local-files.ts';
import { examineSources } from '../sources/source-examination.ts';
import { workspaceBinaries } from '../sources/workspace-binaries.ts';
import type { OpenRequest } from './open-request.ts';
import type { OwnTriggerFiles } from './own-trigger-files.ts';
import { readKeptPlaces, type KeptWithIt } from './kept/read-places.ts';
import { readCalibration, type FoundCalibration } from './read-calibration.ts';
import { readNote, type RecordingNote } from './recording-note.ts';

/** What is known of the time and place of a recording, besides what it holds. */
export interface RecordingContext {
  readonly note: RecordingNote | undefined;
  readonly recordedUntil: number | undefined;
  /** What calls cost on the machine of the recording. */
  readonly calibrated: FoundCalibration;
  readonly ownTriggers: OwnTriggerFiles;
  /** Functions, lines and texts that it keeps. */
  readonly kept: KeptWithIt;
}

/** Where the binaries and debug files of a recording are looked for. */
export async function searchOf(
  { stacks }: Pick<Trace, 'stacks'>,
  request: OpenRequest,
  context: Pick<RecordingContext, 'note' | 'recordedUntil' | 'kept'>,
  signal?: AbortSignal,
): Promise<SymbolSearch> {
  return {
    binaries: [...request.binaries, ...(await workspaceBinaries(stacks, request.workspaceFolders))],
    debugFolders: [...request.debugFolders, SYSTEM_DEBUG_FOLDER],
    pathRules: [...request.pathRules, ...request.learnedRules],
    ownFolders: request.workspaceFolders,
    recordedUntil: context.recordedUntil,
    buildIds: context.note?.buildIds ?? {},
    downloads: machine.debugDownloads(request, signal),
    // Whoever names a binary wants its lines.
    kept: request.binaries.length > 0 ? undefined : context.kept.places,
  };
}

/** Seconds since 1970 of the last event; undefined when the recording has no dates. */
export function endOf({ startTime, durationNs }: Trace): number | undefined {
  return startTime === null ? undefined : startTime + durationNs / 1e9;
}

/** Looks around a recording: nothing of this is in the cache, which holds what is in the files. */
export async function contextOf(
  request: OpenRequest,
  files: readonly Pick<RecordingFile, 'path'>[],
  trace: Trace,
): Promise<RecordingContext> {
  const calibrated =
    request.withoutGains === true ? { note: '' } : await readCalibration(files.map((file) => file.path));
  const { note, notes } = await readNote(files.map((file) => file.path));
  const [only, ...more] = trace.parts;
  if (note?.life !== undefined && only !== undefined && more.length === 0) only.life ??= note.life;
  const ownTriggers = await machine.ownTriggers(request.triggers ?? [], request.maySpawn);
  const places = await readKeptPlaces(files.map((file) => file.path));
  const kept = { ...places, notes: [...notes, ...places.notes] };
  return { note, kept, calibrated, ownTriggers, recordedUntil: endOf(trace) ?? (await lastWritten(files)) };
}

/** Without dates in it, a recording ended at the latest when its last file was written. */
async function lastWritten(files: readonly Pick<RecordingFile, 'path'>[]): Promise<number | undefined> {
  const written = await Promise.all(files.map((file) => localSymbolFiles.modified(file.path)));
  const known = written.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** The source files that a recording names. */
export interface FoundSources {
  /** Where each of them is on this machine, by its recorded name. */
  readonly sources: ReadonlyMap<string, LocatedSource>;
  /** What of them is as it was recorded. */
  readonly reports: readonly SourceReport[];
}

export async function findSources(
  request: OpenRequest,
  trace: Trace,
  resolved: ResolvedStacks,
  context: RecordingContext,
  tree = new WorkspaceSources(request.workspaceFolders),
): Promise<FoundSources> {
  const rules = { written: request.pathRules, learned: request.learnedRules };
  const sources = await locateSources(sourceFilesOf(resolved), tree, rules);
  const repository = request.maySpawn ? await machine.repository() : undefined;
  const reports = await examineSources({
    trace,
    resolved,
    sources,
    repository,
    ...context,
    kept: context.kept.sources,
  });
  return { sources, reports };
}

/** Every different source file of the resolved frames. */
function sourceFilesOf(resolved: ResolvedStacks): Set<string> {
  const files = new Set<string>();
  for (let frame = 0; frame < resolved.file.length; frame++) files.add(resolved.names.at(resolved.file.at(frame)));
  return files;
}
