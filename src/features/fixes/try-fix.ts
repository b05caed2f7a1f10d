import * as vscode from 'vscode';
import type { Fix } from '../../analysis/fixes/fix.ts';
import { languageOfFile } from '../../export/fixes/fix-request.ts';
import type { EditDocument, FixDocument } from '../../export/fixes/fixes-document.ts';
import { trialCommand } from '../../export/fixes/trial-command.ts';
import type { TrialDocument } from '../../export/fixes/trial-document.ts';
import { trialMarkdown } from '../../export/fixes/trial-markdown.ts';
import type { FixTrial } from '../../session/trial/fix-trial.ts';
import { messageOf } from '../../base/error-message.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import { openRequest } from '../editor/settings.ts';
import { isTrustedFor } from '../editor/trust.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import type { InsightDocument } from '../../export/analysis/documents.ts';
import { areSame, keepFix, versionsOf } from './keep-fix.ts';
import { proposedBuild, proposedRun, type LookedAt } from './trial-commands.ts';
import { TrialPanel } from './trial-panel.ts';
import { trialSubject } from './trial-subject.ts';

/** What a fix is for: a finding of a recording, at a line as it stands now. */
export interface FixPlace {
  readonly recording: OpenRecording;
  readonly insight: InsightDocument;
  readonly file: string;
  /** From 1; where it stands now, and in the recording. */
  readonly line: number;
  readonly recordedLine: number;
  readonly function: string;
}

const REPEAT = 5;

/**
 * Builds and runs the program with and without a fix, in copies of its folder, and shows what that showed. The user has
 * asked for it, and says how it is built and run.
 */
export async function tryFix(services: Services, fix: Fix, place: FixPlace): Promise<void> {
  if (!mayTry()) return;
  const folder = vscode.workspace.getWorkspaceFolder(uriOf(place.file));
  if (folder?.uri.scheme !== 'file') {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('I/O Lens: {0} lies in no folder of the workspace: there is nothing to build it in.', place.file),
    );
    return;
  }
  // Places in a fix are those of the texts that it was made for; what is asked takes its time, and saving may format.
  const versions = await versionsOf(fix);
  const commands = await commandsFor(folder, place);
  if (commands === undefined || !(await savedAll(folder))) return;
  if (!(await areSame(versions))) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('I/O Lens: the code was changed meanwhile. Ask for the fix again.'),
    );
    return;
  }
  const trial = await trialOf(services, fix, place, folder, commands);
  const document = await tried(services, trial, fix.title);
  if (document === undefined) return;
  services.triedFixes.note(
    { recording: place.recording.id, trigger: place.insight.trigger, file: place.file, line: place.recordedLine },
    document,
  );
  TrialPanel.show(services.extension, {
    subject: trialSubject({ title: fix.title, ...commands }, document),
    markdown: trialMarkdown(document, (file) => vscode.workspace.asRelativePath(uriOf(file), false)),
    keep: () => keepFix(fix, place, versions),
  });
}

/** Whether programs may be run here; if not, the user was told. */
export function mayTry(): boolean {
  return isTrustedFor(
    vscode.l10n.t('I/O Lens: fixes are tried in trusted workspaces only: this builds and runs the program.'),
  );
}

interface Commands {
  readonly build: string;
  readonly run: string;
}

/** From the settings of the workspace; what is not there is asked for once, and kept there. */
async function commandsFor(folder: vscode.WorkspaceFolder, place: FixPlace): Promise<Commands | undefined> {
  const settings = vscode.workspace.getConfiguration('iolens.try', folder);
  const known = (name: keyof Commands): string => settings.get<string>(name, '').trim();
  let [build, run] = [known('build'), known('run')];
  if (build !== '' && run !== '') return { build, run };
  const looked = await lookAt(folder);
  const language = languageOfFile(place.file) ?? 'c';
  const name = vscode.workspace.asRelativePath(uriOf(place.file), false);
  if (run === '') {
    const proposed = proposedRun(looked, place.recording.info.program);
    run = (await asked(vscode.l10n.t('What runs the program, in {0}?', folder.name), proposed)) ?? '';
    if (run === '') return undefined;
  }
  if (build === '') {
    const proposed = proposedBuild(looked, { name, language }, run);
    build = (await asked(vscode.l10n.t('What builds the program, in {0}?', folder.name), proposed)) ?? '';
    if (build === '') return undefined;
  }
  for (const [setting, value] of Object.entries({ build, run }))
    await settings.update(setting, value, vscode.ConfigurationTarget.WorkspaceFolder);
  return { build, run };
}

async function asked(prompt: string, value: string): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Try This Fix'),
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('A command for a shell.') : undefined),
  });
  return text?.trim();
}

/** What of a folder tells how a program is built, looked at once. */
async function lookAt(folder: vscode.WorkspaceFolder): Promise<LookedAt> {
  const entries = await vscode.workspace.fs.readDirectory(folder.uri);
  const folders = entries.filter(([, type]) => (type & vscode.FileType.Directory) !== 0).map(([name]) => name);
  const names = new Set(entries.map(([name]) => name));
  for (const name of folders) {
    const inside = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder.uri, name)).then(
      (found) => found.map(([inner]) => `${name}/${inner}`),
      () => [],
    );
    for (const each of inside) names.add(each);
  }
  return { folder: folder.uri.fsPath, has: (name) => names.has(name), folders };
}

/** What is tried is what stands on the disk. @returns false when the user wants it to stay unsaved. */
async function savedAll(folder: vscode.WorkspaceFolder): Promise<boolean> {
  const dirty = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && vscode.workspace.getWorkspaceFolder(uri) === folder,
  );
  if (dirty.length === 0) return true;
  const save = vscode.l10n.t('Save and Try');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('What is on the disk is tried, and some files of the folder are not saved.'),
    { modal: true, detail: dirty.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join('\n') },
    save,
  );
  if (chosen !== save) return false;
  const saved = await Promise.all(dirty.map((document) => document.save()));
  return saved.every(Boolean);
}

async function trialOf(
  { recordings }: Services,
  fix: Fix,
  place: FixPlace,
  folder: vscode.WorkspaceFolder,
  { build, run }: Commands,
): Promise<FixTrial> {
  const { recording, insight } = place;
  const { paths, ...opening } = openRequest(recording.paths, []);
  const [written, listed, edits] = await Promise.all([
    recordings.session.fixes.written(recording.id),
    recordings.session.fixes.list([recording.id]),
    editsOf(fix),
  ]);
  // The command line knows it by its place in the list, if it has it: of lines that the recording does not know it has none.
  const known = listed.fixes.find((each) => JSON.stringify(each.edits) === JSON.stringify(edits));
  const { savedNs, lowNs, highNs } = insight.gain;
  const document: FixDocument = {
    id: known?.id ?? insight.code,
    code: insight.code,
    codes: known?.codes ?? [insight.code],
    trigger: insight.trigger,
    file: place.file,
    line: place.line,
    function: place.function,
    places: known?.places ?? [{ code: insight.code, file: place.file, line: place.line }],
    title: fix.title,
    kind: fix.kind,
    reason: null,
    notes: fix.note === '' ? [] : [fix.note],
    lineNote: null,
    gain: { savedNs, lowNs, highNs },
    edits,
  };
  const again = {
    recordings: paths.map((file) => vscode.workspace.asRelativePath(uriOf(file), false)),
    fixes: [document],
    sourceMap: opening.pathRules,
    cwd: undefined,
    env: [],
    outputs: [],
    repeat: undefined,
    faults: true,
    allowOutside: false,
    build,
    run,
  };
  return {
    folder: folder.uri.fsPath,
    build,
    run,
    environment: {},
    outputs: [],
    repeat: REPEAT,
    faults: true,
    allowOutside: false,
    fixes: [document],
    written,
    recordings: recording.paths,
    opening,
    command: known === undefined ? null : trialCommand(again),
  };
}

async function editsOf(fix: Fix): Promise<EditDocument[]> {
  const edits: EditDocument[] = [];
  for (const { file, start, end, text } of fix.edits) {
    const document = await vscode.workspace.openTextDocument(uriOf(file));
    const [from, to] = [document.positionAt(start), document.positionAt(end)];
    const place = {
      line: from.line + 1,
      column: from.character + 1,
      endLine: to.line + 1,
      endColumn: to.character + 1,
    };
    edits.push({ file: pathOf(document.uri), ...place, newText: text });
  }
  return edits;
}

/** @returns undefined where it was cancelled, refused or could not be done; the user was told. */
async function tried(
  services: Pick<Services, 'programs' | 'dist'>,
  trial: FixTrial,
  title: string,
): Promise<TrialDocument | undefined> {
  const stopped = new AbortController();
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('I/O Lens: trying "{0}"', title),
    cancellable: true,
  };
  try {
    return await vscode.window.withProgress(options, (progress, cancelled) => {
      cancelled.onCancellationRequested(() => stopped.abort());
      const hooks = { signal: stopped.signal, progress: (message: string) => progress.report({ message }) };
      return services.programs.tryFixes(trial, services.dist, hooks);
    });
  } catch (error) {
    if (stopped.signal.aborted) return undefined;
    const isRefused = error instanceof Error && error.name === 'TrialRefusedError';
    if (!isRefused) {
      void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the fix was not tried: {0}', messageOf(error)));
      return undefined;
    }
    const anyway = vscode.l10n.t('Try Anyway');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('The program writes files outside the folder. These are neither copied nor compared.'),
      { modal: true, detail: messageOf(error) },
      anyway,
    );
    return chosen === anyway ? tried(services, { ...trial, allowOutside: true }, title) : undefined;
  }
}
