import type { Lack } from '../../analysis/lacks/lacks.ts';
import { siteEntry, type Metrics } from '../../analysis/metrics/access-metrics.ts';
import { tracerOverhead } from '../../analysis/metrics/tracer-overhead.ts';
import { chainOf, type CallSite, type CallSites } from '../../analysis/sites/call-sites.ts';
import type { Examined } from '../../analysis/triggers/examined.ts';
import type { InsightSite } from '../../analysis/triggers/insight.ts';
import { naming } from '../../analysis/triggers/message.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { SourceReport } from '../../symbols/source-report.ts';
import type { RunCost } from '../../analysis/gain/cost.ts';
import type { EstimatedInsight, EstimatedSite } from '../../analysis/gain/gain.ts';
import type { Unmarked } from '../../analysis/gain/unmarked.ts';
import type { Calibration } from '../../trace/calibration.ts';
import { NONE } from '../../trace/events.ts';
import type { MachineLoad, Trace } from '../../trace/trace.ts';
import type { AnalysisDocument, InsightDocument, SiteDocument, TimingDocument } from './documents.ts';
import { unmarkedDocuments } from './unmarked-documents.ts';
import { infoDocument } from './info-document.ts';
import { ioSpreadText } from './io-spread.ts';
import { longGaps } from '../gaps/gaps-document.ts';
import { leftOutDocument } from './left-out-document.ts';
import { costliestNodes, ranksOfSite, stackDocument, type LocateSource } from './site-documents.ts';

/** What a recording was worked up to. */
export interface AnalysedRecording {
  /** As the user named it. */
  readonly recording: string;
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  readonly callSites: CallSites;
  readonly metrics: Metrics;
  readonly lacks: readonly Lack[];
  /** What triggers could not say. */
  readonly triggerNotes: readonly string[];
  /** Which of the user's own triggers failed. */
  readonly triggerProblems: readonly string[];
  /** By recorded path. */
  readonly sources: ReadonlyMap<string, SourceReport>;
  readonly run: RunCost;
  readonly insights: readonly EstimatedInsight[];
  readonly unmarked: readonly Unmarked[];
  readonly examined: Examined;
  /** What was measured on the machine of the recording, and what is wrong with it. */
  /** How busy other programs kept the machine; undefined where nobody measured it. */
  readonly load: MachineLoad | undefined;
  readonly calibrated: { readonly calibration?: Calibration; readonly note: string };
  readonly locate: LocateSource;
  /** Text of a line of a file on this machine, '' when it cannot be read or is not to be shown. */
  readonly sourceLine: (file: string, line: number) => string;
  /** Whether the text of a file on this machine may be read because a recording names it. */
  readonly mayQuote: (file: string) => boolean;
  /** What the user is told of lines whose text is not shown. */
  readonly sourceNotes: readonly string[];
}

/** Files of a finding that are listed; a job can write a hundred thousand. */
const MOST_FILES = 100;

/** The findings of several recordings, with everything that a reader needs to act on them. */
export function analysisDocument(recordings: readonly AnalysedRecording[]): AnalysisDocument {
  return {
    schema: 'iolens/analysis@1',
    run: recordings[0]?.run ?? null,
    recordings: recordings.map(({ trace, recording, lacks }) => infoDocument(trace, recording, lacks)),
    insights: recordings.flatMap((recording) => insightDocuments(recording, recordings.length > 1)),
    timing: recordings.map(timingDocument),
    unmarked: recordings.flatMap(unmarkedDocuments),
    examined: recordings.map(({ examined }) => examined),
    symbols: {
      tool: recordings[0]?.resolved.tool ?? '',
      modules: recordings.flatMap(({ resolved }) => resolved.modules),
      sources: recordings.flatMap(({ sources }) => [...sources.values()]),
    },
    notes: [...new Set(recordings.flatMap(notesOf))],
    triggerProblems: [...new Set(recordings.flatMap(({ triggerProblems }) => triggerProblems))],
  };
}

function notesOf({ run, resolved, sources, triggerNotes, triggerProblems, sourceNotes }: AnalysedRecording): string[] {
  const spread = ioSpreadText(run);
  const modules = resolved.modules.filter(({ status, note }) => note !== '' && status !== 'library');
  const files = [...sources.values()].filter(({ note }) => note !== '');
  return [
    ...(spread === undefined ? [] : [spread]),
    ...triggerProblems,
    ...triggerNotes,
    ...modules.map(({ module, note }) => `${module}: ${note}`),
    ...files.map(({ note }) => note),
    ...sourceNotes,
  ];
}

/** Why a line may not be the recorded one. */
function noteOn({ trace, resolved, sources }: AnalysedRecording, site: CallSite): string {
  if (site.changed) return 'This line was changed after the recording.';
  const binary = resolved.modules.find(({ module }) => module === site.module);
  const isFromTable = trace.stacks.moduleForms.size > 0 && binary !== undefined && binary.status !== 'lines';
  if (isFromTable && site.line > 0)
    return "By the recording's own address table, without the binary: the call may stand one statement earlier.";
  const source = sources.get(site.file);
  return source?.stale === true ? `${source.note}.` : '';
}

/** @param isOneOfSeveral the message has to say whose I/O time it speaks of. */
function insightDocuments(recording: AnalysedRecording, isOneOfSeveral: boolean): InsightDocument[] {
  const { callSites, metrics } = recording;
  return recording.insights.map(({ operations, ...insight }) => ({
    ...insight,
    recording: recording.recording,
    ...(isOneOfSeveral && {
      message: `${recording.recording}: ${insight.message}`,
      slots: [naming('recording', recording.recording), ...insight.slots],
    }),
    files: insight.files.slice(0, MOST_FILES).map(({ file, ...amount }) => ({
      path: recording.trace.files.at(file).path,
      ...amount,
    })),
    sites: siteDocuments(recording, insight.sites, costliestNodes(callSites, metrics, operations)),
  }));
}

/** @param nodes the stack to show of each site. */
function siteDocuments(
  recording: AnalysedRecording,
  sites: readonly EstimatedSite[],
  nodes: Int32Array,
): SiteDocument[] {
  return sites.map((site) => siteDocument(recording, site, nodes[site.site]!));
}

function siteDocument(recording: AnalysedRecording, site: EstimatedSite, node: number): SiteDocument {
  const { trace, resolved, callSites, locate } = recording;
  const place = callSites.sites[site.site]!;
  const { file, isHere } = locate(place.file);
  const chain = chainOf(trace, resolved, node);
  const depth = chain.findIndex(
    (frame) => frame.file === place.file && frame.line === place.line && frame.module === place.module,
  );
  return {
    file,
    line: place.line,
    column: chain[depth]?.column ?? place.column,
    function: place.functionName,
    events: site.events,
    bytes: site.bytes,
    timeNs: site.timeNs,
    share: site.share,
    shareOfTime: site.shareOfTime,
    ...(site.cost && { cost: site.cost }),
    streams: site.streams,
    ...ranksOfSite(trace, recording.metrics, site.site),
    threaded: isThreaded(recording, site),
    medianBytes: Number.isNaN(site.medianBytes) ? 0 : site.medianBytes,
    plainFiles: arePlain(recording, site),
    closedAt: closingPlaces(recording, site),
    touchedAt: touchingPlaces(recording, site),
    severity: site.severity,
    message: site.message,
    slots: site.slots,
    ...(site.explainedBy !== undefined && { explainedBy: site.explainedBy }),
    isHere,
    recordedFile: place.file,
    note: noteOn(recording, place),
    source: recording.sourceLine(file, place.line).trim(),
    depth: Math.max(depth, 0),
    stack: stackDocument(trace, resolved, node, locate),
  };
}

function isThreaded({ trace, metrics }: AnalysedRecording, site: InsightSite): boolean {
  const streams = [...metrics.streamsOfSite[siteEntry(site.site)]!].map((stream) => trace.streams[stream]!);
  const processes = streams.map(({ host, part, processId }) => `${host} ${processId} ${trace.parts[part]!.run}`);
  return new Set(processes).size < streams.length;
}

function arePlain({ trace, metrics }: AnalysedRecording, { cells }: InsightSite): boolean {
  const files = [...new Set(cells.map((cell) => metrics.fileOfCell[cell]!))];
  return files.every((file) => {
    const known = file < 0 ? undefined : trace.files.at(file);
    return known?.kind === 'regular' && known.path.startsWith('/') && !/^\/(dev|proc|sys)\//.test(known.path);
  });
}

/** The lines that close the files which a site accesses. */
function closingPlaces(recording: AnalysedRecording, site: InsightSite): SiteDocument['closedAt'] {
  const { cells } = recording.metrics;
  const places = placesOnFiles(recording, site, (cell) => cells.get(cell, 'closes') > 0);
  return places
    .filter(({ file }) => file !== '')
    .map((place) => ({ ...place, mayRead: recording.mayQuote(place.file) }));
}

/** The other lines that move bytes, offsets or data of these files. */
function touchingPlaces(recording: AnalysedRecording, site: InsightSite): SiteDocument['touchedAt'] {
  const { cells, siteOfCell } = recording.metrics;
  return placesOnFiles(recording, site, (cell) => {
    const elsewhere = (['opens', 'closes', 'metadataCalls'] as const).reduce(
      (sum, name) => sum + cells.get(cell, name),
      0,
    );
    return siteOfCell[cell] !== site.site && cells.get(cell, 'events') > elsewhere;
  });
}

function placesOnFiles(
  { metrics, callSites, locate }: AnalysedRecording,
  site: InsightSite,
  included: (cell: number) => boolean,
): { file: string; line: number }[] {
  const files = new Set(site.cells.map((cell) => metrics.fileOfCell[cell]!));
  const places = new Map<string, { file: string; line: number }>();
  for (let cell = 0; cell < metrics.cells.length; cell++) {
    if (!files.has(metrics.fileOfCell[cell]!) || !included(cell)) continue;
    const place = callSites.sites[metrics.siteOfCell[cell]!];
    const file = place === undefined ? '' : locate(place.file).file;
    const line = place?.line ?? 0;
    places.set(`${file}:${line}`, { file, line });
  }
  return [...places.values()];
}

/** From this share of the run on nobody asks for the rest. */
const IO_IS_MOST = 0.5;

function timingDocument(recording: AnalysedRecording): TimingDocument {
  const { trace, metrics, calibrated, load, run } = recording;
  let time = 0;
  let events = 0;
  let readBytes = 0;
  for (let cell = 0; cell < metrics.cells.length; cell++) {
    const file = metrics.fileOfCell[cell]!;
    if (file !== NONE && trace.files.at(file).kind === 'regular') readBytes += metrics.cells.get(cell, 'readBytes');
    time += metrics.cells.get(cell, 'time');
    events += metrics.cells.get(cell, 'events');
  }
  const overhead = tracerOverhead(trace, time, events);
  const fetched = fetchedFor(trace);
  const gaps = run.ioShare < IO_IS_MOST ? longGaps(recording) : [];
  const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
  return {
    run,
    ioTimeNs: time,
    ioEvents: events,
    ...(fetched !== undefined && { fetched: { ...fetched, readBytes } }),
    ...(gaps.length > 0 && { gaps }),
    leftOut: leftOutDocument(metrics),
    tracerPerCallNs: known(overhead.perCallNs),
    tracerShare: known(overhead.share),
    ...(load !== undefined && {
      load: { processors: load.processors, busyWithOthers: load.othersNs / load.lastedNs },
    }),
    calibrated: calibrated.calibration !== undefined,
    calibrationNote: calibrated.note,
  };
}

/** What the kernel fetched for all processes together; undefined where it is not known of each. */
function fetchedFor({ parts }: Trace): { bytes: number; pageWaits: number } | undefined {
  const sum = { bytes: 0, pageWaits: 0 };
  for (const { life } of parts) {
    if (life?.fetched === undefined) return undefined;
    sum.bytes += life.fetched.bytes;
    sum.pageWaits += life.fetched.pageWaits;
  }
  return parts.length === 0 ? undefined : sum;
}
