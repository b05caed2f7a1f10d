import * as vscode from 'vscode';
import type { Fix, FixRequest } from '../analysis/fixes/fix.ts';
import type { SessionMethods } from '../session/session.ts';
import type { CurrentLines } from './current-lines.ts';
import { DIAGNOSTIC_SOURCE } from './diagnostics.ts';
import type { FindingLines, LineFinding } from './finding-lines.ts';

const LANGUAGES: Readonly<Record<string, FixRequest['language']>> = { c: 'c', cpp: 'cpp', 'cuda-cpp': 'cpp' };

/** Offers changes of the code for the findings on a line. */
export function activateQuickFixes(
  findings: FindingLines,
  session: SessionMethods,
  lines: CurrentLines,
): vscode.Disposable {
  const selector = Object.keys(LANGUAGES).map((language) => ({ language, scheme: 'file' }));
  return vscode.languages.registerCodeActionsProvider(selector, new QuickFixes(findings, session, lines), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

class QuickFixes implements vscode.CodeActionProvider {
  constructor(
    private readonly findings: FindingLines,
    private readonly session: SessionMethods,
    private readonly lines: CurrentLines,
  ) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const actions: vscode.CodeAction[] = [];
    for (let line = range.start.line; line <= range.end.line; line++) {
      for (const finding of this.findings.at(document, line)) {
        const fixes = await this.session.fixes(await requestFor(finding, document, this.lines));
        const diagnostics = context.diagnostics.filter(
          ({ source, message }) => source === DIAGNOSTIC_SOURCE && message.startsWith(finding.site.message),
        );
        for (const fix of fixes) {
          const action = await codeAction(fix, diagnostics);
          // One at most: the first that repairs the call.
          action.isPreferred = fix.repairs && !actions.some(({ isPreferred }) => isPreferred === true);
          actions.push(action);
        }
      }
    }
    return actions;
  }
}

async function requestFor(
  { recording, insight, site, line }: LineFinding,
  document: vscode.TextDocument,
  lines: CurrentLines,
): Promise<FixRequest> {
  const sources: Record<string, string> = { [site.file]: document.getText() };
  for (const { file } of site.closedAt) {
    // A file that is not on this machine is left out: a fix that needs it is then not offered.
    const text = sources[file] ?? (await textOf(vscode.Uri.file(file)));
    if (text !== undefined) sources[file] = text;
  }
  return {
    trigger: insight.trigger,
    language: LANGUAGES[document.languageId] ?? 'c',
    place: { file: site.file, line: line + 1 },
    sources,
    count: site.events,
    medianBytes: site.medianBytes,
    threaded: site.threaded,
    closedAt: site.closedAt.map((place) => ({ ...place, line: lines.now(recording, place.file, place.line) })),
    touchedAt: site.touchedAt.map((place) => ({ ...place, line: lines.now(recording, place.file, place.line) })),
    // What is written in another language does not help in this file.
    examples: insight.recommendations.flatMap(({ snippet }) =>
      snippet === undefined || !['c', 'cpp'].includes(snippet.language)
        ? []
        : [{ title: snippet.title, code: snippet.code }],
    ),
  };
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document.getText(),
    () => undefined,
  );
}

async function codeAction(fix: Fix, diagnostics: vscode.Diagnostic[]): Promise<vscode.CodeAction> {
  const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = diagnostics;
  action.edit = new vscode.WorkspaceEdit();
  // A change of several files is shown before it is made.
  const several = new Set(fix.edits.map(({ file }) => file)).size > 1;
  const metadata = { label: fix.title, description: fix.note, needsConfirmation: several };
  for (const { file, start, end, text } of fix.edits) {
    const uri = vscode.Uri.file(file);
    const document = await vscode.workspace.openTextDocument(uri);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    action.edit.replace(uri, range, text, metadata);
  }
  return action;
}
