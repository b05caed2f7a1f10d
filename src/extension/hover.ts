import * as vscode from 'vscode';
import { formatBytes, formatCount, formatDuration, formatShare } from '../export/quantities.ts';
import type { FindingLines, LineFinding } from './finding-lines.ts';
import { plain } from './markdown.ts';

/** Shows the evidence behind a squiggle below its message: numbers, what to do, and ways on. */
export function activateHover(findings: FindingLines): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { scheme: 'file' },
    {
      provideHover(document, position) {
        const here = findings.at(document, position.line);
        return here.length === 0 ? undefined : new vscode.Hover(here.map(describe));
      },
    },
  );
}

function describe({ recording, insight, site }: LineFinding): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  // Only our own commands; everything from the recording goes in as plain text.
  text.isTrusted = { enabledCommands: ['iolens.showInGraph', 'iolens.showRecordedCalls'] };
  text.appendMarkdown(`**${plain(insight.title)}** \u2014 ${insight.code}\n\n`);
  // Blanks of their own keep the columns apart: the editor's style does not.
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => `&emsp;${cell}`).join(' | ')} |\n`;
  text.appendMarkdown(row(['calls', 'moved', 'median', 'time', 'share', 'processes']) + '|--:|--:|--:|--:|--:|--:|\n');
  const cells = [
    formatCount(site.events),
    formatBytes(site.bytes),
    site.medianBytes > 0 ? formatBytes(site.medianBytes) : '–',
    formatDuration(site.timeNs),
    formatShare(site.shareOfTime),
    formatCount(site.streams),
  ];
  text.appendMarkdown(`${row(cells)}\n`);
  const timing = recording.analysis.timing[0];
  if (timing?.tracerPerCallNs !== undefined && timing.tracerPerCallNs !== null) {
    const share =
      timing.tracerShare === null ? '' : ` (at least ${formatShare(timing.tracerShare)} of the I/O time shown)`;
    text.appendMarkdown(
      `The tracer itself adds about ${formatDuration(timing.tracerPerCallNs)} to each call${share}.\n\n`,
    );
  }
  for (const recommendation of insight.recommendations) {
    text.appendMarkdown(`$(lightbulb) ${plain(recommendation.text)}\n\n`);
  }
  const place = encodeURIComponent(JSON.stringify([{ recording: recording.id, file: site.file, line: site.line }]));
  text.appendMarkdown(
    `[Show in the graph](command:iolens.showInGraph?${place}) · [Show the recorded calls](command:iolens.showRecordedCalls?${place})`,
  );
  return text;
}
