import * as vscode from 'vscode';
import type { TrialDocument } from '../../export/fixes/trial-document.ts';
import { mediansOf } from '../../export/fixes/trial-words.ts';

/** A finding at a place, as the analysis names it. */
interface FindingName {
  readonly recording: number;
  readonly trigger: string;
  readonly file: string;
  /** The recorded one. */
  readonly line: number;
}

/** What trials of fixes showed, for the squiggles of their findings: until the window is closed. */
export class TriedFixes implements vscode.Disposable {
  private readonly words = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<string>();
  /** Fires with the file of a finding. */
  readonly onDidChange = this.changed.event;

  note(finding: FindingName, document: TrialDocument): void {
    this.words.set(keyOf(finding), wordsOf(document));
    this.changed.fire(finding.file);
  }

  /** `tried: 1.29 s → 0.41 s, results equal`; '' where nothing was tried. */
  of(finding: FindingName): string {
    return this.words.get(keyOf(finding)) ?? '';
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function keyOf({ recording, trigger, file, line }: FindingName): string {
  return JSON.stringify([recording, trigger, file, line]);
}

function wordsOf(document: TrialDocument): string {
  const { built, equal, proven, uncompared, remaining } = document;
  if (!built) return vscode.l10n.t('tried: does not build');
  const time = mediansOf(document) ?? '';
  if (!equal) return vscode.l10n.t('tried: {0}, results differ', time);
  if (uncompared.length > 0) return vscode.l10n.t('tried: {0}, results equal as far as they can be compared', time);
  if (proven) return vscode.l10n.t('tried: {0}, results equal', time);
  return remaining.length > 0
    ? vscode.l10n.t('tried: {0}, results equal, but the finding is not shown to be gone', time)
    : vscode.l10n.t('tried: {0}, results equal, but worse off when something fails', time);
}
