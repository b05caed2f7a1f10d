import * as vscode from 'vscode';
import type { ActivityNaming } from '../../analysis/selection/selection.ts';
import { messageOf } from '../../base/error-message.ts';
import { keptState } from '../../base/page-line.ts';
import type { ComparisonModel } from '../comparison/comparison.ts';
import { CalmUpdates } from '../editor/calm-updates.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import { PanelPlace, type PageFrame, type PanelKind } from '../editor/page-panel.ts';
import type { PanelAnswers, PanelHears } from '../editor/panel-end.ts';
import { openAgain, RecordingPanel } from '../editor/recording-panel.ts';
import { pagePart } from '../editor/webview-page.ts';
import { savePicture } from '../editor/save-picture.ts';
import { siteVariables } from '../editor/settings.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import type { SelectionModel } from '../selection/selection.ts';
import { savedMappings, saveMapping } from './graph-mappings.ts';
import { graphRequest, viewGraph } from './graph-request.ts';
import { GraphSelection } from './graph-selection.ts';
import type { GraphRequest } from './methods.ts';
import { GRAPH_BODY } from './page-body.ts';
import {
  DEFAULT_CHOICES,
  FROM_GRAPH,
  GRAPH,
  type GraphChoices,
  type GraphLine,
  type GraphMarks,
  type GraphOffers,
  type NamedTimeline,
  type ViewGraph,
} from './protocol.ts';

const KIND: PanelKind<GraphLine> = {
  ends: GRAPH,
  from: FROM_GRAPH,
  page: {
    name: 'graph',
    title: 'Directly-Follows-Graph',
    body: GRAPH_BODY,
    // The worker of the layout, and the drawing as a picture, on its way to a PNG file.
    policy: ['worker-src blob:', 'img-src blob:'],
  },
  icon: 'graph',
};
/** Rows of an activity's timeline, and what a preview of a mapping lists. */
const TIMELINE_ROWS = 24;
const PREVIEWED = 200;

/** What the graph of any recording needs. */
interface GraphContext {
  readonly extension: vscode.Uri;
  readonly recordings: Recordings;
  readonly selection: SelectionModel;
  readonly comparison: ComparisonModel;
}

/** The Directly-Follows-Graph: a panel beside the source, one at a time, or the page of a view. */
export class GraphPanel extends RecordingPanel<GraphLine, PageFrame> {
  private static readonly place = new PanelPlace<GraphPanel>('iolens.graph');
  private choices: GraphChoices = DEFAULT_CHOICES;
  private graph: ViewGraph | undefined;
  private wanted: { file: string; line: number } | undefined;
  private drawn = false;
  private shownBase: OpenRecording | undefined;
  /** The base that the comparison of the window gave; none where the recording is not its new side. */
  private given: readonly string[] = [];
  private readonly comparison: ComparisonModel;
  private readonly selection: GraphSelection;
  private readonly updates = new CalmUpdates(() => this.update());

  override readonly answers: PanelAnswers<GraphLine> = {
    timeline: ({ activity, bins }) => this.timelinesOf(activity, bins),
    preview: ({ rules }) => {
      const request = graphRequest({ ...this.choices, mapping: 'rules', rules, collapsed: [] }, this.siteVariables);
      return this.recordings.session.graph.preview(this.recording.id, request, PREVIEWED);
    },
    layoutEngine: () => pagePart(this.extension, 'elk-worker.min.js'),
  };
  override readonly hears: PanelHears<GraphLine> = {
    drawn: () => {
      this.drawn = true;
    },
    choose: (choices) => {
      this.choices = choices;
      return this.refresh();
    },
    selectActivity: ({ activity }) => this.selection.choose({ kind: 'activity', activity, ...this.naming }),
    selectEdge: ({ from, to }) => this.selection.choose({ kind: 'edge', from, to, ...this.naming }),
    open: ({ activity, place }) => this.openSource(activity, place),
    saveMapping: async ({ name, rules }) => {
      await saveMapping(name, rules, this.folder).catch(failed);
      this.say('offers', this.offers);
    },
    picture: (picture) => savePicture(this.recording, 'graph', picture),
  };

  private constructor(
    panel: PageFrame,
    { extension, recordings, selection, comparison }: GraphContext,
    recording: OpenRecording,
  ) {
    super(panel, extension, recordings, recording, KIND);
    this.comparison = comparison;
    this.selection = new GraphSelection(selection, recordings.session, (marks) => this.say('selection', marks));
    this.subscriptions.push(
      comparison.onDidChange(() => {
        if (this.followComparison()) this.updates.ask(false);
      }),
      selection.onDidChange(() => {
        if (this.graph !== undefined) void this.selection.show(this.recording.id, this.naming);
      }),
      this.updates,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) =>
        this.selectLine(pathOf(textEditor.document.uri), selections[0]!.active.line + 1),
      ),
    );
  }

  /** Shows the graph of a recording; with a place, the activities that this source line makes. */
  static show(context: GraphContext, recording: OpenRecording, at?: { file: string; line: number }): void {
    const { place } = GraphPanel;
    if (place.current?.reveals(recording) === true) {
      if (at !== undefined) place.current.selectLine(at.file, at.line);
      return;
    }
    const title = vscode.l10n.t('I/O Graph');
    const made = place.open(title, (panel) => new GraphPanel(panel, context, recording));
    made.followComparison();
    made.wanted = at;
  }

  /** Fills a panel that survived a reload of the window; its recording is opened again. */
  static async restore(panel: vscode.WebviewPanel, context: GraphContext, state: unknown): Promise<void> {
    const kept = keptState(GRAPH, state);
    const recording = await openAgain(context.recordings, kept?.paths ?? []);
    if (kept === undefined || recording === undefined) {
      panel.dispose();
      return;
    }
    const made = GraphPanel.place.take(panel, () => new GraphPanel(panel, context, recording));
    made.choices = kept.choices;
    made.followComparison();
  }

  /** The graph of a recording in a view. @param state what a page of it left behind, before a reload of the window. */
  static within(frame: PageFrame, context: GraphContext, recording: OpenRecording, state?: unknown): GraphPanel {
    const made = new GraphPanel(frame, context, recording);
    const kept = keptState(GRAPH, state);
    if (kept !== undefined && isSamePaths(kept.paths, recording.paths)) made.choices = kept.choices;
    made.followComparison();
    // The cursor may rest on a line already.
    const { document, selection: at } = vscode.window.activeTextEditor ?? {};
    if (document !== undefined && at !== undefined) made.selectLine(pathOf(document.uri), at.active.line + 1);
    return made;
  }

  shows({ id }: OpenRecording): boolean {
    return this.recording.id === id;
  }

  /** The graph that it shows now; for tests. */
  get drawnGraph(): ViewGraph | undefined {
    return this.drawn ? this.graph : undefined;
  }

  /** The graph that is on the screen now, beside the source; for tests. */
  static get shown(): ViewGraph | undefined {
    return GraphPanel.place.current?.drawnGraph;
  }

  static get shownSelection(): GraphMarks | undefined {
    return GraphPanel.place.current?.selection.shown;
  }

  protected override renew(): void {
    this.updates.ask(this.recording.live === true);
  }

  protected override othersChanged(): void {
    if (this.base === this.shownBase) this.say('offers', this.offers);
    else this.renew();
  }

  override present(): void {
    void this.refresh();
  }

  private async openSource(activity: string, number: number): Promise<void> {
    const node = this.graph?.nodes.find((candidate) => candidate.activity === activity);
    const place = node?.places[number];
    if (place === undefined) return;
    const line = this.recordings.lines.now(this.recording, place.file, place.line);
    await openPlace(place.file, line).catch(notThere);
  }

  private async timelinesOf(activity: string, bins: number): Promise<NamedTimeline[]> {
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
    return timelines;
  }

  private async refresh(): Promise<void> {
    const signal = this.newest.begin();
    this.drawn = false;
    // A graph that only grows is replaced when the next one is there.
    if (this.recording.live !== true || this.graph === undefined) this.say('working', undefined);
    try {
      const { choices, base, recording } = this;
      const { session } = this.recordings;
      const document = await session.graph.document(recording.id, this.request(recording.paths));
      const before = base && {
        name: base.name,
        document: await session.graph.document(base.id, this.request(base.paths)),
      };
      if (signal.aborted) return;
      this.shownBase = base;
      this.graph = viewGraph(document, recording, before);
      this.say('graph', { choices, graph: this.graph, offers: this.offers });
      if (this.wanted !== undefined) this.selectLine(this.wanted.file, this.wanted.line);
      this.wanted = undefined;
      await this.selection.show(recording.id, this.naming);
    } catch (error) {
      if (signal.aborted) return;
      this.say('failed', messageOf(error));
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
    if (this.graph === undefined) {
      this.wanted = { file, line };
      return;
    }
    const { lines } = this.recordings;
    const activities = this.graph.nodes.filter(({ places }) =>
      places.some((place) => place.file === file && lines.now(this.recording, file, place.line) === line),
    );
    if (activities.length > 0)
      this.say(
        'select',
        activities.map(({ activity }) => activity),
      );
  }
}

function isSamePaths(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path, i) => path === other[i]);
}

function notThere(error: unknown): void {
  const reason = messageOf(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the source cannot be opened: {0}', reason));
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
