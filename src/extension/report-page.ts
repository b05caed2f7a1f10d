import * as vscode from 'vscode';
import { makeNonce } from './nonce.ts';

export function reportOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')] };
}

/** The empty page of the report: its own script and style, nothing else; all content comes by message. */
export function reportHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const at = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'webview', name)).toString();
  const nonce = makeNonce();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at('report-style.css')}">
<title>Report</title>
</head>
<body>
<div id="status" role="status" aria-live="polite"></div>
<main id="report"></main>
<script nonce="${nonce}" src="${at('report.js')}"></script>
</body>
</html>`;
}
