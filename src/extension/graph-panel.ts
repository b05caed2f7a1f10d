import * as vscode from 'vscode';
import type { GraphDocument } from '../export/documents.ts';
import { graphNodeText } from '../export/graph-node-text.ts';
import { formatCount } from '../export/quantities.ts';
import {
  DEFAULT_CHOICES,
  GRAPH_PROTOCOL,
  isFromGraphView,
  isGraphViewState,
  type GraphChoices,
  type ToGraphView,
  type ViewGraph,
  type ViewNode,
} from '../messages/graph-messages.ts';
import { pathOf, uriOf } from './locations.ts';
import { makeNonce } from './nonce.ts';
import { CalmUpdates } from './calm-updates.ts';
import type { OpenRecording, Recordings } from './recordings.ts';
import { siteVariables } from './settings.ts';

const GRAPH_VIEW_TYPE = 'iolens.graph';

/** The panel with the Directly-Follows-Graph: one at a time, beside the source. */
export class GraphPanel implements vscode.Disposable {
  private static current: GraphPanel | undefined;
  private choices: GraphChoices = DEFAULT_CHOICES;
  private graph: ViewGraph | undefined;
  private wanted: { file: string; line: number } | undefined;
  private ready = false;
  private drawn = false;
  /** Only the latest request is answered. */
  private generation = 0;
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly updates = new CalmUpdates(() => void this.refresh());

  private constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly extension: vscode.Uri,
    private readonly recordings: Recordings,
    private recording: OpenRecording,
  ) {
    panel.webview.html = this.html();
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(extension, 'media', `graph-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromGraphView(message)) void this.receive(message);
      }),
      panel.onDidDispose(() => {
        this.dispose();
      }),
      recordings.onDidChange(() => {
        const open = recordings.withPaths(this.recording.paths);
        if (open === undefined) panel.dispose();
        else if (open !== this.recording) {
          // It was read anew, or its sources were found elsewhere.
          this.recording = open;
          this.updates.ask(open.live === true);
        }
      }),
      new vscode.Disposable(() => {
        this.updates.dispose();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        this.selectLine(pathOf(textEditor.document.uri), selections[0]!.active.line + 1);
      }),
    );
  }

  /** Shows the graph of a recording; with a place, the activities that this source line makes. */
  static show(
    extension: vscode.Uri,
    recordings: Recordings,
    recording: OpenRecording,
    place?: { file: string; line: number },
  ): GraphPanel {
    const { current } = GraphPanel;
    if (current?.recording.id === recording.id) {
      current.panel.reveal(undefined, true);
      if (place !== undefined) current.selectLine(place.file, place.line);
      return current;
    }
    current?.panel.dispose();
    const panel = vscode.window.createWebviewPanel(
      GRAPH_VIEW_TYPE,
      vscode.l10n.t('I/O Graph'),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      webviewOptions(extension),
    );
    const made = new GraphPanel(panel, extension, recordings, recording);
    made.wanted = place;
    GraphPanel.current = made;
    return made;
  }

  /** Fills a panel that survived a reload of the window; its recording is opened again. */
  static async restore(
    panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    recordings: Recordings,
    state: unknown,
  ): Promise<void> {
    const paths = isGraphViewState(state) ? state.paths : [];
    const recording = paths.length === 0 ? undefined : (recordings.withPaths(paths) ?? (await recordings.add(paths)));
    if (recording === undefined) {
      panel.dispose();
      return;
    }
    GraphPanel.current?.panel.dispose();
    panel.webview.options = webviewOptions(extension);
    const made = new GraphPanel(panel, extension, recordings, recording);
    if (isGraphViewState(state)) made.choices = state.choices;
    GraphPanel.current = made;
  }

  /** The graph that is on the screen now; for tests. */
  static get shown(): ViewGraph | undefined {
    return GraphPanel.current?.drawn === true ? GraphPanel.current.graph : undefined;
  }

  private async receive(message: Parameters<typeof isFromGraphView>[0]): Promise<void> {
    if (!isFromGraphView(message)) return;
    switch (message.kind) {
      case 'ready':
        this.ready = true;
        await this.refresh();
        break;
      case 'drawn':
        this.drawn = true;
        break;
      case 'choose':
        this.choices = message.choices;
        await this.refresh();
        break;
      case 'open': {
        const node = this.graph?.nodes.find(({ activity }) => activity === message.activity);
        const place = node?.places[message.place];
        if (place !== undefined)
          await openPlace(place.file, this.recordings.lines.now(this.recording, place.file, place.line)).catch(
            notThere,
          );
        break;
      }
    }
  }

  private async refresh(): Promise<void> {
    const generation = ++this.generation;
    // A graph that only grows is replaced when the next one is there.
    if (this.recording.live !== true || this.graph === undefined) this.post({ kind: 'working' });
    try {
      const { choices } = this;
      const levels = choices.mapping === 'call+path' || choices.mapping === 'path' ? `:${choices.levels}` : '';
      const globs = (text: string): string[] => text.split(/[\s,]+/).filter((glob) => glob !== '');
      const document = await this.recordings.session.graph(this.recording.id, {
        mapping: `${choices.mapping}${levels}`,
        siteVariables: siteVariables(this.recording.paths),
        pathFilter: choices.pathFilter,
        withoutCalls: [],
        ownFilesOnly: !choices.systemFiles,
        grouping: choices.grouping,
        green: globs(choices.green),
        red: globs(choices.red),
      });
      if (generation !== this.generation) return;
      this.graph = viewGraph(document, this.recording);
      this.post({ kind: 'graph', protocol: GRAPH_PROTOCOL, choices, graph: this.graph });
      if (this.wanted !== undefined) this.selectLine(this.wanted.file, this.wanted.line);
      this.wanted = undefined;
    } catch (error) {
      if (generation !== this.generation) return;
      this.post({ kind: 'error', message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Marks the activities that a source line, as it stands now, takes part in. */
  private selectLine(file: string, line: number): void {
    if (this.graph === undefined || !this.ready) {
      this.wanted = { file, line };
      return;
    }
    const { lines } = this.recordings;
    const activities = this.graph.nodes.filter(({ places }) =>
      places.some((place) => place.file === file && lines.now(this.recording, file, place.line) === line),
    );
    if (activities.length > 0) this.post({ kind: 'select', activities: activities.map(({ activity }) => activity) });
  }

  private post(message: ToGraphView): void {
    void this.panel.webview.postMessage(message);
  }

  private html(): string {
    const { webview } = this.panel;
    const at = (...parts: string[]): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.extension, 'dist', 'webview', ...parts)).toString();
    const nonce = makeNonce();
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src ${webview.cspSource}`,
      'worker-src blob:',
      `connect-src ${webview.cspSource}`,
    ].join('; ');
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at('graph-style.css')}">
<title>Directly-Follows-Graph</title>
</head>
<body data-elk="${at('elk-worker.min.js')}">
<div id="toolbar" role="toolbar" aria-label="Graph"></div>
<div id="status" role="status" aria-live="polite"></div>
<div id="warnings" role="note"></div>
<svg id="stage" role="group" aria-label="Directly-Follows-Graph" tabindex="0">
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L10 5 L0 10 z"/></marker></defs>
<g id="canvas"></g>
</svg>
<div id="selection" aria-live="polite"></div>
<div id="legend" data-kind="time">
<span class="time">share of the time: 0 <span class="scale"></span> most; thicker border too</span>
<span class="bytes">bytes moved: 0 <span class="scale"></span> most</span>
<span class="partition"><span class="swatch"></span> only green cases &nbsp; <span class="swatch red"></span> only red cases (dashed) &nbsp; no colour: both</span>
</div>
<details><summary>Activity log: which cases share a trace</summary><div id="log"></div></details>
<details><summary>Nodes as a table</summary><div id="table"></div></details>
<script nonce="${nonce}" src="${at('graph.js')}"></script>
</body>
</html>`;
  }

  dispose(): void {
    if (GraphPanel.current === this) GraphPanel.current = undefined;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }
}

function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')] };
}

function notThere(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the source cannot be opened: {0}', reason));
}

async function openPlace(file: string, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(file));
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection });
}

function viewGraph(document: GraphDocument, recording: OpenRecording): ViewGraph {
  return {
    recording: recording.name,
    paths: recording.paths,
    cases: document.cases,
    events: document.events,
    nodes: document.nodes.map(viewNode),
    edges: document.edges,
    activityLog: document.activityLog,
    warnings: document.warnings,
  };
}

function viewNode(node: GraphDocument['nodes'][number]): ViewNode {
  const { sites, ...statistics } = node;
  return {
    ...statistics,
    text: graphNodeText(node),
    places: sites
      .filter(({ line }) => line > 0)
      .map(({ file, line, events }) => ({
        label: `${file.split('/').at(-1)!}:${line} (${formatCount(events)})`,
        file,
        line,
      })),
  };
}
