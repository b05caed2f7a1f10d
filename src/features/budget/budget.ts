import * as vscode from 'vscode';
import type { LimitResult } from '../../export/comparison/budget-document.ts';
import { limitWords } from '../../export/comparison/budget-text.ts';
import { BUDGET_FILE, readBudget } from './methods.ts';
import { messageOf } from '../../base/error-message.ts';
import { limitPositions } from './budget-positions.ts';
import type { Contributions } from '../editor/contributions.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

/** What is marked: a limit at a place, or in the budget file. */
interface Mark {
  readonly file: string;
  /** Counted from 1, as the recording names it; undefined: `range` of the budget file. */
  readonly line?: number;
  readonly range?: vscode.Range;
  readonly message: string;
  readonly severity: vscode.DiagnosticSeverity;
}

/**
 * Measures the current recording by the budgets of the workspace: `iolens.budget.json` in each of its folders. What is
 * exceeded is marked at its lines; what leads to no line, at the limit itself.
 */
export class BudgetFeature implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('iolens.budget');
  private readonly subscription: vscode.Disposable;
  private asked = 0;
  private shown: { readonly recording: OpenRecording | undefined; readonly marks: readonly Mark[] } | undefined;
  private readonly recordings: Recordings;

  constructor({ recordings }: Services, contributions: Contributions) {
    this.recordings = recordings;
    contributions.own(this);
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${BUDGET_FILE}`);
    const check = (): void => void this.check();
    this.subscription = vscode.Disposable.from(
      this.collection,
      watcher,
      watcher.onDidChange(check),
      watcher.onDidCreate(check),
      watcher.onDidDelete(check),
      recordings.onDidChange(check),
      recordings.lines.onDidChange(() => this.draw()),
    );
    check();
  }

  private async check(): Promise<void> {
    const number = ++this.asked;
    const { current } = this.recordings;
    const marks: Mark[] = [];
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      const file = vscode.Uri.joinPath(uri, BUDGET_FILE);
      const bytes = await vscode.workspace.fs.readFile(file).then(
        (read) => read,
        () => undefined,
      );
      if (bytes !== undefined) marks.push(...(await this.marksOf(file, new TextDecoder().decode(bytes), current)));
    }
    // What was asked last is shown, whatever is answered last.
    if (number !== this.asked) return;
    this.shown = { recording: current, marks };
    this.draw();
  }

  private async marksOf(file: vscode.Uri, text: string, current: OpenRecording | undefined): Promise<Mark[]> {
    const wrong = (message: string): Mark => ({
      file: pathOf(file),
      range: new vscode.Range(0, 0, 0, 1),
      message,
      severity: vscode.DiagnosticSeverity.Error,
    });
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch (error) {
      return [wrong(messageOf(error))];
    }
    const { limits, problems } = readBudget(parsed);
    if (problems.length > 0) return problems.map(wrong);
    if (current === undefined) return [];
    const { results } = await this.recordings.session.budget
      .check([current.id], pathOf(file), limits)
      .catch(() => ({ results: [] as readonly LimitResult[] }));
    const positions = limitPositions(text);
    return results.flatMap((result, i) => markLimit(result, pathOf(file), positions[i]));
  }

  private draw(): void {
    this.collection.clear();
    if (this.shown === undefined) return;
    const { recording, marks } = this.shown;
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const { file, line, range, message, severity } of marks) {
      const at =
        line === undefined || recording === undefined ? 0 : this.recordings.lines.now(recording, file, line) - 1;
      const diagnostic = new vscode.Diagnostic(range ?? new vscode.Range(at, 0, at, 1000), message, severity);
      diagnostic.source = 'I/O Lens';
      diagnostic.code = 'budget';
      byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
    }
    for (const [file, diagnostics] of byFile) this.collection.set(uriOf(file), diagnostics);
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

function markLimit(
  result: LimitResult,
  budget: string,
  position: { line: number; length: number } | undefined,
): Mark[] {
  if (result.status === 'holds') return [];
  const isExceeded = result.status === 'exceeded';
  const severity = isExceeded ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Information;
  const message = isExceeded
    ? vscode.l10n.t('Over budget: {0}', limitWords(result))
    : vscode.l10n.t('Not measured: {0}', limitWords(result));
  const here = isExceeded ? result.places.filter(({ isHere }) => isHere) : [];
  if (here.length > 0) return here.slice(0, 1).map(({ file, line }) => ({ file, line, message, severity }));
  const at = position ?? { line: 0, length: 1 };
  return [{ file: budget, range: new vscode.Range(at.line, 0, at.line, at.length), message, severity }];
}
