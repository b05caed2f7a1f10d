import path from 'node:path';
import type { ViewOptions } from './browser.ts';
import { filePage } from '../../../src/export/analysis/file-page.ts';
import { shownInsights } from '../../../src/export/analysis/findings.ts';
import type { CallTree } from '../../../src/analysis/call-tree/call-tree.ts';
import type { AnalysisDocument } from '../../../src/export/analysis/documents.ts';
import type { ViewReport, ViewSummary } from '../../../src/features/report/protocol.ts';
import { ReportContent } from '../../../src/features/report/report-content.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { localSession } from '../../../src/features/answers/all-answers.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** What is known of a recording that describes no job, and what the view is told of it. @param recording in the repository. */
export async function recordedSummary(
  recording: string,
): Promise<{ analysis: AnalysisDocument; content: ReportContent; summary: ViewSummary; callTree: CallTree }> {
  const session = localSession({ folder: path.join(root, 'dist') });
  const paths = [path.join(root, recording)];
  const { id } = await session.recordings.open({ ...plainRequest(...paths), cacheBytes: 0, maySpawn: false });
  const [found, { sites }, files, job, callTree] = await Promise.all([
    session.findings.analysis([id]),
    session.lines.sites(id, 'line'),
    session.files.list(id, 'time', 5_000),
    session.report.job(id),
    session.report.callTree(id, []),
  ]);
  if (job !== undefined) throw new Error('a job has a report of its own');
  const content = new ReportContent();
  const analysis = { ...found, insights: shownInsights(found.insights) };
  const name = path.basename(recording);
  return { analysis, content, callTree, summary: content.summary({ name, paths, analysis, sites }, files) };
}

/** What the view is told of a real log, as the editor would tell it. */
export async function recordedReport(log: string): Promise<ViewOptions & { readonly report: ViewReport }> {
  const session = localSession({ folder: path.join(root, 'dist') });
  const { id } = await session.recordings.open({ ...plainRequest(log), cacheBytes: 0, maySpawn: false });
  const [analysis, job, files] = await Promise.all([
    session.findings.analysis([id]),
    session.report.job(id),
    session.files.list(id, 'time', 100),
  ]);
  const content = new ReportContent();
  const used = new Map(files.files.map((file) => [file.path, file]));
  const shown = { ...analysis, insights: shownInsights(analysis.insights) };
  return {
    report: content.report({ name: path.basename(log), paths: [log], analysis: shown, sites: [] }, job!),
    answers: {
      files: (query) => {
        const { rows, ...about } = filePage(job!.files.rows, query);
        return { ...about, rows: rows.map((file) => content.file(file, used)) };
      },
      callTree: () => session.report.callTree(id, []),
      records: ({ module, query }) => session.report.records(id, module, query),
    },
  };
}
