import type * as vscode from 'vscode';
import type { WorkerSession } from '../../session/worker/worker-session.ts';
import type { Session } from '../answers/all-answers.ts';
import type { Contributions } from '../editor/contributions.ts';
import type { Services } from '../editor/services.ts';
import { activateFixPreview } from './fix-preview.ts';
import { activatePythonFixes } from './python-fixes.ts';
import { activateQuickFixes } from './quick-fixes.ts';

/** Changes of the code: of findings, of Python's lines while they are written, and how they would look. */
export class FixFeature implements vscode.Disposable {
  /** A menu of fixes cannot wait until a recording is read or analysed. */
  private readonly session: WorkerSession<Session>;

  constructor({ recordings, findingLines, startSession, state }: Services, contributions: Contributions) {
    const session = startSession();
    this.session = session;
    contributions.own(
      activateQuickFixes(findingLines, session.topics.fixes, recordings.lines, state),
      activatePythonFixes(recordings, session.topics.fixes, state),
      this,
    );
    activateFixPreview(contributions);
  }

  dispose(): void {
    void this.session.dispose();
  }
}
