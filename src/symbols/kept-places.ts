import type { Trace } from '../trace/trace.ts';
import { lookupsByModule, type Lookup, type RecordedStacks } from './frame-lookups.ts';
import type { ModuleReport } from './recorded-module.ts';
import type { ResolvedStacks } from './resolved-stacks.ts';

/**
 * Functions and lines of a recording's addresses as they were found when it was made. Binaries are rebuilt and recordings
 * are carried to machines that have none: what was kept stays true.
 */

/** A source frame of a kept address. */
export interface KeptFrame {
  /** '' when unknown. */
  readonly functionName: string;
  /** Path as the debug information had it; '' when unknown. */
  readonly file: string;
  /** Counted from 1, as the file stood then; 0 when unknown. */
  readonly line: number;
  /** Counted from 1; 0 when unknown. */
  readonly column: number;
}

/** What is kept of one build of an executable or library. */
export interface KeptModule {
  /** Path as recorded. */
  readonly path: string;
  /** Build id as recorded, '' where it was not. */
  readonly build: string;
  readonly isLibrary: boolean;
  /** By the key of the address: the function there, innermost of those that were inlined first. */
  readonly places: ReadonlyMap<string, readonly KeptFrame[]>;
}

export interface KeptPlaces {
  /** What found them. */
  readonly tool: string;
  /** By `moduleKey`. */
  readonly modules: ReadonlyMap<string, KeptModule>;
}

export function moduleKey(path: string, build: string): string {
  return `${path}\0${build}`;
}

/** @param exact the number is an instruction that was interrupted, not one to return to. */
function addressKey(value: number, exact: boolean): string {
  return `${value.toString(16)}${exact ? '!' : ''}`;
}

/** What is kept of a module of the trace; undefined when nothing is. */
export function keptModule(
  kept: KeptPlaces | undefined,
  { stacks }: RecordedStacks,
  module: number,
): KeptModule | undefined {
  return kept?.modules.get(moduleKey(stacks.modules.at(module), stacks.moduleBuilds.get(module) ?? ''));
}

export function keptFrames(
  kept: KeptModule | undefined,
  { stacks }: RecordedStacks,
  { frame, exact }: Lookup,
): readonly KeptFrame[] | undefined {
  return kept?.places.get(addressKey(stacks.frameValue.at(frame), exact));
}

/**
 * The places of a recording that are to be kept: of modules whose binaries say more than the recording itself, and are
 * surely those that were recorded.
 *
 * @param recordedUntil seconds since 1970; undefined when nobody knows.
 */
export function placesToKeep(
  trace: Pick<Trace, 'stacks' | 'program'>,
  resolved: ResolvedStacks,
  recordedUntil: number | undefined,
): { readonly modules: readonly KeptModule[]; readonly doubtful: readonly string[] } {
  const { stacks } = trace;
  const known = new Map(resolved.modules.map((report) => [report.module, report]));
  const doubtful = resolved.modules
    .filter((report) => report.status === 'lines' && mayBeAnother(report, recordedUntil))
    .map(({ module }) => module);
  const modules: KeptModule[] = [];
  for (const [module, lookups] of lookupsByModule(trace)) {
    const path = stacks.modules.at(module);
    const status = known.get(path)?.status;
    if (doubtful.includes(path)) continue;
    if (status !== 'lines' && status !== 'functions' && status !== 'library') continue;
    if (stacks.moduleForms.get(module) === 'named') continue;
    const places = new Map<string, readonly KeptFrame[]>();
    for (const { frame, exact, nodes } of lookups) {
      places.set(addressKey(stacks.frameValue.at(frame), exact), resolved.recordedFrames(nodes[0]!));
    }
    const build = stacks.moduleBuilds.get(module) ?? '';
    const isMore = lookups.some(({ frame, exact }) => {
      const { symbol, sourceLine } = stacks.frame(frame);
      const [innermost] = places.get(addressKey(stacks.frameValue.at(frame), exact))!;
      return innermost !== undefined && (innermost.functionName !== symbol || innermost.line !== sourceLine);
    });
    if (isMore) modules.push({ path, build, isLibrary: status === 'library', places });
  }
  return { modules, doubtful };
}

/** Whether a binary was perhaps built anew since the recording: its lines are told with a warning, and not for ever. */
function mayBeAnother({ sameBuild, misfits, modified }: ModuleReport, recordedUntil: number | undefined): boolean {
  const isNewer = modified !== null && recordedUntil !== undefined && modified > recordedUntil;
  return !sameBuild && (misfits > 0 || isNewer);
}
