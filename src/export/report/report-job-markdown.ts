import { formatBytes, formatCount } from '../../base/quantities.ts';
import type { JobDocument } from './job-document.ts';
import { codeSpan, escapeMarkdown } from './markdown.ts';
import { jobFacts, MODULE_HEAD, moduleRows } from './report-job-text.ts';
import { SIZE_BIN_NAMES } from '../analysis/size-bins.ts';

/** Files that are listed; a comment in a merge request has a length. */
const MOST_LISTED = 10;

/** What a Darshan log says of its job: the header, and the figures behind a fold. */
export function jobMarkdown(document: JobDocument): string {
  const facts = jobFacts(document).map(([name, value]) => `| ${name} | ${codeSpan(value, true)} |`);
  const parts = [['| job | |', '|---|---|', ...facts].join('\n')];
  const figures = [
    markdownTable(
      MODULE_HEAD,
      moduleRows(document).map((row) => row.map((cell) => escapeMarkdown(cell))),
    ),
    sizesTable(document),
    filesTable(document),
  ].filter((table) => table !== '');
  if (figures.length > 0) {
    parts.push(`<details><summary>Figures of the job</summary>\n\n${figures.join('\n\n')}\n\n</details>`);
  }
  return parts.join('\n\n');
}

/** @param rows cells that are Markdown already. */
function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const rule = head.map((_, i) => (i === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function sizesTable({ modules }: JobDocument): string {
  const counted = modules.flatMap(({ module, accessSizes }) =>
    accessSizes === null
      ? []
      : [
          { name: `${module} reads`, counts: accessSizes.read },
          { name: `${module} writes`, counts: accessSizes.write },
        ],
  );
  if (counted.length === 0) return '';
  const rows = SIZE_BIN_NAMES.map((bin, i) => [bin, ...counted.map(({ counts }) => formatCount(counts[i] ?? 0))]);
  return markdownTable(['size', ...counted.map(({ name }) => name)], rows);
}

function filesTable({ files }: JobDocument): string {
  const rows = files.rows
    .slice(0, MOST_LISTED)
    .map((file) => [
      codeSpan(file.path || '(no name)', true),
      file.module,
      formatBytes(file.bytesRead),
      formatBytes(file.bytesWritten),
      formatCount(file.processes),
    ]);
  return markdownTable(['file', 'module', 'read', 'written', 'processes'], rows);
}
