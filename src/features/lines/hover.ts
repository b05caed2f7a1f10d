import * as vscode from 'vscode';
import { adviceOf, jobPatches } from '../../export/analysis/advice.ts';
import type { InsightDocument } from '../../export/analysis/documents.ts';
import { costText, costWithShare, recordedText, type Costly } from '../../export/analysis/cost-text.ts';
import { gainText } from '../../export/analysis/gain-text.ts';
import { layerChainText } from '../../export/analysis/layer-amounts.ts';
import { formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type { FindingLines, LineFinding } from '../findings/finding-lines.ts';
import { histogram } from './histogram.ts';
import type { LineCost, LineCosts } from './line-costs.ts';
import { ALL_FILES } from '../editor/locations.ts';
import { plain } from '../editor/markdown.ts';
import type { PlaceArgument } from '../editor/places.ts';
import { isPictured, pictureMarkdown, type PictureArgument } from '../findings/pattern-picture.ts';
import { callsText } from '../editor/tree-items.ts';

const LINKS = [
  'iolens.showInGraph',
  'iolens.showRecordedCalls',
  'iolens.walkToCaller',
  'iolens.chooseRecording',
  'iolens.showPicture',
];

/**
 * Shows below a squiggle's message what to do, what that saves, and the evidence: numbers, layers, sizes, a picture. A line
 * without a finding shows what its calls cost. What matters most stands first: the editor cuts a hover off where it gets
 * high.
 */
export function activateHover(findings: FindingLines, costs: LineCosts): vscode.Disposable {
  return vscode.languages.registerHoverProvider(ALL_FILES, {
    provideHover(document, position) {
      const here = costs.at(document, position.line);
      const elsewhere = costs.elsewhere(document, position.line);
      const found = findings.at(document, position.line);
      // The line's own numbers stand in its first finding.
      const parts = found.map((finding, number) => describeFinding(finding, number === 0 ? here : [], elsewhere));
      if (found.length === 0 && here.length > 0) parts.push(describeLine(here, elsewhere));
      return parts.length === 0 ? undefined : new vscode.Hover(parts);
    },
  });
}

/** Markdown with our own commands only; everything from the recording goes in as plain text. */
function markdown(): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  text.isTrusted = { enabledCommands: LINKS };
  return text;
}

/** A table of one row. Blanks of their own keep the columns apart: the editor's style does not. */
function table(cells: readonly (readonly [head: string, value: string])[]): string {
  const row = (texts: readonly string[]): string => `| ${texts.map((text) => `&emsp;${text}`).join(' | ')} |\n`;
  return `${row(cells.map(([head]) => head))}${'|--:'.repeat(cells.length)}|\n${row(cells.map(([, value]) => value))}\n`;
}

/** What calls cost of the run, and what was recorded of them. @param share of the recorded I/O time. */
function costCells(calls: Costly, share: number): [head: string, value: string][] {
  if (calls.cost === undefined) {
    return [
      [vscode.l10n.t('time'), costText(calls)],
      [vscode.l10n.t('share'), formatShare(share)],
    ];
  }
  const recorded = recordedText(calls);
  return [
    [vscode.l10n.t('cost'), costText(calls)],
    [vscode.l10n.t('of the run'), formatShare(calls.cost.shareOfRun)],
    ...(recorded === undefined
      ? []
      : [[vscode.l10n.t('recorded'), `${recorded} (${formatShare(share)})`] satisfies [string, string]]),
  ];
}

function describeFinding(
  { recording, insight, site }: LineFinding,
  here: readonly LineCost[],
  elsewhere: readonly LineCost[],
): vscode.MarkdownString {
  const text = markdown();
  text.appendMarkdown(
    `**${plain(insight.title)}** \u2014 ${plain(insight.code)}&emsp;${links(recording.id, site)}${pictureLink(recording.id, insight)}\n\n`,
  );
  for (const { audience, heading, recommendations } of adviceOf(insight)) {
    for (const recommendation of recommendations) {
      const where = audience === 'job' ? `*${plain(heading)}:* ` : '';
      text.appendMarkdown(
        `$(${audience === 'job' ? 'terminal' : 'lightbulb'}) ${where}${plain(recommendation.text)}\n\n`,
      );
    }
  }
  // Lines to copy, each set once.
  for (const { code } of jobPatches([insight])) text.appendCodeblock(code, 'shellscript');
  const places = formatCount(insight.sites.length);
  const everywhere = insight.sites.length > 1 ? ` ${vscode.l10n.t('(all {0} places)', places)}` : '';
  text.appendMarkdown(`${plain(gainText(insight.gain))}${plain(everywhere)} ${plain(insight.gain.method)}\\.\n\n`);
  text.appendMarkdown(
    table([
      [vscode.l10n.t('calls'), formatCount(site.events)],
      [vscode.l10n.t('moved'), formatBytes(site.bytes)],
      [vscode.l10n.t('median'), site.medianBytes > 0 ? formatBytes(site.medianBytes) : '–'],
      ...costCells(site, site.shareOfTime),
      [vscode.l10n.t('processes'), site.ranks ?? formatCount(site.streams)],
    ]),
  );
  appendLayers(text, here);
  if (here.length > 0) appendSizes(text, here);
  if (isPictured(insight)) text.appendMarkdown(pictureMarkdown(insight, plain));
  const timing = recording.analysis.timing[0];
  if (timing?.tracerPerCallNs !== undefined && timing.tracerPerCallNs !== null) {
    const each = formatDuration(timing.tracerPerCallNs);
    const words =
      timing.tracerShare === null
        ? vscode.l10n.t('The tracer itself adds about {0} to each call.', each)
        : vscode.l10n.t(
            'The tracer itself adds about {0} to each call (at least {1} of the recorded I/O time).',
            each,
            formatShare(timing.tracerShare),
          );
    text.appendMarkdown(`${plain(words)}\n\n`);
  }
  if (here.length > 0) appendElsewhere(text, elsewhere);
  return text;
}

/** All calls of a line that is no finding. */
function describeLine(here: readonly LineCost[], elsewhere: readonly LineCost[]): vscode.MarkdownString {
  const text = markdown();
  for (const { recording, site } of here) {
    const calls = Object.entries(site.calls).sort((a, b) => b[1] - a[1]);
    const names = calls.map(([name, count]) => `${formatCount(count)} × ${plain(name)}`).join(', ');
    text.appendMarkdown(`**${vscode.l10n.t('I/O of this line')}:** ${names}&emsp;${links(recording.id, site)}\n\n`);
    text.appendMarkdown(
      table([
        [vscode.l10n.t('calls'), formatCount(site.events)],
        [vscode.l10n.t('moved'), formatBytes(site.bytes)],
        ...costCells(site, site.share),
        [vscode.l10n.t('processes'), site.ranks ?? formatCount(site.streams)],
      ]),
    );
  }
  appendLayers(text, here);
  appendSizes(text, here);
  appendElsewhere(text, elsewhere);
  return text;
}

/** What the line's calls became in the layers below. */
function appendLayers(text: vscode.MarkdownString, here: readonly LineCost[]): void {
  for (const { site } of here) {
    const { layers } = site;
    if (layers === undefined || layers.length < 2) continue;
    text.appendMarkdown(`${vscode.l10n.t('Layers')}: ${plain(layerChainText(layers))}\n\n`);
  }
}

/** How large the line's reads and writes are, in Darshan's bins. */
function appendSizes(text: vscode.MarkdownString, here: readonly LineCost[]): void {
  for (const { site } of here) {
    for (const [title, counts] of [
      [vscode.l10n.t('size of reads, calls'), site.sizes.read],
      [vscode.l10n.t('size of writes, calls'), site.sizes.written],
    ] as const) {
      const lines = histogram(counts);
      if (lines.length > 0) text.appendCodeblock([title, ...lines].join('\n'), 'text');
    }
  }
}

/** What the line costs in the other open recordings. */
function appendElsewhere(text: vscode.MarkdownString, elsewhere: readonly LineCost[]): void {
  for (const { recording, site } of elsewhere) {
    const numbers = `${callsText(site.events)}, ${formatBytes(site.bytes)}, ${costWithShare(site, site.share)}`;
    const choose = link('iolens.chooseRecording', recording.id);
    const name = `[${plain(recording.name)}](${choose} "${vscode.l10n.t('Make it the current recording')}")`;
    text.appendMarkdown(`${vscode.l10n.t('Also in {0}: {1}', name, numbers)}\n\n`);
  }
}

/** Ways on from a line. */
function links(recording: number, { file, line }: { readonly file: string; readonly line: number }): string {
  const place: PlaceArgument = { recording, file, line };
  return [
    `[${vscode.l10n.t('Graph')}](${link('iolens.showInGraph', place)} "${vscode.l10n.t('Show this line in the graph')}")`,
    `[${vscode.l10n.t('Recorded calls')}](${link('iolens.showRecordedCalls', place)} "${vscode.l10n.t('Show the lines of the recording')}")`,
    `[${vscode.l10n.t('Callers')}](${link('iolens.walkToCaller', place)} "${vscode.l10n.t('Walk to a caller')}")`,
  ].join(' · ');
}

/** The picture in a panel, where it can be read in full; '' for findings without one. */
function pictureLink(recording: number, insight: InsightDocument): string {
  if (!isPictured(insight)) return '';
  const argument: PictureArgument = { recording, code: insight.code };
  const title = vscode.l10n.t('Show the picture of this finding');
  return ` · [${vscode.l10n.t('Picture')}](${link('iolens.showPicture', argument)} "${title}")`;
}

function link(command: string, argument: unknown): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`;
}
