import { END, START } from './drawing.ts';
import type { PlacedGraph } from './layout.ts';
import type { PanZoom } from '../kit/pan-zoom.ts';

interface GraphItemEvents {
  readonly activate: (activity: string) => void;
  readonly toggle: (folder: string) => void;
  readonly selectEdge: (from: string, to: string) => void;
}

type Item = HTMLElement & SVGElement;

/** Nodes and handles of folders on the stage: clicks, and the keyboard's way from one to the next. */
export class GraphItems {
  private placed: PlacedGraph | undefined;
  private marked: ReadonlySet<string> = new Set();
  /** The folder whose handle is to have the focus once the graph is drawn again. */
  private wantedFolder: string | undefined;

  constructor(
    private readonly canvas: SVGGElement,
    stage: SVGSVGElement,
    private readonly panZoom: PanZoom,
    private readonly events: GraphItemEvents,
  ) {
    canvas.addEventListener('click', (event) => {
      if (!panZoom.wasDragged) this.use(event.target as Element);
    });
    stage.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const item = (event.target as Element).closest<Item>('.node, .toggle');
      if (item !== null && (event.key === 'Enter' || event.key === ' ')) this.use(item);
      else if (!(item !== null && this.moveFocus(item, event.key)) && !panZoom.onKey(event.key)) return;
      event.preventDefault();
    });
    canvas.addEventListener('focusin', (event) => {
      const item = (event.target as Element).closest<Item>('.node, .toggle');
      const place = item === null ? undefined : this.placeOf(item);
      if (place !== undefined) panZoom.reveal(place.x, place.y, place.width, place.height);
    });
  }

  /** Shows another drawing; marks and focus stay on what they were on. */
  replace(drawing: SVGElement, placed: PlacedGraph): void {
    const focused = document.activeElement;
    const { activity, folder } = focused instanceof SVGElement ? focused.dataset : {};
    this.canvas.replaceChildren(drawing);
    this.placed = placed;
    this.mark(this.marked);
    const items = this.items();
    const wanted = folder ?? this.wantedFolder;
    const last = items.find((item) =>
      wanted !== undefined ? item.dataset['folder'] === wanted : item.dataset['activity'] === (activity ?? null),
    );
    const first = items.find((item) => item.classList.contains('node'));
    (last ?? first)?.setAttribute('tabindex', '0');
    if (last !== undefined && (activity !== undefined || wanted !== undefined)) last.focus();
    this.wantedFolder = undefined;
  }

  focusFolder(folder: string): void {
    this.wantedFolder = folder;
  }

  mark(activities: ReadonlySet<string>): void {
    this.marked = activities;
    for (const item of this.items())
      if (item.classList.contains('node')) item.classList.toggle('selected', activities.has(item.dataset['activity']!));
  }

  reveal(activity: string): void {
    const place = this.placed?.nodes.find((node) => node.activity === activity);
    if (place !== undefined) this.panZoom.reveal(place.x, place.y, place.width, place.height);
  }

  private items(): Item[] {
    return [...this.canvas.querySelectorAll<Item>('.node, .toggle')];
  }

  private use(target: Element): void {
    // An edge that leads through hidden activities is none of the graph.
    const { from, to } = target.closest<HTMLElement>('.edge:not(.bridge)')?.dataset ?? {};
    if (from !== undefined && to !== undefined) this.events.selectEdge(from, to);
    const item = target.closest<Item>('.node, .toggle');
    const { activity, folder } = item?.dataset ?? {};
    if (folder !== undefined) this.events.toggle(folder);
    else if (activity !== undefined) this.events.activate(activity);
  }

  private placeOf({ dataset }: Item): { x: number; y: number; width: number; height: number } | undefined {
    const { activity, folder } = dataset;
    if (activity !== undefined) return this.placed?.nodes.find((node) => node.activity === activity);
    const box = this.placed?.boxes.find((each) => each.folder === folder);
    // The handle of a collapsed folder stands on its node.
    const node = this.placed?.nodes.find((each) => each.activity === `${folder ?? ''}/**`);
    const corner = box ?? node;
    return corner === undefined ? undefined : { x: corner.x, y: corner.y, width: 40, height: 20 };
  }

  /** Arrow keys go to the nearest node or handle in their direction; one of them at a time is in the tab order. */
  private moveFocus(from: Item, key: string): boolean {
    const directions: Readonly<Record<string, [number, number]>> = {
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
    };
    const direction = directions[key];
    const here = this.placeOf(from);
    if (direction === undefined || here === undefined) return false;
    let best: { item: Item; distance: number } | undefined;
    for (const item of this.items()) {
      const place = item === from ? undefined : this.placeOf(item);
      if (place === undefined || [START, END].includes(item.dataset['activity'] ?? '')) continue;
      const x = place.x + place.width / 2 - here.x - here.width / 2;
      const y = place.y + place.height / 2 - here.y - here.height / 2;
      const along = x * direction[0] + y * direction[1];
      const across = Math.abs(x * direction[1]) + Math.abs(y * direction[0]);
      if (along <= 0) continue;
      const distance = along + 2 * across;
      if (best === undefined || distance < best.distance) best = { item, distance };
    }
    if (best === undefined) return true;
    from.setAttribute('tabindex', '-1');
    best.item.setAttribute('tabindex', '0');
    best.item.focus();
    return true;
  }
}
