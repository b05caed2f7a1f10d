import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { GRAPH_BODY } from '../messages/graph-body.ts';

/** The page of the graph: its skeleton and what it may load. All content comes by message. */
export function graphPage(webview: vscode.Webview, extension: vscode.Uri): string {
  const at = (...parts: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'webview', ...parts)).toString();
  const nonce = randomBytes(16).toString('hex');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    'worker-src blob:',
    // The drawing as a picture, on its way to a PNG file.
    'img-src blob:',
    `connect-src ${webview.cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at('graph-style.css')}">
<title>Directly-Follows-Graph</title>
</head>
<body data-elk="${at('elk-worker.min.js')}">
${GRAPH_BODY}
<script nonce="${nonce}" src="${at('graph.js')}"></script>
</body>
</html>`;
}
