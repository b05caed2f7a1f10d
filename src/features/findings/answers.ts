import { DEFAULT_THRESHOLDS } from '../../analysis/triggers/thresholds.ts';
import type { ThresholdValue } from '../../export/report/finding-text.ts';
import type { RunCost } from '../../analysis/gain/cost.ts';
import { analysisDocument, type AnalysedRecording } from '../../export/analysis/analysis-document.ts';
import type { AnalysisDocument } from '../../export/analysis/documents.ts';
import type { DrishtiRow } from '../../export/report/drishti-csv.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { linesOf, quotedSources, withheldNotes } from '../../session/sources/quoted-sources.ts';

/** What costs time in recordings, where, and what to do. */
export class FindingAnswers {
  constructor(private readonly recordings: RecordingsById) {}

  /** The run without a tracer, and what all findings together could save of it. */
  run(id: number): Promise<RunCost> {
    return new Promise((resolve) => resolve(this.recordings.of(id).run));
  }

  async analysis(ids: readonly number[]): Promise<AnalysisDocument> {
    return analysisOf(ids.map((id) => this.recordings.of(id)));
  }

  // Not plain functions: what they throw is a rejection, as everywhere.
  /** The bounds that the findings of recordings are held against, by name: those of the first, as all have the same. */
  async thresholds(ids: readonly number[]): Promise<Readonly<Record<string, ThresholdValue>>> {
    const used = ids[0] === undefined ? DEFAULT_THRESHOLDS : this.recordings.of(ids[0]).thresholds;
    const names = Object.keys(DEFAULT_THRESHOLDS) as (keyof typeof DEFAULT_THRESHOLDS)[];
    const values = names.map((name) => [name, { value: used[name], usual: DEFAULT_THRESHOLDS[name] }]);
    return Promise.resolve(Object.fromEntries(values) as Record<string, ThresholdValue>);
  }

  /** What Drishti's table of codes says of recordings. */
  async drishtiRows(ids: readonly number[]): Promise<DrishtiRow[]> {
    const rows = ids.map((id) => {
      const { request, trace, drishtiCodes, insights } = this.recordings.of(id);
      return {
        recording: request.paths.join(' '),
        job: trace.counters?.job.jobId ?? '',
        codes: [...drishtiCodes],
        reported: insights.map(({ code }) => code),
      };
    });
    return Promise.resolve(rows);
  }
}

export async function analysisOf(recordings: readonly OpenedRecording[]): Promise<AnalysisDocument> {
  return analysisDocument(await Promise.all(recordings.map(analysed)));
}

async function analysed(recording: OpenedRecording): Promise<AnalysedRecording> {
  const { request, trace, resolved, metrics, insights } = recording;
  const callSites = recording.callSites();
  const local = callSites.sites.map(({ file, line }) => ({ file: recording.localSource(file).file, line }));
  const quoted = await quotedSources(
    local.map(({ file }) => file),
    request,
  );
  const places = insights.flatMap((insight) => insight.sites.map(({ site }) => local[site]!));
  const lines = await linesOf(
    quoted,
    places.map(({ file }) => file),
  );
  return {
    recording: request.paths.join(' '),
    trace,
    resolved,
    callSites,
    metrics,
    run: recording.run,
    insights,
    unmarked: recording.unmarked,
    examined: recording.examined,
    lacks: recording.lacks,
    triggerNotes: recording.triggerNotes,
    triggerProblems: recording.triggerProblems,
    sources: new Map(recording.sourceReports.map((report) => [report.source, report])),
    calibrated: recording.calibrated,
    load: recording.load,
    locate: (file) => recording.localSource(file),
    sourceLine: (file, line) => lines.get(file)?.[line - 1] ?? recording.keptLine(file, line) ?? '',
    mayQuote: (file) => quoted.real.has(file),
    sourceNotes: withheldNotes(quoted, places),
  };
}
