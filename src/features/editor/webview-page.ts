import * as vscode from 'vscode';
import { makeNonce } from './nonce.ts';

/** A page of a webview: its own script and style, nothing else; all content comes by message. */
export interface WebviewPage {
  /** Its folder in webview/, and so the name of script and style in dist/webview. */
  readonly name: string;
  /** Shown nowhere but to screen readers. */
  readonly title: string;
  /** Draws charts: their library is loaded before the script. */
  readonly hasCharts?: boolean;
  /** Markup that is ours: nothing of a recording is part of it. Without it a status line, and `main` with the page's name. */
  readonly body?: string;
  /** Files in dist/webview that the script loads: attribute of the body and name. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the page needs beyond script and style, as directives of its policy. */
  readonly policy?: (source: string) => readonly string[];
}

const STATUS = '<div id="status" role="status" aria-live="polite"></div>';

export function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')] };
}

/** Where a new panel opens: with the panels that there are, else beside the source. A third column would make all narrow. */
export function panelColumn(): vscode.ViewColumn {
  const isPanel = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputWebview && /(^|-)iolens\./.test(input.viewType);
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isPanel))?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** The page under a content security policy that allows its own script and style, and what it names besides. */
export function webviewPage(webview: vscode.Webview, extension: vscode.Uri, page: WebviewPage): string {
  const at = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'webview', name)).toString();
  const nonce = makeNonce();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    ...(page.policy?.(webview.cspSource) ?? []),
  ].join('; ');
  const files = Object.entries(page.files ?? {}).map(([attribute, name]) => ` data-${attribute}="${at(name)}"`);
  const scripts = [...(page.hasCharts === true ? ['charts'] : []), page.name].map(
    (name) => `<script nonce="${nonce}" src="${at(`${name}.js`)}"></script>`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at(`${page.name}.css`)}">
<title>${page.title}</title>
</head>
<body${files.join('')}>
${page.body ?? `${STATUS}\n<main id="${page.name}"></main>`}
${scripts.join('\n')}
</body>
</html>`;
}
