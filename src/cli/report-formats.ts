import type { AnalysisDocument } from '../export/documents.ts';
import { drawnGraphs, localLayoutEngine } from '../export/graph-svg.ts';
import { reportHtml } from '../export/report-html.ts';
import { analysisMarkdown } from '../export/report-markdown.ts';
import type { ReportMaterial } from '../export/report-material.ts';
import { sarifLog, type SarifContext } from '../export/report-sarif.ts';
import { analysisText, type TextStyle } from '../export/report-text.ts';
import { VERSION } from './version.ts';

export const REPORT_FORMATS = ['text', 'json', 'sarif', 'markdown', 'html'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * The findings in the wanted form, as text that ends with a line end.
 *
 * @param gather fetches what only the larger forms show.
 */
export async function reportText(
  format: ReportFormat,
  analysis: AnalysisDocument,
  gather: () => Promise<ReportMaterial>,
  style: TextStyle,
): Promise<string> {
  switch (format) {
    case 'text':
      return analysisText(analysis, style);
    case 'json':
      return `${JSON.stringify(analysis, null, 2)}\n`;
    case 'sarif':
      return `${JSON.stringify(sarifLog(analysis, await sarifContext(gather)), null, 2)}\n`;
    case 'markdown':
      return analysisMarkdown(analysis, (file) => style.place(file));
    case 'html': {
      const material = await gather();
      const origin = `Made by I/O Lens ${VERSION} on ${new Date().toISOString().slice(0, 10)}.`;
      const graphs = await drawnGraphs(material, localLayoutEngine);
      return reportHtml(material, { graphs, origin, place: (file) => style.place(file) });
    }
  }
}

async function sarifContext(gather: () => Promise<ReportMaterial>): Promise<SarifContext> {
  return { version: VERSION, root: process.cwd(), excerpts: (await gather()).excerpts };
}
