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
  type GraphSelectionMessage,
  type ToGraphView,
  type ViewGraph,
  type ViewNode,
} from '../messages/graph-messages.ts';
import type { ActivityNaming } from '../analysis/selection/selection.ts';
import { GraphSelection } from './graph-selection.ts';
import type { OpenRecording, Recordings } from './recordings.ts';
import type { SelectionModel } from './selection.ts';
import { siteVariables } from './settings.ts';
import { webviewOptions, webviewPage } from './webview-page.ts';

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
  private readonly selection: GraphSelection;
  private readonly subscriptions: vscode.Disposable[] = [];

  private constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly extension: vscode.Uri,
    private readonly recordings: Recordings,
    private recording: OpenRecording,
    selection: SelectionModel,
  ) {
    this.selection = new GraphSelection(selection, recordings.session, (message) => {
      this.post(message);
    });
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
          void this.refresh();
        }
      }),
      selection.onDidChange(() => {
        if (this.graph !== undefined) void this.selection.show(this.recording.id, this.naming);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        this.selectLine(textEditor.document.uri.fsPath, selections[0]!.active.line + 1);
      }),
    );
  }

  /** Shows the graph of a recording; with a place, the activities that this source line makes. */
  static show(
    extension: vscode.Uri,
    recordings: Recordings,
    recording: OpenRecording,
    selection: SelectionModel,
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
    const made = new GraphPanel(panel, extension, recordings, recording, selection);
    made.wanted = place;
    GraphPanel.current = made;
    return made;
  }

  /** Fills a panel that survived a reload of the window; its recording is opened again. */
  static async restore(
    panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    recordings: Recordings,
    selection: SelectionModel,
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
    const made = new GraphPanel(panel, extension, recordings, recording, selection);
    if (isGraphViewState(state)) made.choices = state.choices;
    GraphPanel.current = made;
  }

  /** The graph that is on the screen now; for tests. */
  static get shown(): ViewGraph | undefined {
    return GraphPanel.current?.drawn === true ? GraphPanel.current.graph : undefined;
  }

  static get shownSelection(): GraphSelectionMessage | undefined {
    return GraphPanel.current?.selection.shown;
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
      case 'selectActivity':
      case 'selectEdge':
        this.selection.choose(message, this.naming);
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
    this.post({ kind: 'working' });
    try {
      const { choices, naming } = this;
      const globs = (text: string): string[] => text.split(/[\s,]+/).filter((glob) => glob !== '');
      const document = await this.recordings.session.graph(this.recording.id, {
        siteVariables: [],
        ...naming,
        withoutCalls: [],
        green: globs(choices.green),
        red: globs(choices.red),
      });
      if (generation !== this.generation) return;
      this.graph = viewGraph(document, this.recording);
      this.post({ kind: 'graph', protocol: GRAPH_PROTOCOL, choices, graph: this.graph });
      if (this.wanted !== undefined) this.selectLine(this.wanted.file, this.wanted.line);
      this.wanted = undefined;
      await this.selection.show(this.recording.id, naming);
    } catch (error) {
      if (generation !== this.generation) return;
      this.post({ kind: 'error', message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** How the graph names its activities. */
  private get naming(): ActivityNaming {
    const { mapping, levels, pathFilter, systemFiles, grouping } = this.choices;
    const variables = siteVariables(this.recording.paths);
    return {
      mapping: mapping === 'call+path' || mapping === 'path' ? `${mapping}:${levels}` : mapping,
      pathFilter,
      ownFilesOnly: !systemFiles,
      grouping,
      ...(variables.length > 0 && { siteVariables: variables }),
    };
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
    return webviewPage(this.panel.webview, this.extension, {
      title: 'Directly-Follows-Graph',
      script: 'graph',
      style: 'graph-style',
      files: { elk: 'elk-worker.min.js' },
      policy: (source) => ['worker-src blob:', `connect-src ${source}`],
      body: `<div id="toolbar" role="toolbar" aria-label="Graph"></div>
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
<details><summary>Nodes as a table</summary><div id="table"></div></details>`,
    });
  }

  dispose(): void {
    if (GraphPanel.current === this) GraphPanel.current = undefined;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }
}

function notThere(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the source cannot be opened: {0}', reason));
}

async function openPlace(file: string, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
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
