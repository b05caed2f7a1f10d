import * as vscode from 'vscode';
import type { Fix, FixRequest } from '../../analysis/fixes/fix.ts';
import { fixRequest, languageOfFile, recordedSources } from '../../export/fixes/fix-request.ts';
import type { Session } from '../answers/all-answers.ts';
import type { CurrentLines } from '../recordings/current-lines.ts';
import { DIAGNOSTIC_SOURCE } from '../findings/diagnostics.ts';
import type { FindingLines, LineFinding } from '../findings/finding-lines.ts';
import type { FixQuestion } from './answers.ts';
import { codeActions } from './fix-actions.ts';
import { foldersOf, questionOf } from './fix-questions.ts';
import { ALL_FILES, pathOf } from '../editor/locations.ts';
import type { FixPlace } from './try-fix.ts';

const LANGUAGES: Readonly<Record<string, FixRequest['language']>> = {
  c: 'c',
  cpp: 'cpp',
  'cuda-cpp': 'cpp',
  fortran: 'fortran',
  'fortran-modern': 'fortran',
  FortranFreeForm: 'fortran',
  FortranFixedForm: 'fortran',
  python: 'python',
};
/** The editor itself knows no Fortran: without an extension for it these files are plain text. */
const FORTRAN_FILES = '**/*.{f,F,for,FOR,ftn,f77,F77,f90,F90,f95,F95,f03,F03,f08,F08,f18}';

function languageOf(document: vscode.TextDocument): FixRequest['language'] {
  return LANGUAGES[document.languageId] ?? languageOfFile(document.fileName) ?? 'c';
}

/**
 * Offers changes of the code for the findings on a line.
 *
 * @param finder answers at once, whatever is read or analysed meanwhile: the editor takes back what it asked when the
 *   answer takes longer than three quarters of a second, and says that there are no fixes (docs/decisions/0139).
 */
export function activateQuickFixes(
  findings: FindingLines,
  finder: Session['fixes'],
  lines: CurrentLines,
  state: vscode.Memento,
): vscode.Disposable {
  const selector: vscode.DocumentFilter[] = [
    ...Object.keys(LANGUAGES).map((language) => ({ language, ...ALL_FILES })),
    { language: 'plaintext', pattern: FORTRAN_FILES },
  ];
  return vscode.languages.registerCodeActionsProvider(selector, new QuickFixes(findings, finder, lines, state), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

class QuickFixes implements vscode.CodeActionProvider {
  private prepared: { readonly document: vscode.TextDocument; readonly version: number } | undefined;

  constructor(
    private readonly findings: FindingLines,
    private readonly finder: Session['fixes'],
    private readonly lines: CurrentLines,
    private readonly state: vscode.Memento,
  ) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    this.prepare(document);
    const actions: vscode.CodeAction[] = [];
    for (let line = range.start.line; line <= range.end.line; line++) {
      for (const finding of this.findings.at(document, line)) {
        // A range of many lines is many questions; what is asked next must not wait for them.
        if (token.isCancellationRequested) return [];
        const fixes = await this.finder.find(questionFor(finding, document, this.lines, this.state));
        const diagnostics = context.diagnostics.filter(
          ({ source, message }) => source === DIAGNOSTIC_SOURCE && message.startsWith(finding.site.message),
        );
        actions.push(...(await codeActions(fixes, () => placeOf(finding), diagnostics)));
      }
    }
    // One at most, also where several findings meet.
    const preferred = actions.find(({ isPreferred }) => isPreferred === true);
    for (const action of actions) action.isPreferred = action === preferred;
    return actions;
  }

  /** The editor asks with every move of the cursor, also where nothing was found: a good time to parse. */
  private prepare(document: vscode.TextDocument): void {
    const { version } = document;
    if (this.prepared?.document === document && this.prepared.version === version) return;
    const file = pathOf(document.uri);
    if (this.findings.in(file).length === 0) return;
    this.prepared = { document, version };
    const request = { language: languageOf(document), sources: { [file]: document.getText() } };
    // What keeps it from being parsed is told when fixes are asked for.
    this.finder.prepare(request).catch(() => undefined);
  }
}

/** The fixes for a finding that change the code. */
export async function changesFor(
  finding: LineFinding,
  document: vscode.TextDocument,
  finder: Session['fixes'],
  lines: CurrentLines,
  state: vscode.Memento,
): Promise<Fix[]> {
  const fixes = await finder.find(questionFor(finding, document, lines, state));
  return fixes.filter(({ kind }) => kind !== 'example');
}

export function placeOf({ recording, insight, site, line }: LineFinding): FixPlace {
  const { file, function: name, line: recordedLine } = site;
  return { recording, insight, file, line: line + 1, recordedLine, function: name };
}

function questionFor(
  { recording, insight, site, line }: LineFinding,
  document: vscode.TextDocument,
  lines: CurrentLines,
  state: vscode.Memento,
): FixQuestion {
  const now = (file: string, recorded: number): number => lines.now(recording, file, recorded);
  const request = fixRequest({ insight, site, line: line + 1 }, languageOf(document), now);
  return questionOf(request, document, recordedSources(site), foldersOf(recording.paths, state));
}
