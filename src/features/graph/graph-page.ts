import type * as vscode from 'vscode';
import { GRAPH_BODY } from './page-body.ts';
import { webviewPage } from '../editor/webview-page.ts';

/** The page of the graph: its skeleton and what it may load. All content comes by message. */
export function graphPage(webview: vscode.Webview, extension: vscode.Uri): string {
  return webviewPage(webview, extension, {
    title: 'Directly-Follows-Graph',
    name: 'graph',
    files: { elk: 'elk-worker.min.js' },
    // The drawing as a picture, on its way to a PNG file.
    policy: (source) => ['worker-src blob:', 'img-src blob:', `connect-src ${source}`],
    body: GRAPH_BODY,
  });
}
