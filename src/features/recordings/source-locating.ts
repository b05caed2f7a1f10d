import * as vscode from 'vscode';
import type { AnalysisDocument } from '../../export/analysis/documents.ts';
import { prefixRule, withRule, type PathRule } from '../../session/sources/source-prefixes.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from './recordings.ts';

const LEARNED = 'iolens.learnedPrefixes';
const QUIET = 'iolens.askForSources';

type Source = AnalysisDocument['symbols']['sources'][number];

/** A source file that a recording names and that was not found. */
interface Missing {
  readonly recording: OpenRecording;
  readonly source: Source;
}

/** The prefixes of source paths that were learned in a workspace. */
export function learnedRules(state: vscode.Memento): PathRule[] {
  const stored = state.get<unknown>(LEARNED, []);
  return Array.isArray(stored) ? stored.filter(isRule) : [];
}

function isRule(value: unknown): value is PathRule {
  return (
    typeof value === 'object' &&
    value !== null &&
    'from' in value &&
    'to' in value &&
    typeof value.from === 'string' &&
    typeof value.to === 'string'
  );
}

/**
 * Asks for source files that are not at their recorded paths. From one file that the user picks follows a prefix, and from
 * that the other files of this and of later recordings; it is kept with the workspace until it is forgotten.
 */
export class SourceLocating implements vscode.Disposable {
  /** Recordings that were asked about: once is enough. */
  private readonly asked = new Set<number>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly recordings: Recordings,
    private readonly state: vscode.Memento,
  ) {
    this.subscription = recordings.onDidChange(() => this.offer());
  }

  /** Says once for each recording that its sources are not here. */
  private offer(): void {
    for (const recording of this.recordings.all()) {
      if (this.asked.has(recording.id)) continue;
      this.asked.add(recording.id);
      const [first] = missingOf(recording).filter(({ source }) => hasFinding(recording, source));
      if (first !== undefined && !this.state.get<boolean>(QUIET, false)) void this.ask(first);
    }
  }

  private async ask({ recording, source }: Missing): Promise<void> {
    const locate = vscode.l10n.t('Locate…');
    const never = vscode.l10n.t('Not in This Workspace');
    const text =
      source.status === 'unclear'
        ? vscode.l10n.t(
            'I/O Lens: {0} has findings in {1}, and several files here could be it.',
            recording.name,
            source.source,
          )
        : vscode.l10n.t('I/O Lens: {0} has findings in {1}, which is not here.', recording.name, source.source);
    const choice = await vscode.window.showInformationMessage(text, locate, never);
    if (choice === locate) await this.locate({ recording, source });
    else if (choice === never) await this.state.update(QUIET, true);
  }

  /** @param target the row of a tree, a recording, or nothing: then the user chooses among all that is missing. */
  async locate(target?: unknown): Promise<void> {
    const missing = this.missingFor(target);
    if (missing.length === 0) {
      void vscode.window.showInformationMessage(
        this.recordings.all().length === 0
          ? vscode.l10n.t('I/O Lens: open a recording first.')
          : vscode.l10n.t('I/O Lens: all source files of the open recordings are here.'),
      );
      return;
    }
    const wanted = missing.length === 1 ? missing[0] : await chooseMissing(missing);
    const file = wanted === undefined ? undefined : await chooseFile(wanted.source);
    if (wanted !== undefined && file !== undefined) await this.learn(wanted.source.source, file);
  }

  private missingFor(target: unknown): Missing[] {
    const of = (name: string): unknown =>
      typeof target === 'object' && target !== null ? (target as Record<string, unknown>)[name] : undefined;
    const all = this.recordings
      .all()
      .filter((recording) => of('recording') === undefined || recording.id === (of('recording') as OpenRecording).id);
    const missing = all.flatMap(missingOf);
    const named = pathIn(of('site'), 'recordedFile') ?? pathIn(of('source'), 'source');
    return named === undefined ? missing : missing.filter(({ source }) => source.source === named);
  }

  /** Takes a local file for a recorded path, and learns what follows for other paths. */
  async learn(recorded: string, file: string): Promise<void> {
    const rule = prefixRule(recorded, file);
    const before = this.count();
    await this.state.update(LEARNED, withRule(learnedRules(this.state), rule));
    await this.recordings.relocate();
    const found = before - this.count();
    const manage = vscode.l10n.t('Show What Was Learned');
    const text = vscode.l10n.t(
      'I/O Lens: {0} of the recording is {1} here. Source files found: {2}.',
      rule.from,
      rule.to,
      found,
    );
    void vscode.window.showInformationMessage(text, manage).then((choice) => {
      if (choice === manage) void this.showLearned();
    });
  }

  private count(): number {
    return this.recordings.all().flatMap(missingOf).length;
  }

  /** Lists what was learned; what the user unticks is forgotten. */
  async showLearned(): Promise<void> {
    const rules = learnedRules(this.state);
    if (rules.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('I/O Lens has learned no source folder in this workspace.'),
      );
      return;
    }
    const items = rules.map((rule) => ({ label: rule.from, description: `→ ${rule.to}`, picked: true, rule }));
    const kept = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Learned Source Folders'),
      placeHolder: vscode.l10n.t('Untick what is to be forgotten'),
      canPickMany: true,
    });
    if (kept !== undefined && kept.length < rules.length) await this.keep(kept.map(({ rule }) => rule));
  }

  /** Forgets everything else. */
  async keep(rules: readonly PathRule[]): Promise<void> {
    await this.state.update(LEARNED, [...rules]);
    await this.recordings.relocate();
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

function pathIn(value: unknown, key: string): string | undefined {
  const path = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof path === 'string' ? path : undefined;
}

function missingOf(recording: OpenRecording): Missing[] {
  const { sources } = recording.analysis.symbols;
  return sources.filter(({ status }) => status !== 'here').map((source) => ({ recording, source }));
}

function hasFinding({ analysis }: OpenRecording, { source }: Source): boolean {
  return analysis.insights.some(({ sites }) =>
    sites.some(({ recordedFile, line }) => line > 0 && recordedFile === source),
  );
}

async function chooseMissing(missing: readonly Missing[]): Promise<Missing | undefined> {
  const items = missing.map((entry) => ({
    label: entry.source.source,
    description: entry.recording.name,
    detail: hasFinding(entry.recording, entry.source) ? vscode.l10n.t('has findings') : '',
    entry,
  }));
  items.sort((a, b) => b.detail.length - a.detail.length);
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Locate Source File'),
    placeHolder: vscode.l10n.t('The file of the recording that you can point to; the others follow from it'),
  });
  return picked?.entry;
}

/** One of the files that could be meant, or any other. */
async function chooseFile({ source, candidates }: Source): Promise<string | undefined> {
  if (candidates.length === 0) return browse(source);
  const browsing = vscode.l10n.t('Browse…');
  const items = candidates.map((file) => ({ label: vscode.workspace.asRelativePath(uriOf(file)), file }));
  const picked = await vscode.window.showQuickPick([...items, { label: browsing, file: '' }], {
    title: vscode.l10n.t('Which file is {0}?', source),
  });
  if (picked === undefined) return undefined;
  return picked.file === '' ? browse(source) : picked.file;
}

async function browse(source: string): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Where is {0}?', source),
    openLabel: vscode.l10n.t('This Is It'),
    ...(folder && { defaultUri: folder }),
  });
  const file = picked?.[0];
  return file && pathOf(file);
}
