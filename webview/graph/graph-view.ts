import { nodeCostNs } from '../../src/drawing/graph/node-costs.ts';
import { TERMINAL } from '../../src/drawing/graph/graph-shapes.ts';
import { neighbourhood, placeInColumn } from '../../src/drawing/graph/neighbourhood.ts';
import { StableLayout, type WantedNode } from '../../src/drawing/graph/stable-layout.ts';
import { joinBackAndForth, thinGraph, type ThinnedGraph } from '../../src/drawing/graph/thin-graph.ts';
import {
  DEFAULT_CHOICES,
  DEFAULT_DISPLAY,
  type GraphChoices,
  type GraphOffers,
  type GraphLine,
  type GraphMarks,
  type GraphViewState,
  type MadeGraph,
  type ViewGraph,
  type ViewNode,
} from '../../src/features/graph/protocol.ts';
import { showBreadcrumb } from '../kit/breadcrumb.ts';
import { button, make } from '../kit/dom.ts';
import { ActivityPane } from './activity-pane.ts';
import { hasCosts, isPartitioned, type ColourBy } from './appearance.ts';
import { fillActivityLog, fillSelection, fillTables } from './details.ts';
import { draw, END, sizeOf, START } from './drawing.ts';
import { edgeLabel } from './edge-texts.ts';
import { GraphItems } from './graph-items.ts';
import { WorkerEngine, type LabelledEdge, type PlacedGraph } from './layout.ts';
import { MappingEditor } from './mapping-editor.ts';
import { habit, keepHabit } from '../kit/habits.ts';
import { unlessOvertaken, type PageEnd } from '../kit/page-end.ts';
import { PanZoom } from '../kit/pan-zoom.ts';
import { pictureOf } from '../kit/svg-file.ts';
import { appendEdges, markSelection } from './selection-marks.ts';
import { withShortNames } from './short-names.ts';
import { hiddenParts, statusText, type HiddenBy } from './status-text.ts';
import { textMeasure } from './text-measure.ts';
import { Toolbar } from './toolbar.ts';

/** In less width, pixels, the neighbourhood of an activity is shown of a graph of more than a few. */
const NARROW = 440;
const FEW = 3;
/** Name of the habit to see all of a graph. */
const FITS = 'graph.fits';
/** From this many edges on those that go back and forth are one line, unless the user says otherwise. */
const MANY_EDGES = 60;

/** The Directly-Follows-Graph with its controls. */
export class GraphView {
  private readonly toolbar: Toolbar;
  private readonly editor: MappingEditor;
  private readonly pane: ActivityPane;
  private readonly layout: StableLayout<LabelledEdge>;
  private readonly panZoom: PanZoom;
  private readonly items: GraphItems;
  private readonly stage: SVGSVGElement;
  private readonly canvas: SVGGElement;
  private readonly parts: Record<'status' | 'legend' | 'selection' | 'warnings' | 'log' | 'table', HTMLElement>;
  private made: ViewGraph | undefined;
  /** What was made, with the names that are shown. */
  private graph: ViewGraph | undefined;
  private state: GraphViewState;
  private placed: PlacedGraph | undefined;
  private selected: string | undefined;
  private selection: GraphMarks | undefined;
  /** Of a neighbourhood the activity that it is around; undefined while the whole graph is shown. */
  private near: string | undefined;
  /** Only the latest request is shown. */
  private generation = 0;

  constructor(
    root: HTMLElement,
    private readonly page: PageEnd<GraphLine>,
  ) {
    this.state = page.kept ?? {
      paths: [],
      choices: DEFAULT_CHOICES,
      display: DEFAULT_DISPLAY,
      fits: habit(FITS) === 1,
      whole: false,
    };
    const find = (id: string): HTMLElement => root.querySelector<HTMLElement>(`#${id}`)!;
    this.parts = {
      status: find('status'),
      legend: find('legend'),
      selection: find('selection'),
      warnings: find('warnings'),
      log: find('log'),
      table: find('table'),
    };
    this.stage = root.querySelector<SVGSVGElement>('#stage')!;
    this.canvas = root.querySelector<SVGGElement>('#canvas')!;
    this.layout = new StableLayout(new WorkerEngine(() => page.ask('layoutEngine')));
    this.panZoom = new PanZoom(this.stage, this.canvas, (fits) => {
      if (fits === this.state.fits) return;
      this.keep({ fits });
      keepHabit(FITS, fits ? 1 : 0);
    });
    this.pane = new ActivityPane(this.parts.selection);
    this.toolbar = this.makeToolbar(find('toolbar'));
    this.editor = new MappingEditor(find('editor'), {
      preview: (rules) => page.ask('preview', { rules }),
      save: (name, rules) => page.say('saveMapping', { name, rules }),
      apply: (rules) => this.choose({ ...this.toolbar.choices(), mapping: 'rules', levels: 1, rules, collapsed: [] }),
      close: () => this.stage.focus(),
    });
    this.items = new GraphItems(this.canvas, this.stage, this.panZoom, {
      activate: (activity) => this.activate(activity),
      toggle: (folder) => this.toggle(folder),
      selectEdge: this.selectEdge,
    });
    const { choices, display } = this.state;
    this.toolbar.show(choices, display, display.joined ?? false);
    new ResizeObserver(() => {
      // A panel that was hidden has no size until now.
      const { isShown, wasMoved } = this.panZoom;
      const stays = this.selected !== undefined && !this.state.fits;
      if ((this.wantedFocus() === undefined) !== (this.near === undefined)) void this.arrange(false);
      if (!isShown || (!wasMoved && !stays)) this.showMost();
      else if (this.selected !== undefined) this.items.reveal(this.selected);
    }).observe(this.stage);
  }

  private makeToolbar(parent: HTMLElement): Toolbar {
    return new Toolbar(parent, {
      choose: (choices) => this.choose(choices),
      display: (display) => {
        this.keep({ display });
        void this.arrange(false);
      },
      colour: (by) => this.redraw(by),
      zoom: (factor) => this.panZoom.zoomBy(factor),
      fit: () => this.panZoom.fit(),
      layOutAnew: () => {
        void this.arrange(true);
      },
      editMapping: () => {
        const { mapping, levels, rules } = this.state.choices;
        if (this.editor.isOpen) this.editor.close();
        else this.editor.open(rules, mapping.endsWith('path') ? `${mapping}:${levels}` : mapping);
      },
      picture: (format) => {
        void this.takePicture(format);
      },
    });
  }

  private keep(changed: Partial<GraphViewState>): void {
    this.state = { ...this.state, ...changed };
    this.page.keep(this.state);
  }

  private choose(choices: GraphChoices): void {
    this.page.say('choose', choices);
  }

  private readonly selectEdge = (from: string, to: string): void => this.page.say('selectEdge', { from, to });

  working(): void {
    this.parts.status.textContent = 'Working …';
    this.parts.status.className = '';
  }

  fail(message: string): void {
    this.parts.status.textContent = message;
    this.parts.status.className = 'error';
  }

  offer(offers: GraphOffers): void {
    this.toolbar.offer(offers);
  }

  async show({ graph, choices, offers }: MadeGraph): Promise<void> {
    this.keep({ paths: graph.paths, choices });
    this.offer(offers);
    this.made = graph;
    try {
      await this.arrange(false);
    } catch (error) {
      this.fail(`The graph cannot be laid out: ${String(error)}`);
      return;
    }
    this.parts.warnings.replaceChildren(...graph.warnings.map((text) => make('p', {}, text)));
    fillActivityLog(this.parts.log, graph);
    fillTables(this.parts.table, graph);
    // What was selected stays so where it is still there.
    const kept = graph.nodes.find(({ activity }) => activity === this.selected);
    this.select(kept === undefined ? [] : [kept.activity]);
    this.page.say('drawn');
  }

  /** Lays out what the thresholds leave of the graph, and draws it. */
  private async arrange(anew: boolean): Promise<void> {
    const { choices, display } = this.state;
    const near = this.wantedFocus();
    this.graph = this.made && (display.boxes && near === undefined ? withShortNames(this.made) : this.made);
    const { graph } = this;
    if (graph === undefined) return;
    const generation = ++this.generation;
    // A neighbourhood is small by itself.
    const thinned = thinGraph(graph, near === undefined ? display : { leastShare: 0, leastCount: 0 });
    const joins = graph.base === null && (display.joined ?? thinned.edges.length > MANY_EDGES);
    this.toolbar.show(choices, display, joins);
    this.toolbar.offerLayers(graph.layers);
    const drawn = joins ? joinBackAndForth(thinned.edges) : thinned.edges;
    const edges = drawn.map((edge) => ({ ...edge, label: edgeLabel(edge, graph.base !== null) }));
    const wanted = wantedNodes(thinned, display.boxes && near === undefined);
    const placed =
      near === undefined ? await this.layout.place(wanted, edges, anew) : columnAround(near, wanted, edges);
    if (generation !== this.generation) return;
    const isOther = near !== this.near;
    this.near = near;
    this.placed = placed;
    this.redraw(this.toolbar.colourBy);
    if (placed.isAnew || isOther || this.state.fits) this.showMost();
    this.parts.status.className = '';
    this.parts.status.replaceChildren(...this.statusParts(graph, thinned));
  }

  /** What is shown, and what is not with a button that shows it. */
  private statusParts(graph: ViewGraph, thinned: ThinnedGraph<ViewNode>): Node[] {
    const { choices, display } = this.state;
    const all: Record<HiddenBy, () => void> = {
      system: () => this.choose({ ...choices, systemFiles: true }),
      path: () => this.choose({ ...choices, pathFilter: '' }),
      thresholds: () => {
        this.keep({ display: { ...display, leastShare: 0, leastCount: 0 } });
        void this.arrange(false);
      },
      place: () => this.showWhole(true),
      choice: () => this.showWhole(false),
    };
    const place = { isNarrow: this.isNarrow, shown: this.near === undefined ? undefined : this.placed!.nodes.length };
    const hidden = hiddenParts(graph, thinned, choices.pathFilter, place).map(({ by, text, show }) =>
      make('div', { class: 'hidden-part' }, `${text} `, button(show, { class: 'link' }, all[by])),
    );
    const text = statusText(graph, thinned);
    this.parts.status.title = text;
    return this.near === undefined ? [make('div', {}, text), ...hidden] : hidden;
  }

  private showWhole(whole: boolean): void {
    this.keep({ whole });
    void this.arrange(false);
  }

  private get isNarrow(): boolean {
    const { width } = this.stage.getBoundingClientRect();
    return width > 0 && width < NARROW && (this.made?.nodes.length ?? 0) > FEW;
  }

  /** In a narrow panel the activity whose neighbourhood is shown, unless the user wants the whole graph. */
  private wantedFocus(): string | undefined {
    return this.isNarrow && !this.state.whole ? this.foremost(this.made!.nodes)?.activity : undefined;
  }

  /** Marks the nodes of some activities and brings the first into view. */
  select(activities: readonly string[]): void {
    const wanted = new Set(activities);
    const node = this.graph?.nodes.find(({ activity }) => wanted.has(activity));
    this.selected = node?.activity;
    this.items.mark(wanted);
    if (this.near !== undefined && this.wantedFocus() !== this.near) void this.arrange(false);
    else if (node !== undefined) this.items.reveal(node.activity);
    this.pane.clear();
    fillSelection(this.parts.selection, node, {
      open: (activity, place) => this.page.say('open', { activity, place }),
      toggle: (folder) => this.toggle(folder),
    });
    if (node === undefined) return;
    appendEdges(this.parts.selection, this.graph, node.activity, this.selectEdge);
    this.page.askInstead('timeline', { activity: node.activity, bins: this.pane.bins }).then(
      (timelines) => {
        if (node.activity === this.selected) this.pane.show(timelines);
      },
      unlessOvertaken((message) => this.fail(message)),
    );
  }

  /** Marks what takes part in the selection of all views. */
  highlight(selection: GraphMarks): void {
    this.selection = selection;
    showBreadcrumb(this.parts.status, selection.labels, selection.isMarked);
    markSelection(this.canvas, selection);
  }

  /** Selects a node and goes to its first source line. */
  private activate(activity: string): void {
    this.select([activity]);
    this.page.say('selectActivity', { activity });
    const node = this.graph?.nodes.find((candidate) => candidate.activity === activity);
    if (node !== undefined && node.places.length > 0) this.page.say('open', { activity, place: 0 });
  }

  /** Takes a folder's activities as one, or shows them again. */
  private toggle(folder: string): void {
    const { choices } = this.state;
    const { collapsed } = choices;
    const next = collapsed.includes(folder) ? collapsed.filter((other) => other !== folder) : [...collapsed, folder];
    this.items.focusFolder(folder);
    this.choose({ ...choices, collapsed: next });
  }

  /** The whole graph; unless the user wants it small, as much as can be read around what is chosen or costs most. */
  private showMost(): void {
    const { graph, placed, state, panZoom } = this;
    if (graph === undefined || placed === undefined) return;
    if (state.fits && this.near === undefined) {
      panZoom.showWhole();
      return;
    }
    const drawn = new Map(placed.nodes.map((place) => [place.activity, place]));
    const first = this.foremost(graph.nodes.filter(({ activity }) => drawn.has(activity)));
    const place = first && drawn.get(first.activity);
    panZoom.show((place?.x ?? 0) + (place?.width ?? 0) / 2, (place?.y ?? 0) + (place?.height ?? 0) / 2);
  }

  /** What is chosen, else what takes part in the selection most, else what costs most. */
  private foremost(nodes: readonly ViewNode[]): ViewNode | undefined {
    const marks = new Map(this.selection?.isMarked === true ? sharesOf(this.selection) : []);
    const worth = (node: ViewNode): number[] => [
      node.activity === this.selected ? 1 : 0,
      marks.get(node.activity) ?? 0,
      nodeCostNs(node),
    ];
    return nodes.toSorted((a, b) => byFirst(worth(b), worth(a)))[0];
  }

  private redraw(by: ColourBy): void {
    const { graph, placed } = this;
    if (graph === undefined || placed === undefined) return;
    this.items.replace(draw(graph, placed, by, textMeasure()), placed);
    markSelection(this.canvas, this.selection);
    const isColoured = by === 'partition' && isPartitioned(graph);
    const isOfCost = by === 'time' && hasCosts(graph);
    const plain = isOfCost ? 'cost' : by;
    this.parts.legend.dataset['kind'] = isColoured ? (graph.base === null ? 'partition' : 'comparison') : plain;
  }

  private async takePicture(format: 'svg' | 'png'): Promise<void> {
    if (this.placed === undefined) return;
    try {
      this.page.say('picture', await pictureOf(this.stage, format));
    } catch (error) {
      this.fail(`The picture cannot be made: ${String(error)}`);
    }
  }
}

function sharesOf({ activities }: GraphMarks): [activity: string, share: number][] {
  return activities.map(({ activity, share }) => [activity, share]);
}

/** Orders by the first number that differs. */
function byFirst(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at < 0 ? 0 : one[at]! - other[at]!;
}

/** The neighbourhood of an activity. */
function columnAround(near: string, wanted: readonly WantedNode[], edges: readonly LabelledEdge[]): PlacedGraph {
  const nodes = new Map(wanted.map((node) => [node.activity, node]));
  const inside = neighbourhood(near, edges).flatMap((activity) => nodes.get(activity) ?? []);
  return placeInColumn(inside, edges);
}

function wantedNodes({ nodes }: ThinnedGraph<ViewNode>, boxes: boolean): WantedNode[] {
  if (nodes.length === 0) return [];
  const widthOf = textMeasure();
  const terminal = (activity: string): WantedNode => ({ ...TERMINAL, activity, folder: null, collapsed: null });
  const wanted = nodes.map((node) => ({
    ...sizeOf(node, widthOf),
    activity: node.activity,
    folder: boxes ? node.folder : null,
    collapsed: node.collapsed?.folder ?? null,
  }));
  return [...wanted, terminal(START), terminal(END)];
}
