import type * as vscode from 'vscode';
import { webviewPage } from '../editor/webview-page.ts';

/** The empty page of the report. */
export function reportHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  return webviewPage(webview, extension, {
    title: 'Report',
    name: 'report',
    hasCharts: true,
    body: `<div id="status" role="status" aria-live="polite"></div>
<main id="report"></main>`,
  });
}
