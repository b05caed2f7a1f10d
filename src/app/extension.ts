/**
 * All that runs when the editor starts: what package.json contributes is registered by its names alone, and the features
 * that answer are loaded with the first question.
 */
import * as vscode from 'vscode';
import { DeferredTree, type View } from '../features/editor/deferred-tree.ts';
import { activateDarshanTextDocuments } from '../features/raw-text/darshan-text-documents.ts';
import { activateStraceDocuments } from '../features/raw-text/strace-documents.ts';
import { OPEN_STATE } from '../features/recordings/open-state.ts';
import type { Features } from './features.ts';

/** What other extensions and the tests of this one may use. */
export interface IoLensApi {
  /** Loads the rest of the extension, as the first command does. */
  features(): Promise<Features>;
  /** Whether it was loaded. */
  readonly isLoaded: () => boolean;
}

type Load = () => Promise<Features>;

/** What of package.json is answered by features. */
interface Manifest {
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly customEditors: readonly { readonly viewType: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly taskDefinitions: readonly { readonly type: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly type?: 'webview' }[]>>;
  };
}

/** An editor whose answers go over a whole store: they are not thrown away when another tab is looked at. */
const KEEPS_ITS_PAGE = 'iolens.fleet';
const RESTORES_PANEL = 'onWebviewPanel:';

export function activate(context: vscode.ExtensionContext): IoLensApi {
  const { activationEvents, contributes } = context.extension.packageJSON as Manifest;
  const all = Object.values(contributes.views).flat();
  const views = new Map(all.filter(({ type }) => type === undefined).map(({ id }) => [id, createView(id)]));
  let loading: Promise<Features> | undefined;
  const features: Load = () => {
    loading ??= import('./features.ts').then(({ startFeatures }) => startFeatures(context, views));
    return loading;
  };
  context.subscriptions.push(
    activateDarshanTextDocuments(),
    activateStraceDocuments(async (document, lines) => (await features()).feature.rawText.stackLines(document, lines)),
    ...[...views.values()].map(({ view }) => view),
    ...all.filter(({ type }) => type === 'webview').map(({ id }) => pageView(id, features)),
    ...contributes.commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...values: never[]) =>
        (await features()).contributions.run(command, values),
      ),
    ),
    ...contributes.customEditors.map(({ viewType }) => fileEditor(viewType, features)),
    ...contributes.languageModelTools.map(({ name }) => languageModelTool(name, features)),
    ...contributes.taskDefinitions.map(({ type }) => tasks(type, features)),
    ...activationEvents
      .filter((event) => event.startsWith(RESTORES_PANEL))
      .map((event) => restoredPanels(event.slice(RESTORES_PANEL.length), features)),
    vscode.window.registerUriHandler({
      handleUri: async (link) => {
        await (await features()).contributions.follow(link);
      },
    }),
  );
  // All else waits for a question; what was open when the window was closed is in sight without one.
  if (context.workspaceState.get(OPEN_STATE) !== undefined) void features();
  return { features, isLoaded: () => loading !== undefined };
}

function createView(id: string): View<unknown> {
  const tree = new DeferredTree<unknown>();
  return { tree, view: vscode.window.createTreeView(id, { treeDataProvider: tree, showCollapseAll: true }) };
}

function pageView(id: string, features: Load): vscode.Disposable {
  return vscode.window.registerWebviewViewProvider(id, {
    resolveWebviewView: async (view, { state }) => {
      await (await features()).contributions.fill(id, view, state);
    },
  });
}

function fileEditor(type: string, features: Load): vscode.Disposable {
  const restored = new Set(filesOfTabs(type));
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) => {
      const isRestored = restored.delete(uri.toString());
      await (await features()).contributions.show(type, uri, panel, isRestored);
    },
  };
  return vscode.window.registerCustomEditorProvider(type, provider, {
    supportsMultipleEditorsPerDocument: false,
    webviewOptions: { retainContextWhenHidden: type === KEEPS_ITS_PAGE },
  });
}

/** Tabs that are there before anybody could open one; each is filled when it is looked at. */
function filesOfTabs(type: string): string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputCustom && input.viewType === type ? [input] : []))
    .map(({ uri }) => uri.toString());
}

function restoredPanels(type: string, features: Load): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(type, {
    deserializeWebviewPanel: async (panel, state: unknown) => {
      await (await features()).contributions.restore(type, panel, state);
    },
  });
}

function tasks(type: string, features: Load): vscode.Disposable {
  const provider = async (): Promise<vscode.TaskProvider> => (await features()).contributions.taskProvider(type);
  return vscode.tasks.registerTaskProvider(type, {
    provideTasks: async (token) => (await provider()).provideTasks(token),
    resolveTask: async (task, token) => (await provider()).resolveTask(task, token),
  });
}

function languageModelTool(name: string, features: Load): vscode.Disposable {
  const tool = async (): Promise<vscode.LanguageModelTool<never>> =>
    (await features()).contributions.languageModelTool(name);
  return vscode.lm.registerTool<never>(name, {
    invoke: async (options, token) => (await tool()).invoke(options, token),
    prepareInvocation: async (options, token) => (await tool()).prepareInvocation?.(options, token),
  });
}
