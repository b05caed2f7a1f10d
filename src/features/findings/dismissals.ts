import * as vscode from 'vscode';
import type { InsightDocument, SiteDocument } from '../../export/analysis/documents.ts';
import {
  dismissalOf,
  isDismissal,
  isDismissed,
  keyOf,
  type Dismissal,
  type DismissalScope,
} from './dismissal-rules.ts';
import { DIAGNOSTIC_SOURCE } from './diagnostics.ts';
import type { FindingLines } from './finding-lines.ts';
import { ALL_FILES, uriOf } from '../editor/locations.ts';

const STORED = 'iolens.dismissed';

/** A finding at a place, or as a whole: what commands get from quick fixes and trees. */
export interface Finding {
  readonly insight: InsightDocument;
  readonly site?: SiteDocument | undefined;
}

/** The sites of a finding, by whether the user wants to see them. */
interface SplitInsight {
  readonly kept: readonly SiteDocument[];
  readonly dismissed: readonly SiteDocument[];
  /** Nothing of the finding is left. */
  readonly isDismissed: boolean;
}

/** The findings that the user dismissed in this workspace; they outlive the editor. */
export class Dismissals implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly state: vscode.Memento) {
    void this.announce();
  }

  all(): readonly Dismissal[] {
    const stored = this.state.get<unknown>(STORED);
    return Array.isArray(stored) ? stored.filter(isDismissal) : [];
  }

  split(insight: InsightDocument): SplitInsight {
    const rules = this.all().filter(({ trigger }) => trigger === insight.trigger);
    if (rules.length === 0) return { kept: insight.sites, dismissed: [], isDismissed: false };
    const isGone = (site: SiteDocument | undefined): boolean => isDismissed(rules, { insight, site }, stableName);
    const kept = insight.sites.filter((site) => !isGone(site));
    const dismissed = insight.sites.filter((site) => !kept.includes(site));
    return { kept, dismissed, isDismissed: insight.sites.length > 0 ? kept.length === 0 : isGone(undefined) };
  }

  async dismiss({ insight, site }: Finding, scope: DismissalScope): Promise<void> {
    const rule = dismissalOf({ insight, site }, scope, stableName);
    await this.store([...this.all().filter((other) => keyOf(other) !== keyOf(rule)), rule]);
  }

  /** Brings a finding back: takes away every dismissal that hides it, or that hides a place of it. */
  async restore({ insight, site }: Finding): Promise<void> {
    const hidden = site === undefined ? [undefined, ...this.split(insight).dismissed] : [site];
    const hides = (rule: Dismissal): boolean =>
      hidden.some((place) => isDismissed([rule], { insight, site: place }, stableName));
    await this.store(this.all().filter((rule) => !hides(rule)));
  }

  async restoreRules(rules: readonly Dismissal[]): Promise<void> {
    const keys = new Set(rules.map(keyOf));
    await this.store(this.all().filter((rule) => !keys.has(keyOf(rule))));
  }

  private async store(rules: readonly Dismissal[]): Promise<void> {
    await this.state.update(STORED, rules);
    await this.announce();
  }

  private async announce(): Promise<void> {
    this.changed.fire();
    await vscode.commands.executeCommand('setContext', 'iolens.someDismissed', this.all().length > 0);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** A name that is the same when the workspace lies elsewhere. */
function stableName(file: string): string {
  return vscode.workspace.asRelativePath(uriOf(file));
}

/** Offers to dismiss the findings of a line, in every language. */
export function activateDismissActions(findings: FindingLines): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(document, range, context) {
      const actions: vscode.CodeAction[] = [];
      for (let line = range.start.line; line <= range.end.line; line++) {
        for (const { insight, site } of findings.at(document, line)) {
          const diagnostics = context.diagnostics.filter(
            ({ source, message }) => source === DIAGNOSTIC_SOURCE && message.startsWith(site.message),
          );
          for (const [scope, command] of SCOPES) {
            const action = new vscode.CodeAction(dismissTitle(scope, insight.title), vscode.CodeActionKind.QuickFix);
            action.diagnostics = diagnostics;
            action.command = { command, title: action.title, arguments: [{ insight, site } satisfies Finding] };
            actions.push(action);
          }
        }
      }
      return actions;
    },
  };
  return vscode.languages.registerCodeActionsProvider(ALL_FILES, provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

const SCOPES: readonly (readonly [DismissalScope, string])[] = [
  ['place', 'iolens.dismissHere'],
  ['file', 'iolens.dismissInFile'],
  ['trigger', 'iolens.dismissTrigger'],
];

function dismissTitle(scope: DismissalScope, finding: string): string {
  switch (scope) {
    case 'place':
      return vscode.l10n.t('Dismiss "{0}" here', finding);
    case 'file':
      return vscode.l10n.t('Dismiss "{0}" in this file', finding);
    case 'trigger':
      return vscode.l10n.t('Dismiss "{0}" everywhere', finding);
  }
}

/** Lists what was dismissed; what is chosen comes back. */
export async function showDismissed(dismissals: Dismissals): Promise<void> {
  const rules = dismissals.all();
  if (rules.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: no finding is dismissed in this workspace.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(
    rules.map((rule) => ({ label: rule.title, description: placeOf(rule), detail: detailOf(rule), rule })),
    {
      title: vscode.l10n.t('Dismissed Findings'),
      placeHolder: vscode.l10n.t('Choose the findings to bring back'),
      canPickMany: true,
      matchOnDescription: true,
    },
  );
  if (picked !== undefined && picked.length > 0) await dismissals.restoreRules(picked.map(({ rule }) => rule));
}

function placeOf(rule: Dismissal): string {
  switch (rule.scope) {
    case 'place':
      return rule.function === '' ? rule.file : `${rule.file}, ${rule.function}`;
    case 'file':
      return rule.file;
    case 'trigger':
      return vscode.l10n.t('everywhere');
  }
}

function detailOf(rule: Dismissal): string {
  return rule.scope === 'place' ? rule.text : '';
}
