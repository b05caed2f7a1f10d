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

function columnNames(): string[] {
  return [
    vscode.l10n.t('calls'),
    vscode.l10n.t('moved'),
    vscode.l10n.t('median'),
    vscode.l10n.t('time'),
    vscode.l10n.t('share'),
    vscode.l10n.t('processes'),
  ];
}

function describe({ recording, insight, site }: LineFinding): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  // Only our own commands; everything from the recording goes in as plain text.
  text.isTrusted = { enabledCommands: ['iolens.showInGraph', 'iolens.showRecordedCalls'] };
  text.appendMarkdown(`**${plain(insight.title)}** \u2014 ${insight.code}\n\n`);
  // Blanks of their own keep the columns apart: the editor's style does not.
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => `&emsp;${cell}`).join(' | ')} |\n`;
  text.appendMarkdown(row(columnNames()) + '|--:|--:|--:|--:|--:|--:|\n');
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
    const added = formatDuration(timing.tracerPerCallNs);
    const sentence =
      timing.tracerShare === null
        ? vscode.l10n.t('The tracer itself adds about {0} to each call.', added)
        : vscode.l10n.t(
            'The tracer itself adds about {0} to each call (at least {1} of the I/O time shown).',
            added,
            formatShare(timing.tracerShare),
          );
    text.appendMarkdown(`${sentence}\n\n`);
  }
  for (const recommendation of insight.recommendations) {
    text.appendMarkdown(`$(lightbulb) ${plain(recommendation.text)}\n\n`);
  }
  const place = encodeURIComponent(JSON.stringify([{ recording: recording.id, file: site.file, line: site.line }]));
  const inGraph = vscode.l10n.t('Show in the graph');
  const asRecorded = vscode.l10n.t('Show the recorded calls');
  text.appendMarkdown(
    `[${inGraph}](command:iolens.showInGraph?${place}) · [${asRecorded}](command:iolens.showRecordedCalls?${place})`,
  );
  return text;
}
