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
  /** What the page needs beyond script and style, as directives of its policy. */
  readonly policy?: readonly string[];
}

const STATUS = '<div id="status" role="status" aria-live="polite"></div>';

/** A page loads nothing: it is whole. */
export const WEBVIEW_OPTIONS: vscode.WebviewOptions = { enableScripts: true, localResourceRoots: [] };

/** Where a new panel opens: with the panels that there are, else beside the source. A third column would make all narrow. */
export function panelColumn(): vscode.ViewColumn {
  const isPanel = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputWebview && /(^|-)iolens\./.test(input.viewType);
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isPanel))?.viewColumn ?? vscode.ViewColumn.Beside;
}

/**
 * The page under a content security policy that allows its own script and style, and what it names besides. Both are in the
 * page: code-server, whose webviews share an origin, hands what one of them loads to the network while another is made, and
 * the page stays blank.
 */
export async function webviewPage(extension: vscode.Uri, page: WebviewPage): Promise<string> {
  const nonce = makeNonce();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    ...(page.policy ?? []),
  ].join('; ');
  const names = [...(page.hasCharts === true ? ['charts'] : []), page.name];
  const files = [`${page.name}.css`, ...names.map((name) => `${name}.js`)];
  const [style, ...scripts] = await Promise.all(files.map((name) => pagePart(extension, name)));
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${style}</style>
<title>${page.title}</title>
</head>
<body>
${page.body ?? `${STATUS}\n<main id="${page.name}"></main>`}
${scripts.map((script) => `<script nonce="${nonce}">${script}</script>`).join('\n')}
</body>
</html>`;
}

/** The text of a file that was built for the pages. */
export async function pagePart(extension: vscode.Uri, name: string): Promise<string> {
  const file = vscode.Uri.joinPath(extension, 'dist', 'webview', name);
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}
