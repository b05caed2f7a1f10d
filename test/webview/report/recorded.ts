import path from 'node:path';
import type { ViewOptions } from './browser.ts';
import { filePage } from '../../../src/export/analysis/file-page.ts';
import { shownInsights } from '../../../src/export/analysis/findings.ts';
import { ReportContent } from '../../../src/features/report/report-content.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { localSession } from '../../../src/features/answers/all-answers.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** What the view is told of a real log, as the editor would tell it. */
export async function recordedReport(log: string): Promise<ViewOptions> {
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
    report: content.report(path.basename(log), shown, job!),
    answers: {
      files: (query) => {
        const { rows, ...about } = filePage(job!.files.rows, query);
        return { ...about, rows: rows.map((file) => content.file(file, used)) };
      },
      records: ({ module, query }) => session.report.records(id, module, query),
    },
  };
}
