import * as vscode from 'vscode';
import {
  DEFAULT_CHOICES,
  GRAPH_PROTOCOL,
  graphViewState,
  isFromGraphView,
  type FromGraphView,
  type GraphChoices,
  type GraphOffers,
  type GraphSelectionMessage,
  type NamedTimeline,
  type ToGraphView,
  type ViewGraph,
} from './protocol.ts';
import type { ActivityNaming } from '../../analysis/selection/selection.ts';
import type { MappingPreview } from '../../analysis/dfg/mapping-preview.ts';
import { messageOf } from '../../base/error-message.ts';
import type { GraphRequest } from './methods.ts';
import { savedMappings, saveMapping } from './graph-mappings.ts';
import { savePicture } from '../editor/save-picture.ts';
import { graphPage } from './graph-page.ts';
import { graphRequest, viewGraph } from './graph-request.ts';
import { GraphSelection } from './graph-selection.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import { CalmUpdates } from '../editor/calm-updates.ts';
import type { ComparisonModel } from '../comparison/comparison.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import type { SelectionModel } from '../selection/selection.ts';
import { siteVariables } from '../editor/settings.ts';
import { panelColumn, webviewOptions } from '../editor/webview-page.ts';

/** Rows of an activity's timeline, and what a preview of a mapping lists. */
const TIMELINE_ROWS = 24;
const PREVIEWED = 200;

const GRAPH_VIEW_TYPE = 'iolens.graph';

/** What the graph of any recording needs. */
interface GraphContext {
  readonly extension: vscode.Uri;
  readonly recordings: Recordings;
  readonly selection: SelectionModel;
  readonly comparison: ComparisonModel;
}

/** The panel with the Directly-Follows-Graph: one at a time, beside the source. */
export class GraphPanel implements vscode.Disposable {
  private static current: GraphPanel | undefined;
  private choices: GraphChoices = DEFAULT_CHOICES;
  private graph: ViewGraph | undefined;
  private wanted: { file: string; line: number } | undefined;
  private ready = false;
  private drawn = false;
  private shownBase: OpenRecording | undefined;
  /** The base that the comparison of the window gave; none where the recording is not its new side. */
  private given: readonly string[] = [];
  /** Only the latest request is answered. */
  private generation = 0;
  private readonly recordings: Recordings;
  private readonly comparison: ComparisonModel;
  private readonly selection: GraphSelection;
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly updates = new CalmUpdates(() => void this.refresh());

  private constructor(
    private readonly panel: vscode.WebviewPanel,
    { extension, recordings, selection, comparison }: GraphContext,
    private recording: OpenRecording,
  ) {
    this.recordings = recordings;
    this.comparison = comparison;
    this.selection = new GraphSelection(selection, recordings.session, (message) => this.post(message));
    panel.webview.html = graphPage(panel.webview, extension);
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(extension, 'media', `graph-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromGraphView(message)) void this.receive(message);
      }),
      panel.onDidDispose(() => this.dispose()),
      recordings.onDidChange(() => {
        const open = recordings.withPaths(this.recording.paths);
        if (open === undefined) panel.dispose();
        else if (open !== this.recording || this.base !== this.shownBase) {
          // It was read anew, or its sources were found elsewhere.
          this.recording = open;
          this.updates.ask(open.live === true);
        } else this.post({ kind: 'offers', offers: this.offers });
      }),
      comparison.onDidChange(() => {
        if (this.followComparison()) this.updates.ask(false);
      }),
      selection.onDidChange(() => {
        if (this.graph !== undefined) void this.selection.show(this.recording.id, this.naming);
      }),
      new vscode.Disposable(() => this.updates.dispose()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) =>
        this.selectLine(pathOf(textEditor.document.uri), selections[0]!.active.line + 1),
      ),
    );
  }

  /** Shows the graph of a recording; with a place, the activities that this source line makes. */
  static show(context: GraphContext, recording: OpenRecording, place?: { file: string; line: number }): GraphPanel {
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
      { viewColumn: panelColumn(), preserveFocus: true },
      webviewOptions(context.extension),
    );
    const made = new GraphPanel(panel, context, recording);
    made.followComparison();
    made.wanted = place;
    GraphPanel.current = made;
    return made;
  }

  /** Fills a panel that survived a reload of the window; its recording is opened again. */
  static async restore(panel: vscode.WebviewPanel, context: GraphContext, state: unknown): Promise<void> {
    const { recordings } = context;
    const kept = graphViewState(state);
    const paths = kept?.paths ?? [];
    const recording = paths.length === 0 ? undefined : (recordings.withPaths(paths) ?? (await recordings.add(paths)));
    if (recording === undefined) {
      panel.dispose();
      return;
    }
    GraphPanel.current?.panel.dispose();
    panel.webview.options = webviewOptions(context.extension);
    const made = new GraphPanel(panel, context, recording);
    if (kept !== undefined) made.choices = kept.choices;
    made.followComparison();
    GraphPanel.current = made;
  }

  /** The graph that is on the screen now; for tests. */
  static get shown(): ViewGraph | undefined {
    return GraphPanel.current?.drawn === true ? GraphPanel.current.graph : undefined;
  }

  static get shownSelection(): GraphSelectionMessage | undefined {
    return GraphPanel.current?.selection.shown;
  }

  private async receive(message: FromGraphView): Promise<void> {
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
      case 'open':
        await this.openSource(message.activity, message.place);
        break;
      case 'timeline':
        await this.sendTimeline(message.activity, message.bins);
        break;
      case 'preview':
        this.post({ kind: 'preview', request: message.request, preview: await this.preview(message.rules) });
        break;
      case 'saveMapping':
        await saveMapping(message.name, message.rules, this.folder).catch(failed);
        this.post({ kind: 'offers', offers: this.offers });
        break;
      case 'picture':
        await savePicture(this.recording, 'graph', { format: message.format, content: pictureOf(message) });
        break;
    }
  }

  private async openSource(activity: string, number: number): Promise<void> {
    const node = this.graph?.nodes.find((candidate) => candidate.activity === activity);
    const place = node?.places[number];
    if (place === undefined) return;
    const line = this.recordings.lines.now(this.recording, place.file, place.line);
    await openPlace(place.file, line).catch(notThere);
  }

  private async sendTimeline(activity: string, bins: number): Promise<void> {
    const { generation } = this;
    const timelines: NamedTimeline[] = [];
    try {
      for (const { id, name, paths } of [...(this.base === undefined ? [] : [this.base]), this.recording]) {
        const wanted = { activity, bins, mostRows: TIMELINE_ROWS };
        const timeline = await this.recordings.session.graph.timeline(id, this.request(paths), wanted);
        if (timeline !== undefined) timelines.push({ recording: name, timeline });
      }
    } catch {
      // The recording was closed meanwhile, or its mapping is wrong: the graph says so itself.
    }
    if (generation === this.generation) this.post({ kind: 'timeline', activity, timelines });
  }

  /** What a mapping would make, or what is wrong with it. */
  private async preview(rules: string): Promise<MappingPreview | string> {
    try {
      const request = graphRequest({ ...this.choices, mapping: 'rules', rules, collapsed: [] }, this.siteVariables);
      return await this.recordings.session.graph.preview(this.recording.id, request, PREVIEWED);
    } catch (error) {
      return messageOf(error);
    }
  }

  private async refresh(): Promise<void> {
    const generation = ++this.generation;
    this.drawn = false;
    // A graph that only grows is replaced when the next one is there.
    if (this.recording.live !== true || this.graph === undefined) this.post({ kind: 'working' });
    try {
      const { choices, base, recording } = this;
      const { session } = this.recordings;
      const document = await session.graph.document(recording.id, this.request(recording.paths));
      const before = base && {
        name: base.name,
        document: await session.graph.document(base.id, this.request(base.paths)),
      };
      if (generation !== this.generation) return;
      this.shownBase = base;
      this.graph = viewGraph(document, recording, before);
      this.post({ kind: 'graph', protocol: GRAPH_PROTOCOL, choices, graph: this.graph, offers: this.offers });
      if (this.wanted !== undefined) this.selectLine(this.wanted.file, this.wanted.line);
      this.wanted = undefined;
      await this.selection.show(recording.id, this.naming);
    } catch (error) {
      if (generation !== this.generation) return;
      this.post({ kind: 'error', message: messageOf(error) });
    }
  }

  /**
   * The graph of the new side is compared with the base of the window's comparison. What the user chose instead stays
   * until there is another comparison. @returns whether another graph has to be made.
   */
  private followComparison(): boolean {
    const { current } = this.comparison;
    const isNew = current?.new.some(({ id }) => id === this.recording.id) === true;
    const base = isNew ? current.base[0]!.paths : [];
    const { given } = this;
    if (isSamePaths(base, given)) return false;
    this.given = base;
    if (base.length === 0 && !isSamePaths(this.choices.base, given)) return false;
    this.choices = { ...this.choices, base };
    return true;
  }

  /** The open recording that this one is compared with. */
  private get base(): OpenRecording | undefined {
    const { base } = this.choices;
    return base.length === 0 ? undefined : this.recordings.withPaths(base);
  }

  private get siteVariables(): GraphRequest['siteVariables'] {
    return siteVariables(this.recording.paths);
  }

  private request(paths: readonly string[]): GraphRequest {
    return graphRequest(this.choices, siteVariables(paths));
  }

  /** How the graph names its activities. */
  private get naming(): ActivityNaming {
    const {
      mapping,
      pathFilter,
      ownFilesOnly,
      grouping,
      siteVariables: variables,
      layer,
    } = this.request(this.recording.paths);
    const named = variables.length > 0 && { siteVariables: variables };
    // The program's own calls are what every naming means that says nothing of layers.
    const ofLayer = layer !== undefined && layer !== DEFAULT_CHOICES.layer && { layer };
    return { mapping, pathFilter, ownFilesOnly, grouping, ...named, ...ofLayer };
  }

  private get folder(): vscode.Uri {
    return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.joinPath(uriOf(this.recording.paths[0]!), '..');
  }

  private get offers(): GraphOffers {
    const others = this.recordings.all().filter(({ id }) => id !== this.recording.id);
    return {
      mappings: savedMappings(this.folder),
      recordings: others.map(({ name, paths }) => ({ name, paths })),
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

  dispose(): void {
    if (GraphPanel.current === this) GraphPanel.current = undefined;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }
}

function isSamePaths(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path, i) => path === other[i]);
}

function notThere(error: unknown): void {
  const reason = messageOf(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the source cannot be opened: {0}', reason));
}

function pictureOf({ format, content }: Extract<FromGraphView, { kind: 'picture' }>): string | Uint8Array {
  return format === 'svg' ? content : Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0));
}

function failed(error: unknown): void {
  const reason = messageOf(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: it could not be saved: {0}', reason));
}

async function openPlace(file: string, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(file));
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection });
}
