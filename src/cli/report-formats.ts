import { jsonText } from '../export/json-text.ts';
import type { AnalysisDocument } from '../export/analysis/documents.ts';
import { withFollowing } from '../export/analysis/findings.ts';
import { drishtiCsv, drishtiDifferences, type DrishtiRow } from '../export/report/drishti-csv.ts';
import { drawnGraphs, localLayoutEngine } from '../export/graph/graph-svg.ts';
import type { FixesDocument } from '../export/fixes/fixes-document.ts';
import type { JobDocument, JobSummary } from '../export/report/job-document.ts';
import { reportHtml } from '../export/report/report-html.ts';
import { analysisMarkdown } from '../export/report/report-markdown.ts';
import type { ReportMaterial } from '../export/report/report-material.ts';
import { sarifLog, type SarifContext } from '../export/report/report-sarif.ts';
import type { TextDetail } from '../export/report/finding-text.ts';
import { analysisText } from '../export/report/report-text.ts';
import type { TextStyle } from '../export/report/text-style.ts';
import { say } from './say.ts';
import { VERSION } from './version.ts';

export const REPORT_FORMATS = ['text', 'json', 'sarif', 'markdown', 'html', 'drishti-csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Fetches what only some of the forms show. */
interface Gather {
  report(): Promise<ReportMaterial>;
  drishtiRows(): Promise<DrishtiRow[]>;
  fixes(): Promise<FixesDocument>;
  /** What Darshan logs say of their jobs, in the order of the recordings. */
  jobs(): Promise<readonly (JobDocument | undefined)[]>;
  jobSummaries(): Promise<readonly (JobSummary | undefined)[]>;
}

/** How much of the findings is said. */
interface ReportDetail extends TextDetail {
  /** Also those that follow from others; JSON has them anyhow. */
  readonly all?: boolean;
}

/**
 * The findings in the wanted form, as text that ends with a line end.
 */
export async function reportText(
  format: ReportFormat,
  given: AnalysisDocument,
  gather: Gather,
  style: TextStyle,
  detail: ReportDetail,
): Promise<string> {
  const shown = (document: AnalysisDocument): AnalysisDocument =>
    detail.all === true && format !== 'json' ? { ...document, insights: withFollowing(document.insights) } : document;
  const analysis = shown(given);
  switch (format) {
    case 'text':
      return analysisText(analysis, style, await gather.jobSummaries(), detail);
    case 'json':
      return jsonText(withJobs(analysis, await gather.jobs()));
    case 'sarif':
      return jsonText(sarifLog(analysis, await sarifContext(gather)));
    case 'drishti-csv':
      return drishtiTable(await gather.drishtiRows());
    case 'markdown':
      return analysisMarkdown(analysis, (file) => style.place(file), await gather.jobs());
    case 'html': {
      const gathered = await gather.report();
      const material = { ...gathered, analysis: shown(gathered.analysis) };
      const origin = `Made by I/O Lens ${VERSION} on ${new Date().toISOString().slice(0, 10)}.`;
      const graphs = await drawnGraphs(material, localLayoutEngine);
      return reportHtml(material, { graphs, origin, place: (file) => style.place(file) });
    }
  }
}

/** A table has no room for the reason why it disagrees with the other reports. */
function drishtiTable(rows: readonly DrishtiRow[]): string {
  for (const row of rows) {
    const differences = drishtiDifferences(row);
    if (differences !== '') say(differences);
  }
  return drishtiCsv(rows);
}

function withJobs(analysis: AnalysisDocument, jobs: readonly (JobDocument | undefined)[]): AnalysisDocument {
  const recordings = analysis.recordings.map((info, i) => ({ ...info, ...(jobs[i] && { job: jobs[i] }) }));
  return { ...analysis, recordings };
}

async function sarifContext(gather: Gather): Promise<SarifContext> {
  return {
    version: VERSION,
    root: process.cwd(),
    excerpts: (await gather.report()).excerpts,
    fixes: (await gather.fixes()).fixes,
  };
}
