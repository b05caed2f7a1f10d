import * as vscode from 'vscode';
import { pictureSvg } from '../../export/report/pattern-svg.ts';
import type { InsightDocument } from '../../export/analysis/documents.ts';
import { element, escapeMarkup } from '../../base/markup.ts';
import { makeNonce } from '../editor/nonce.ts';
import type { Recordings } from '../recordings/recordings.ts';
import { panelColumn } from '../editor/webview-page.ts';

/** A finding with a picture. */
type Pictured = InsightDocument & { readonly picture: NonNullable<InsightDocument['picture']> };

/** What a link of a hover names. */
export interface PictureArgument {
  readonly recording: number;
  readonly code: string;
}

export function isPictured(insight: InsightDocument): insight is Pictured {
  return insight.picture !== undefined;
}

const STYLE = `
body { padding: 1rem; font-family: var(--vscode-font-family); color: var(--vscode-foreground); }
h1 { font-size: 1.3em; font-weight: 600; }
figure { margin: 1em 0; overflow-x: auto; }
/* In the panel the picture has the theme's colours; in a hover, where it is an image, it brings its own sheet. */
figure svg { max-width: 100%; height: auto; }
figure svg > rect:first-child, figure svg rect[stroke-dasharray] { fill: transparent; }
figure svg text { fill: var(--vscode-foreground); }
figure svg line { stroke: var(--vscode-foreground); }
figcaption { color: var(--vscode-descriptionForeground); margin-top: .5em; max-width: 46rem; }
p { max-width: 46rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .2em 1em .2em 0; border-bottom: 1px solid var(--vscode-panel-border); }
`;

/** The picture of a finding in a panel of its own: one panel, which shows what was asked for last. */
export class PatternPictures implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly recordings: Recordings,
    private readonly extension: vscode.Uri,
  ) {}

  /** @param about a row of the view of findings, or a link of a hover; without one it is asked which is meant. */
  async show(about: unknown): Promise<void> {
    const insight = this.named(about) ?? (await this.ask());
    if (insight === undefined) return;
    this.panel ??= this.open();
    this.panel.title = vscode.l10n.t('Picture of {0}', insight.code);
    this.panel.webview.html = page(insight);
    this.panel.reveal(undefined, true);
  }

  private open(): vscode.WebviewPanel {
    const place = { viewColumn: panelColumn(), preserveFocus: true };
    // No script: everything is in the page.
    const panel = vscode.window.createWebviewPanel('iolens.picture', '', place, { enableScripts: false });
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(this.extension, 'media', `picture-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    panel.onDidDispose(() => (this.panel = undefined));
    return panel;
  }

  private named(about: unknown): Pictured | undefined {
    if (typeof about !== 'object' || about === null) return undefined;
    if ('insight' in about) {
      const insight = about.insight as InsightDocument;
      return isPictured(insight) ? insight : undefined;
    }
    const { recording, code } = about as Partial<PictureArgument>;
    const open = this.recordings.all().find(({ id }) => id === recording);
    return open?.analysis.insights.filter(isPictured).find((insight) => insight.code === code);
  }

  private async ask(): Promise<Pictured | undefined> {
    const insights = (this.recordings.current?.analysis.insights ?? []).filter(isPictured);
    if (insights.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: no finding of this recording has a picture.'));
      return undefined;
    }
    if (insights.length === 1) return insights[0];
    const items = insights.map((insight) => ({ label: insight.title, description: insight.code, insight }));
    const title = vscode.l10n.t('Which finding?');
    return (await vscode.window.showQuickPick(items, { title }))?.insight;
  }

  dispose(): void {
    this.panel?.dispose();
  }
}

/** Everything that comes from the recording is escaped; the page may load nothing. */
function page({ title, message, picture }: Pictured): string {
  const nonce = makeNonce();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'`;
  const rows = picture.lanes.map(({ label, amount }) =>
    element('tr', {}, element('th', { scope: 'row' }, escapeMarkup(label)), element('td', {}, escapeMarkup(amount))),
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeMarkup(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(message)}</p>
<figure>${pictureSvg(picture)}<figcaption>${escapeMarkup(`${picture.title}. ${picture.description}`)}</figcaption></figure>
<table>${rows.join('')}</table>
</body>
</html>`;
}

/** The picture as Markdown, for a hover: an image that needs nothing from anywhere. */
export function pictureMarkdown({ picture }: Pictured, alternative: (text: string) => string): string {
  const bytes = new TextEncoder().encode(pictureSvg(picture));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `![${alternative(picture.description)}](data:image/svg+xml;base64,${btoa(binary)}|width=520)\n\n`;
}
