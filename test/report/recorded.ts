import path from 'node:path';
import type { ViewOptions } from './browser.ts';
import { filePage } from '../../src/export/file-page.ts';
import { shownInsights } from '../../src/export/findings.ts';
import { ReportContent } from '../../src/extension/report-content.ts';
import type { PageAnswer } from '../../src/messages/report-messages.ts';
import { plainRequest } from '../../src/session/open-request.ts';
import { Session } from '../../src/session/session.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What the view is told of a real log, as the editor would tell it. */
export async function recordedReport(log: string): Promise<ViewOptions> {
  const session = new Session({ folder: path.join(root, 'dist') });
  const { id } = await session.open({ ...plainRequest(log), cacheBytes: 0, maySpawn: false });
  const [analysis, job, files] = await Promise.all([
    session.analysis([id]),
    session.job(id),
    session.files(id, 'time', 100),
  ]);
  const content = new ReportContent();
  const used = new Map(files.files.map((file) => [file.path, file]));
  const shown = { ...analysis, insights: shownInsights(analysis.insights) };
  return {
    report: content.report(path.basename(log), shown, job!),
    async answer(wanted): Promise<PageAnswer> {
      if (wanted.table === 'records')
        return { table: 'records', page: await session.records(id, wanted.module, wanted.query) };
      const { rows, ...about } = filePage(job!.files.rows, wanted.query);
      return { table: 'files', page: { ...about, rows: rows.map((file) => content.file(file, used)) } };
    },
  };
}
