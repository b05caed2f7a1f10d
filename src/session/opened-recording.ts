import { measure, type Metrics } from '../analysis/metrics/access-metrics.ts';
import { ignoredFiles } from '../analysis/metrics/ignored-files.ts';
import { findCallSites, type CallSites, type SiteGrouping } from '../analysis/sites/call-sites.ts';
import { findInsights } from '../analysis/triggers/evaluate.ts';
import type { Insight } from '../analysis/triggers/insight.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../analysis/triggers/thresholds.ts';
import { FORMATS, HEAD_BYTES, recogniseFormat, type Format } from '../readers/registry.ts';
import type { LookupFactory } from '../symbols/address-lookup.ts';
import type { ResolvedStacks } from '../symbols/resolved-stacks.ts';
import { locateSources, type LocatedSource } from '../symbols/source-locator.ts';
import { resolveStacks } from '../symbols/stack-resolver.ts';
import { SYSTEM_DEBUG_FOLDER } from '../symbols/symbol-files.ts';
import type { RecordingFile } from '../trace/byte-source.ts';
import { UnreadableRecordingError, type Trace } from '../trace/trace.ts';
import { localSymbolFiles, WorkspaceSources } from './local-files.ts';
import type { OpenRequest } from './open-request.ts';
import { recordingFilesAt } from './recording-files.ts';

export interface OpenHooks {
  /** Share of the work that is done, 0 to 1; undefined when it cannot be known. */
  progress?: (share: number | undefined) => void;
  signal?: AbortSignal;
}

/** How long the parts of opening took, in milliseconds. */
export interface OpenPhases {
  readonly readingMs: number;
  readonly resolvingMs: number;
}

/** A recording that was read: the trace, its resolved stacks, and what was worked out of them so far. */
export class OpenedRecording {
  private readonly sites = new Map<SiteGrouping, CallSites>();
  private measured: Metrics | undefined;
  private found: readonly Insight[] | undefined;

  private constructor(
    readonly request: OpenRequest,
    readonly trace: Trace,
    readonly resolved: ResolvedStacks,
    readonly sources: ReadonlyMap<string, LocatedSource>,
    readonly phases: OpenPhases,
  ) {}

  /**
   * Reads a recording and resolves its stacks.
   * @throws UnreadableRecordingError, or an Error in words for the user, when nothing can be read.
   */
  static async open(request: OpenRequest, lookup: LookupFactory, hooks: OpenHooks = {}): Promise<OpenedRecording> {
    const started = performance.now();
    const files = (await Promise.all(request.paths.map(recordingFilesAt))).flat();
    const { format, recognised } = await formatOf(files, request.paths);
    const trace = await format.read(recognised, {
      sharedPaths: request.sharedPaths,
      ...(hooks.signal && { signal: hooks.signal }),
      // Reading is nearly all of it; what is left is for the stacks.
      progress: (share) => hooks.progress?.(share === undefined ? undefined : share * 0.9),
    });
    const read = performance.now();
    const search = {
      binaries: request.binaries,
      debugFolders: [...request.debugFolders, SYSTEM_DEBUG_FOLDER],
      pathRules: request.pathRules,
    };
    const resolved = await resolveStacks(trace, localSymbolFiles, search, lookup, hooks.signal);
    const tree = new WorkspaceSources(request.workspaceFolders);
    const sources = await locateSources(sourceFilesOf(resolved), tree, request.pathRules);
    hooks.progress?.(1);
    const phases = { readingMs: read - started, resolvingMs: performance.now() - read };
    return new OpenedRecording(request, trace, resolved, sources, phases);
  }

  callSites(grouping: SiteGrouping = 'line'): CallSites {
    let sites = this.sites.get(grouping);
    if (sites === undefined) {
      const isWorkspaceFile = (file: string): boolean => this.sources.get(file)?.inWorkspace === true;
      sites = findCallSites(this.trace, this.resolved, grouping, isWorkspaceFile);
      this.sites.set(grouping, sites);
    }
    return sites;
  }

  get thresholds(): Thresholds {
    return { ...DEFAULT_THRESHOLDS, ...this.request.thresholds };
  }

  get ignored(): Uint8Array {
    return ignoredFiles(this.trace.files, this.request.ignoredFiles);
  }

  metricsBy(grouping: SiteGrouping): Metrics {
    const { small_bytes, tiny_bytes, alignment } = this.thresholds;
    const limits = { smallBytes: small_bytes, tinyBytes: tiny_bytes, alignment };
    return measure(this.trace, this.callSites(grouping), this.ignored, limits);
  }

  get metrics(): Metrics {
    this.measured ??= this.metricsBy('line');
    return this.measured;
  }

  get insights(): readonly Insight[] {
    this.found ??= findInsights(this.trace, this.metrics, this.thresholds);
    return this.found;
  }

  /** The path of a source file on this machine, or as recorded where it is not here. */
  localSource(recorded: string): { file: string; isHere: boolean } {
    const local = this.sources.get(recorded)?.local;
    return { file: local ?? recorded, isHere: local !== undefined };
  }
}

/** Every different source file of the resolved frames. */
function sourceFilesOf(resolved: ResolvedStacks): Set<string> {
  const files = new Set<string>();
  for (let frame = 0; frame < resolved.file.length; frame++) files.add(resolved.names.at(resolved.file.at(frame)));
  return files;
}

/** The format of a recording's files, and the files that are of it: a folder may hold others too. */
async function formatOf(
  files: readonly RecordingFile[],
  paths: readonly string[],
): Promise<{ format: Format; recognised: readonly RecordingFile[] }> {
  const where = paths.join(', ');
  if (files.length === 0) throw new UnreadableRecordingError(`${where}: the folder holds no files`);
  // Standard input can be read only once: what does not look like its format is reported by the reader.
  if (files.length === 1 && files[0]!.path === '-') return { format: FORMATS[0]!, recognised: files };
  const byFormat = new Map<Format, RecordingFile[]>();
  let problem = '';
  for (const file of files) {
    const head = await headOf(file).catch((error: unknown) => {
      problem ||= `${file.path}: ${error instanceof Error ? error.message : String(error)}`;
      return undefined;
    });
    if (head === undefined) continue;
    if (head.length === 0) problem ||= `${file.path}: the file is empty`;
    const format = recogniseFormat(head);
    if (format !== undefined) byFormat.set(format, [...(byFormat.get(format) ?? []), file]);
  }
  const known = FORMATS.map((format) => format.name).join(', ');
  const [best] = [...byFormat].sort(([, a], [, b]) => b.length - a.length);
  if (best === undefined) {
    const what = files.length === 1 ? `${where}: this` : `${where}: none of the ${files.length} files`;
    throw new UnreadableRecordingError(problem || `${what} is no recording of a known format (${known})`);
  }
  return { format: best[0], recognised: best[1] };
}

async function headOf(file: RecordingFile): Promise<Uint8Array> {
  const stream = await file.open();
  try {
    const head = new Uint8Array(HEAD_BYTES);
    let length = 0;
    while (length < head.length) {
      const got = await stream.read(head.subarray(length));
      if (got === 0) break;
      length += got;
    }
    return head.subarray(0, length);
  } finally {
    await stream.close();
  }
}
