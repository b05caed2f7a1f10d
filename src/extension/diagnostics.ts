import * as vscode from 'vscode';
import { callRange, type FindingLines, type LineFinding } from './finding-lines.ts';
import { findingsOf } from './settings.ts';

export const DIAGNOSTIC_SOURCE = 'I/O Lens';

/** What a finding is under its line: yellow for what costs much, blue for the rest. Never an error: the code works. */
const SEVERITY = {
  high: vscode.DiagnosticSeverity.Warning,
  warn: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  ok: vscode.DiagnosticSeverity.Hint,
} as const;

/** Callers that a diagnostic names. */
const MOST_CALLERS = 8;

/** Shows findings as squiggles on the offending calls. */
export function activateDiagnostics(findings: FindingLines): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('iolens');
  const publish = async (files: readonly string[]): Promise<void> => {
    for (const file of files) {
      const uri = vscode.Uri.file(file);
      const list = findings.in(file);
      if (list.length === 0) {
        collection.delete(uri);
        continue;
      }
      const text = await linesOf(uri);
      collection.set(
        uri,
        list.map((finding) => diagnostic(finding, text[finding.line] ?? '')),
      );
    }
  };
  const subscription = findings.onDidChange((files) => {
    void publish(files);
  });
  void publish(findings.files());
  return vscode.Disposable.from(collection, subscription);
}

/** A file's lines, as they stand in the editor or on disk, without opening an editor. */
async function linesOf(uri: vscode.Uri): Promise<string[]> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText().split(/\r?\n/);
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)).split(/\r?\n/);
  } catch {
    return [];
  }
}

function diagnostic({ recording, insight, site, line }: LineFinding, text: string): vscode.Diagnostic {
  // Where several recordings speak, each message says whose it is.
  const message = findingsOf() === 'all' ? `${site.message} (${recording.name})` : site.message;
  const found = new vscode.Diagnostic(callRange(text, line, site.column), message, SEVERITY[site.severity]);
  found.source = DIAGNOSTIC_SOURCE;
  found.code = insight.code;
  const callers = site.stack.slice(site.depth + 1).filter((frame) => frame.line > 0);
  found.relatedInformation = callers.slice(0, MOST_CALLERS).map((frame) => {
    const place = new vscode.Location(vscode.Uri.file(frame.file), new vscode.Position(frame.line - 1, 0));
    return new vscode.DiagnosticRelatedInformation(place, vscode.l10n.t('called from {0}', frame.function));
  });
  return found;
}
