import * as vscode from 'vscode';
import type { CallSiteRow } from './call-site-tree.ts';
import { activateDarshanTextDocuments } from './darshan-text-documents.ts';
import { DeferredTree } from './deferred-tree.ts';
import { comparisonCommands } from './comparison-commands.ts';
import type { ComparisonRow } from './comparison-tree.ts';
import type { Features } from './features.ts';
import type { FileRow } from './file-tree.ts';
import type { LoopRow } from './loop-tree.ts';
import type { TreeRow } from './insight-tree.ts';
import { joinCommands } from './join-commands.ts';
import { liveCommands } from './live-commands.ts';
import { activateLanguageModelTools } from './language-model-tools.ts';
import { causesCommands } from './causes-commands.ts';
import { offsetCommands } from './offset-commands.ts';
import { findingCommands } from './finding-commands.ts';
import { fleetEditor } from './fleet-editor.ts';
import { activateReportEditor } from './report-editor.ts';
import type { SelectionRow } from './selection-tree.ts';
import { selectionCommands } from './selection-commands.ts';
import { activateStraceDocuments } from './strace-documents.ts';
import { timelineCommands } from './timeline-commands.ts';
import { workflowCommands } from './workflow-commands.ts';

/** What other extensions and the tests of this one may use. */
export interface IoLensApi {
  /** Loads the rest of the extension, as the first command does. */
  features(): Promise<Features>;
}

/** Registers `iolens.NAME`: the rest of the extension is loaded when it is first used. */
export type RegisterCommand = (
  name: string,
  run: (features: Features, ...values: never[]) => unknown,
) => vscode.Disposable;

/** A view of the side bar: empty until the rest of the extension fills it. */
export interface View<Row> {
  readonly tree: DeferredTree<Row>;
  readonly view: vscode.TreeView<Row>;
}

export interface Views {
  readonly selection: View<SelectionRow>;
  readonly insights: View<TreeRow>;
  readonly sites: View<CallSiteRow>;
  readonly files: View<FileRow>;
  readonly loops: View<LoopRow>;
  readonly comparison: View<ComparisonRow>;
}

function createView<Row>(id: string): View<Row> {
  const tree = new DeferredTree<Row>();
  return { tree, view: vscode.window.createTreeView(id, { treeDataProvider: tree, showCollapseAll: true }) };
}

export function activate(context: vscode.ExtensionContext): IoLensApi {
  const views: Views = {
    selection: createView('iolens.selection'),
    insights: createView('iolens.insights'),
    sites: createView('iolens.sites'),
    files: createView('iolens.files'),
    loops: createView('iolens.loops'),
    comparison: createView('iolens.comparison'),
  };
  let loading: Promise<Features> | undefined;
  const features = (): Promise<Features> => {
    loading ??= import('./features.ts').then(({ Features }) => new Features(context, views));
    return loading;
  };
  const command: RegisterCommand = (name, run) =>
    vscode.commands.registerCommand(`iolens.${name}`, async (...values: never[]) => run(await features(), ...values));
  context.subscriptions.push(
    activateDarshanTextDocuments(),
    activateStraceDocuments(async (document, lines) => (await features()).stackLines(document, lines)),
    activateReportEditor(features),
    activateLanguageModelTools(features),
    ...Object.values(views).map(({ view }: { view: vscode.Disposable }) => view),
    command('openRecording', (all, clicked?: unknown, selected?: unknown) => all.open(clicked, selected)),
    command('openSample', (all) => all.openSample()),
    command('recordProgram', (all) => all.record()),
    command('recordLaunch', (all, name?: unknown) => all.recordLaunch(name)),
    command('closeRecording', (all, row?: unknown) => all.close(row)),
    ...liveCommands(command),
    ...joinCommands(command),
    command('chooseRecording', (all, recording?: unknown) => all.choose(recording)),
    command('showGraph', (all, row?: unknown) => {
      all.showGraph(row);
    }),
    command('showReport', (all, row?: unknown) => all.showReport(row)),
    command('exportReport', (all, row?: unknown) => all.exportReport(row)),
    command('exportEvents', (all, row?: unknown) => all.exportEvents(row)),
    command('replayRecording', (all, row?: unknown) => all.replay(row)),
    command('showInGraph', (all, place?: unknown) => {
      all.showInGraph(place);
    }),
    vscode.commands.registerCommand('iolens.installSqlEngine', async () =>
      (await import('#host')).host.installSqlEngine(context),
    ),
    vscode.commands.registerCommand('iolens.doctor', async () =>
      (await import('#host')).host.checkThisMachine(context),
    ),
    command('showRecordedCalls', (all, place?: unknown) => all.showRecordedCalls(place)),
    command('walkToCaller', (all, place?: unknown) => all.walkToCaller(place)),
    command('openLine', (all, file?: unknown, line?: unknown, id?: unknown) => all.openLine(file, line, id)),
    command('locateSource', (all, row?: unknown) => all.sources.locate(row)),
    command('learnedPrefixes', (all) => all.sources.showLearned()),
    ...[timelineCommands, selectionCommands, offsetCommands, causesCommands, workflowCommands, fleetEditor].flatMap(
      (make) => make(command, features),
    ),
    ...comparisonCommands(command),
    ...findingCommands(command),
    command('showLog', (all) => {
      all.recordings.showLog();
    }),
    vscode.window.registerWebviewPanelSerializer('iolens.graph', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await features()).restoreGraph(panel, state),
    }),
    vscode.tasks.registerTaskProvider('iolens.record', {
      provideTasks: async () => (await features()).tasks.provideTasks(),
      resolveTask: async (task) => (await features()).tasks.resolveTask(task),
    }),
  );
  return { features };
}
