import * as vscode from 'vscode';
import type { CurrentLines } from '../recordings/current-lines.ts';
import { callRange, type FindingLines, type LineFinding } from './finding-lines.ts';
import type { TriedFixes } from '../fixes/tried-fixes.ts';
import { uriOf } from '../editor/locations.ts';
import { findingsOf } from '../editor/settings.ts';

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
export function activateDiagnostics(findings: FindingLines, lines: CurrentLines, tried: TriedFixes): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('iolens');
  /** Of each file what is shown, as text: what is the same is not set again, so that nothing flickers. */
  const shown = new Map<string, string>();
  /** Of each file the last request: an older one that waited for the text must not put back what was taken away. */
  const latest = new Map<string, number>();
  let requests = 0;
  const publishFile = async (file: string): Promise<void> => {
    const request = ++requests;
    latest.set(file, request);
    const uri = uriOf(file);
    const text = findings.in(file).length === 0 ? [] : await linesOf(uri);
    if (latest.get(file) !== request) return;
    latest.delete(file);
    const list = findings.in(file).filter(isWorthAMark);
    const diagnostics = list.map((finding) => diagnostic(finding, text[finding.line] ?? '', lines, tried));
    const asText = JSON.stringify(diagnostics.map(contentOf));
    if (shown.get(file) === asText) return;
    shown.set(file, asText);
    if (list.length > 0) collection.set(uri, diagnostics);
    else {
      shown.delete(file);
      collection.delete(uri);
    }
  };
  const publish = async (files: readonly string[]): Promise<void> => {
    await Promise.all(files.map(publishFile));
  };
  const subscription = findings.onDidChange((files) => {
    void publish(files);
  });
  const trials = tried.onDidChange((file) => void publish([file]));
  void publish(findings.files());
  return vscode.Disposable.from(collection, subscription, trials);
}

/** What is good has a hover, and no mark under the line. */
function isWorthAMark({ site }: LineFinding): boolean {
  return site.severity !== 'ok';
}

/** All that is seen of a diagnostic. */
function contentOf({ message, range, severity, code, relatedInformation = [] }: vscode.Diagnostic): unknown {
  const callers = relatedInformation.map(({ location, message }) => [location.uri.toString(), location.range, message]);
  return [message, range, severity, code, callers];
}

/** A source file larger than this is generated. */
const LARGEST_SOURCE = 8 << 20;

/** A file's lines, as they stand in the editor or on disk, without opening an editor; none of what is no regular file. */
async function linesOf(uri: vscode.Uri): Promise<string[]> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText().split(/\r?\n/);
  try {
    // A recording names what it likes: whoever reads a pipe waits for ever.
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || size > LARGEST_SOURCE) return [];
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)).split(/\r?\n/);
  } catch {
    return [];
  }
}

function diagnostic(
  { recording, insight, site, line }: LineFinding,
  text: string,
  lines: CurrentLines,
  tried: TriedFixes,
): vscode.Diagnostic {
  // Where several recordings speak, each message says whose it is.
  const finding = findingsOf() === 'all' ? `${site.message} (${recording.name})` : site.message;
  const trial = tried.of({ recording: recording.id, trigger: insight.trigger, file: site.file, line: site.line });
  const message = [finding, site.note, trial].filter((part) => part !== '').join('\n');
  const found = new vscode.Diagnostic(callRange(text, line, site.column), message, SEVERITY[site.severity]);
  found.source = DIAGNOSTIC_SOURCE;
  found.code = insight.code;
  const callers = site.stack.slice(site.depth + 1).filter((frame) => frame.line > 0);
  found.relatedInformation = callers.slice(0, MOST_CALLERS).map((frame) => {
    const place = new vscode.Location(
      uriOf(frame.file),
      new vscode.Position(lines.now(recording, frame.file, frame.line) - 1, 0),
    );
    return new vscode.DiagnosticRelatedInformation(place, vscode.l10n.t('called from {0}', frame.function));
  });
  return found;
}
