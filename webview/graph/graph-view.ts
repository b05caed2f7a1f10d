import type { GraphChoices, ViewGraph } from '../../src/messages/graph-messages.ts';
import { isPartitioned, type ColourBy } from './appearance.ts';
import { fillActivityLog, fillNodeTable, fillSelection } from './details.ts';
import { TERMINAL } from '../../src/drawing/graph-shapes.ts';
import { draw, END, sizeOf, START } from './drawing.ts';
import { GraphLayout, type PlacedGraph, type Size } from './layout.ts';
import { PanZoom } from './pan-zoom.ts';
import { Toolbar } from './toolbar.ts';

export interface GraphViewEvents {
  readonly choose: (choices: GraphChoices) => void;
  /** Goes to a source line of a node. */
  readonly open: (activity: string, place: number) => void;
}

/** The Directly-Follows-Graph with its controls. */
export class GraphView {
  private readonly toolbar: Toolbar;
  private readonly layout: GraphLayout;
  private readonly panZoom: PanZoom;
  private readonly stage: SVGSVGElement;
  private readonly canvas: SVGGElement;
  private readonly parts: Record<'status' | 'legend' | 'selection' | 'warnings' | 'log' | 'table', HTMLElement>;
  private graph: ViewGraph | undefined;
  private placed: PlacedGraph | undefined;
  /** Only the latest request is shown. */
  private generation = 0;
  /** What the graph on the screen was chosen by. */
  private shownChoices = '';

  constructor(
    root: HTMLElement,
    private readonly events: GraphViewEvents,
  ) {
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
    this.layout = new GraphLayout(root.dataset['elk']!);
    this.panZoom = new PanZoom(this.stage, this.canvas);
    this.toolbar = new Toolbar(find('toolbar'), {
      choose: (choices) => {
        events.choose(choices);
      },
      colour: (by) => {
        this.redraw(by);
      },
      zoom: (factor) => {
        this.panZoom.zoomBy(factor);
      },
      fit: () => {
        this.panZoom.fit();
      },
    });
    this.listen();
  }

  setChoices(choices: GraphChoices): void {
    this.toolbar.show(choices);
  }

  working(): void {
    this.parts.status.textContent = 'Working …';
    this.parts.status.className = '';
  }

  fail(message: string): void {
    this.parts.status.textContent = message;
    this.parts.status.className = 'error';
  }

  async show(graph: ViewGraph, choices: GraphChoices): Promise<void> {
    const generation = ++this.generation;
    this.toolbar.show(choices);
    const sameChoices = JSON.stringify(choices) === this.shownChoices;
    this.shownChoices = JSON.stringify(choices);
    const widthOf = textMeasure();
    const sizes = new Map<string, Size>(graph.nodes.map((node) => [node.activity, sizeOf(node, widthOf)]));
    if (graph.nodes.length > 0) sizes.set(START, TERMINAL).set(END, TERMINAL);
    const placed = await this.layout.place(sizes, graph.edges);
    if (generation !== this.generation) return;
    // Who has moved to a place in a graph that grows stays there.
    const stays = this.graph?.recording === graph.recording && this.panZoom.wasMoved && sameChoices;
    this.graph = graph;
    this.placed = placed;
    // A mark on the graph before says nothing of this one.
    this.canvas.replaceChildren();
    this.redraw(this.toolbar.colourBy);
    this.panZoom.setContent(placed.width, placed.height);
    if (!stays) this.showCostliest();
    this.parts.status.className = '';
    this.parts.status.textContent =
      graph.nodes.length === 0
        ? 'No event is left: change the filter or the mapping.'
        : `${graph.recording}: ${graph.events.toLocaleString('en-US')} events of ${graph.cases.toLocaleString('en-US')} ${graph.cases === 1 ? 'case' : 'cases'}`;
    this.parts.warnings.replaceChildren(...graph.warnings.map(paragraph));
    fillActivityLog(this.parts.log, graph);
    fillNodeTable(this.parts.table, graph);
    fillSelection(this.parts.selection, undefined, this.events.open);
  }

  /** Marks the nodes of some activities and brings the first into view. */
  select(activities: readonly string[]): void {
    const wanted = new Set(activities);
    for (const group of this.nodeGroups()) group.classList.toggle('selected', wanted.has(group.dataset['activity']!));
    const node = this.graph?.nodes.find(({ activity }) => wanted.has(activity));
    if (node !== undefined) this.reveal(node.activity);
    fillSelection(this.parts.selection, node, this.events.open);
  }

  /** The whole graph; where it is too large to be read at once, the part around what costs most. */
  private showCostliest(): void {
    const { graph, placed } = this;
    if (graph === undefined || placed === undefined) return;
    const costliest = [...graph.nodes].sort((a, b) => b.durationNs - a.durationNs)[0];
    const place = placed.nodes.find(({ activity }) => activity === costliest?.activity);
    this.panZoom.show((place?.x ?? 0) + (place?.width ?? 0) / 2, (place?.y ?? 0) + (place?.height ?? 0) / 2);
  }

  private reveal(activity: string): void {
    const place = this.placed?.nodes.find((node) => node.activity === activity);
    if (place !== undefined) this.panZoom.reveal(place.x, place.y, place.width, place.height);
  }

  private activitiesMarked(): string[] {
    return this.nodeGroups()
      .filter((group) => group.classList.contains('selected'))
      .map((group) => group.dataset['activity']!);
  }

  private nodeGroups(): (HTMLElement & SVGElement)[] {
    return [...this.canvas.querySelectorAll<HTMLElement & SVGElement>('.node')];
  }

  private redraw(by: ColourBy): void {
    const { graph, placed } = this;
    if (graph === undefined || placed === undefined) return;
    const marked = new Set(this.activitiesMarked());
    const focused = (document.activeElement as HTMLElement | null)?.dataset['activity'];
    this.canvas.replaceChildren(draw(graph, placed, by));
    const groups = this.nodeGroups();
    for (const group of groups) group.classList.toggle('selected', marked.has(group.dataset['activity']!));
    const last = groups.find((group) => group.dataset['activity'] === focused);
    (last ?? groups[0])?.setAttribute('tabindex', '0');
    last?.focus();
    const partition = by === 'partition' && isPartitioned(graph);
    this.parts.legend.dataset['kind'] = partition ? 'partition' : by;
  }

  private listen(): void {
    this.canvas.addEventListener('click', (event) => {
      if (!this.panZoom.wasDragged) this.activate(event.target as Element);
    });
    this.stage.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const group = (event.target as Element).closest<HTMLElement & SVGElement>('.node');
      if (group !== null && (event.key === 'Enter' || event.key === ' ')) this.activate(group);
      else if (!(group !== null && this.moveFocus(group, event.key)) && !this.panZoom.onKey(event.key)) return;
      event.preventDefault();
    });
    this.canvas.addEventListener('focusin', (event) => {
      const activity = (event.target as Element).closest<HTMLElement>('.node')?.dataset['activity'];
      const place = this.placed?.nodes.find((node) => node.activity === activity);
      if (place !== undefined) this.panZoom.reveal(place.x, place.y, place.width, place.height);
    });
    new ResizeObserver(() => {
      // A panel that was hidden has no size until now.
      const [selected] = this.activitiesMarked();
      if (selected === undefined && !this.panZoom.wasMoved) this.showCostliest();
      else if (selected !== undefined) this.reveal(selected);
    }).observe(this.stage);
  }

  /** Selects a node and goes to its first source line. */
  private activate(target: Element): void {
    const activity = target.closest<HTMLElement>('.node')?.dataset['activity'];
    if (activity === undefined) return;
    this.select([activity]);
    const node = this.graph?.nodes.find((candidate) => candidate.activity === activity);
    if (node !== undefined && node.places.length > 0) this.events.open(activity, 0);
  }

  /** Arrow keys go to the nearest node in their direction; one node at a time is in the tab order. */
  private moveFocus(from: HTMLElement & SVGElement, key: string): boolean {
    const directions: Readonly<Record<string, [number, number]>> = {
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
    };
    const direction = directions[key];
    const here = this.placed?.nodes.find(({ activity }) => activity === from.dataset['activity']);
    if (direction === undefined || here === undefined) return false;
    let best: { activity: string; distance: number } | undefined;
    for (const node of this.placed!.nodes) {
      const x = node.x + node.width / 2 - here.x - here.width / 2;
      const y = node.y + node.height / 2 - here.y - here.height / 2;
      const along = x * direction[0] + y * direction[1];
      const across = Math.abs(x * direction[1]) + Math.abs(y * direction[0]);
      if (along <= 0 || node.activity === START || node.activity === END) continue;
      const distance = along + 2 * across;
      if (best === undefined || distance < best.distance) best = { activity: node.activity, distance };
    }
    const next = this.nodeGroups().find((group) => group.dataset['activity'] === best?.activity);
    if (next === undefined) return true;
    from.setAttribute('tabindex', '-1');
    next.setAttribute('tabindex', '0');
    next.focus();
    return true;
  }
}

function paragraph(text: string): HTMLElement {
  const made = document.createElement('p');
  made.textContent = text;
  return made;
}

/** Measures text in the font of the nodes. */
function textMeasure(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  const style = getComputedStyle(document.body);
  if (context !== null) context.font = `12px ${style.fontFamily}`;
  return (text) => context?.measureText(text).width ?? text.length * 7;
}
