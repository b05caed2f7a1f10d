import * as vscode from 'vscode';
import type { Fix, FixRequest } from '../../analysis/fixes/fix.ts';
import type { InsightDocument } from '../../export/analysis/documents.ts';
import { recordedSources } from '../../export/fixes/fix-request.ts';
import type { SourceFolders } from '../../session/sources/quoted-sources.ts';
import type { Session } from '../answers/all-answers.ts';
import type { FixQuestion } from './answers.ts';
import { codeActions } from './fix-actions.ts';
import { foldersOf, questionOf } from './fix-questions.ts';
import type { FixPlace } from './try-fix.ts';
import { ALL_FILES, pathOf } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

/** Lines that read or write: an example is offered there. */
const INPUT_OR_OUTPUT =
  /\b(open|File|write|writelines|read|readlines?|flush|fsync|fdatasync|create_dataset|require_dataset|tofile|fromfile|save|savez|savetxt|loadtxt)\s*\(/;
/** Lines on which something may be changed, besides: loops, and what is put into a dataset. */
const LOOP_OR_ELEMENT = /^\s*for\b|\]\s*=[^=]/;
const INTERPRETER = /(^|\/)(python[\d.]*|pypy[\d.]*|libpython[^/]*|[^/]*\.cpython-[^/]*)$/;

/**
 * Offers fixes in Python files. A recording of system calls has no Python lines, so nothing is marked: while a recording
 * of a Python program is open, what can be done about its findings is offered on the lines on which it can be done. Where
 * the recorder knows lines of Python, a finding marks the line of the call, which has its fixes from there (QuickFixes);
 * what can be changed on other lines of that file, such as the one that opened it without a buffer, is offered there.
 */
export function activatePythonFixes(
  recordings: Recordings,
  finder: Session['fixes'],
  state: vscode.Memento,
): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    async provideCodeActions(document, range, _context, token) {
      const { text } = document.lineAt(range.start.line);
      const isCall = INPUT_OR_OUTPUT.test(text);
      if (!isCall && !LOOP_OR_ELEMENT.test(text)) return [];
      const places = new Map<Fix, FixPlace>();
      const line = range.start.line;
      for (const recording of recordings.all().filter(ranPython)) {
        for (const insight of recording.analysis.insights.filter((each) => concerns(each, document, line + 1))) {
          if (token.isCancellationRequested) return [];
          const found = await finder.find(questionFor(insight, document, line, foldersOf(recording.paths, state)));
          const fixes = hasLine(insight) ? found.filter(changes) : found.map(withoutLine);
          const place = placeIn(document, line + 1, recording, insight);
          for (const fix of fixes) places.set(fix, place);
        }
      }
      const shown = distinct([...places.keys()]).filter((fix) => changes(fix) || isCall);
      return codeActions(shown, (fix) => places.get(fix));
    },
  };
  return vscode.languages.registerCodeActionsProvider({ language: 'python', ...ALL_FILES }, provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

function ranPython({ info, analysis }: OpenRecording): boolean {
  const [program] = info.program.split(' ');
  return INTERPRETER.test(program ?? '') || analysis.symbols.modules.some(({ module }) => INTERPRETER.test(module));
}

/** Whether a finding leads to a source line of this machine; if not, its cause can be in a script. */
function hasLine(insight: InsightDocument): boolean {
  return insight.sites.some(({ isHere, line }) => isHere && line > 0);
}

/** Whether a line may be the cause of a finding: any when none is known, else the others of a file that it marks. */
function concerns(insight: InsightDocument, document: vscode.TextDocument, line: number): boolean {
  if (!hasLine(insight)) return true;
  const marked = insight.sites.filter(({ file }) => file === pathOf(document.uri)).map((site) => site.line);
  return marked.length > 0 && !marked.includes(line);
}

function placeIn(
  document: vscode.TextDocument,
  line: number,
  recording: OpenRecording,
  insight: InsightDocument,
): FixPlace {
  const file = pathOf(document.uri);
  // The recorder calls what stands in no function so, too.
  const here = insight.sites.find((site) => site.file === file)?.function ?? '<module>';
  return { recording, insight, file, line, recordedLine: line, function: here };
}

function withoutLine(fix: Fix): Fix {
  const noLine = vscode.l10n.t('The recording names no line of a script: check that this is the place.');
  return fix.kind !== 'example' ? { ...fix, note: `${fix.note} ${noLine}` } : fix;
}

function questionFor(
  insight: InsightDocument,
  document: vscode.TextDocument,
  line: number,
  folders: SourceFolders,
): FixQuestion {
  const file = pathOf(document.uri);
  const request: Omit<FixRequest, 'sources'> = {
    trigger: insight.trigger,
    language: 'python',
    place: { file, line: line + 1 },
    plainFiles: insight.sites.every(({ plainFiles }) => plainFiles),
    count: insight.evidence['count'] ?? 0,
    medianBytes: insight.evidence['medianBytes'] ?? 0,
    threaded: insight.sites.some(({ threaded }) => threaded),
    closedAt: [],
    // The interpreter's own lines are those of the finding; another script is another reader or writer.
    touchedAt: insight.sites.flatMap(({ touchedAt }) => touchedAt).filter((place) => place.file.endsWith('.py')),
    examples: [],
  };
  return questionOf(request, document, insight.sites.flatMap(recordedSources), folders);
}

/** Whether a fix is about what stands on its line: it changes that, or is an example of a change that is not made. */
function changes({ kind, reason }: Fix): boolean {
  return kind !== 'example' || reason !== undefined;
}

/**
 * Each change once, though several findings lead to it, and one example of those that are not made. Any other example
 * only where there is neither, and one.
 */
function distinct(fixes: readonly Fix[]): Fix[] {
  const repairs = new Map<string, Fix>();
  for (const fix of fixes.filter((candidate) => candidate.kind !== 'example')) {
    const key = JSON.stringify(fix.edits);
    if (!repairs.has(key)) repairs.set(key, fix);
  }
  const example = fixes.find(({ reason }) => reason !== undefined);
  const found = [...repairs.values(), ...(example === undefined ? [] : [example])];
  return found.length > 0 ? found : fixes.slice(0, 1);
}
