/** The part of the HTML report that a Darshan log has more than other recordings: what PyDarshan's job summary shows. */
import { branch, printed, type Markup } from '../../drawing/markup/tree.ts';
import { FILE_COLUMNS, fileRow, leftOutNote } from '../../drawing/report/file-table.ts';
import {
  headlines,
  incompleteText,
  interfaces,
  jobFacts,
  ranks,
  tiles,
  warning,
} from '../../drawing/report/job-parts.ts';
import { logPieces, logTexts } from '../../drawing/report/log-parts.ts';
import { modulePart } from '../../drawing/report/module-parts.ts';
import type { JobDocument } from './job-document.ts';
import { PAPER } from './paper.ts';
import { limited, section } from './report-html-parts.ts';

/** The job, the figures of its interfaces, processes, modules and files, and its log. */
export function jobHtml(document: JobDocument): string {
  const { job, modules, heatmaps, ranks: ofRanks, files } = document;
  const incomplete = incompleteText(document);
  const rows = files.rows.map((file) => fileRow(file, PAPER));
  const parts: (readonly [title: string, content: readonly Markup[]])[] = [
    ['Interfaces', modules.length === 0 ? [] : interfaces(document, PAPER)],
    ['Bytes over time', heatmaps.map((heatmap) => PAPER.heatmap(heatmap, job.processes))],
    ['', ofRanks.length === 0 ? [] : ranks(document, PAPER)],
    ...modules.map((module) => ['', modulePart(module, PAPER)] as const),
    ['Files by bytes', rows.length === 0 ? [] : [...limited(FILE_COLUMNS, rows), ...leftOutNote(files.leftOut)]],
    ['', [...logPieces(document), ...logTexts(document)]],
  ];
  const sections = [
    section(
      `Job ${job.jobId}`,
      branch('p', {}, branch('code', {}, job.command === '' ? 'The log does not hold the command.' : job.command)),
      ...(incomplete === '' ? [] : [warning(incomplete)]),
      tiles(headlines(document)),
      jobFacts(document, PAPER),
    ),
    ...parts.filter(([, content]) => content.length > 0).map(([title, content]) => section(title, ...content)),
  ];
  return sections.map((part) => printed(part)).join('\n');
}
