import { routeEdge, type Rectangle } from './edge-routes.ts';
import { folderBoxes, type FolderBox } from './folder-boxes.ts';
import { around, freePlace, overlap } from './free-place.ts';
import {
  BOX_HEADER,
  BOX_PADDING,
  middleOfLongest,
  placeGraph,
  type CountedEdge,
  type LayoutEngine,
  type PlacedEdge,
  type PlacedGraph,
  type Point,
  type Size,
} from './graph-layout.ts';
import { END, START } from './graph-shapes.ts';

/** A node that is to be placed. */
export interface WantedNode extends Size {
  readonly activity: string;
  /** The folder whose box it stands in; null for none. */
  readonly folder: string | null;
  /** The collapsed folder that it stands for. */
  readonly collapsed: string | null;
}

export interface PlacedBox extends Size, Point {
  readonly folder: string;
  /** Boxes that it stands in. */
  readonly depth: number;
  readonly activities: readonly string[];
}

export interface BoxedGraph<Edge extends CountedEdge> extends PlacedGraph<Edge> {
  /** The corner of the drawing: what is fitted in may stand left of everything, or above. */
  readonly origin: Point;
  readonly boxes: readonly PlacedBox[];
  /** Everything was laid out anew: nothing is where it was. */
  readonly isAnew: boolean;
}

interface Route {
  readonly points: readonly Point[];
  readonly label: Point;
}

/**
 * Lays a graph out, and when it changes leaves everything where it was: what stays is not moved at all, what was seen
 * before comes back to its place, what is new is fitted in near its folder or its neighbours, and a collapsed folder
 * stands where its box was. Only when most of a graph is new it is laid out anew (docs/decisions/0077).
 */
export class StableLayout<Edge extends CountedEdge> {
  /** Where activities stand, or stood when they were last seen. */
  private readonly places = new Map<string, Rectangle>();
  private readonly folders = new Map<string, string | null>();
  private readonly routes = new Map<string, Route>();
  /** What was placed last: it keeps its place before all others. */
  private shown = new Set<string>();

  constructor(private readonly engine: LayoutEngine) {}

  /** @param anew forgets where everything stood. */
  async place(nodes: readonly WantedNode[], edges: readonly Edge[], anew = false): Promise<BoxedGraph<Edge>> {
    const boxes = folderBoxes(nodes);
    const known = nodes.filter(({ activity }) => this.places.has(activity) && !isTerminal(activity)).length;
    const inherited = nodes.filter(({ collapsed }) => collapsed !== null && this.boxOf(collapsed) !== undefined).length;
    const activities = nodes.filter(({ activity }) => !isTerminal(activity)).length;
    const isAnew = anew || 2 * (known + inherited) < activities || this.places.size === 0;
    const placed = isAnew ? await this.layOutAnew(nodes, edges, boxes) : this.fitIn(nodes, edges, boxes);
    for (const { activity, folder } of nodes) this.folders.set(activity, folder);
    this.shown = new Set(nodes.map(({ activity }) => activity));
    return { ...placed, isAnew };
  }

  private async layOutAnew(
    nodes: readonly WantedNode[],
    edges: readonly Edge[],
    boxes: readonly FolderBox[],
  ): Promise<Omit<BoxedGraph<Edge>, 'isAnew'>> {
    const sizes = new Map<string, Size>(nodes.map(({ activity, width, height }) => [activity, { width, height }]));
    const placed = await placeGraph(this.engine, sizes, edges, boxes);
    this.places.clear();
    this.routes.clear();
    this.folders.clear();
    for (const { activity, ...place } of placed.nodes) this.places.set(activity, place);
    for (const { edge, points, label } of placed.edges) this.routes.set(keyOf(edge), { points, label });
    return { ...placed, origin: { x: 0, y: 0 }, boxes: placedBoxes(boxes, this.places) };
  }

  private fitIn(
    nodes: readonly WantedNode[],
    edges: readonly Edge[],
    boxes: readonly FolderBox[],
  ): Omit<BoxedGraph<Edge>, 'isAnew'> {
    const standing = new Map<string, Rectangle>();
    const moved = new Set<string>();
    const homeless: WantedNode[] = [];
    const isShown = ({ activity }: WantedNode): number => (this.shown.has(activity) ? 0 : 1);
    for (const node of [...nodes].sort((a, b) => isShown(a) - isShown(b))) {
      const place = this.formerPlace(node);
      if (place === undefined || [...standing.values()].some((other) => overlap(place, other))) homeless.push(node);
      else standing.set(node.activity, place);
    }
    for (const node of homeless) {
      const centre = this.bestCentre(node, edges, standing);
      const suits = boxesStayApart(node.activity, boxes, standing);
      standing.set(node.activity, freePlace(node, centre, [...standing.values()], suits));
      moved.add(node.activity);
    }
    for (const [activity, place] of standing) this.places.set(activity, place);
    return this.drawn(nodes, this.routed(edges, standing, moved), standing, boxes);
  }

  /** Its own place; with another text it is of another size, and its top and middle stay. */
  private formerPlace({ activity, width, height }: WantedNode): Rectangle | undefined {
    const place = this.places.get(activity);
    if (place === undefined) return undefined;
    return { x: place.x + (place.width - width) / 2, y: place.y, width, height };
  }

  /** Where the activities of a folder stood when they were last seen. */
  private boxOf(folder: string): Rectangle | undefined {
    const inside = [...this.folders]
      .filter(([, of]) => of !== null && (of === folder || of.startsWith(`${folder}/`)))
      .flatMap(([activity]) => this.places.get(activity) ?? []);
    return inside.length === 0 ? undefined : around(inside);
  }

  private bestCentre(node: WantedNode, edges: readonly Edge[], standing: ReadonlyMap<string, Rectangle>): Point {
    const box = node.collapsed === null ? this.collapsedAbove(node) : this.boxOf(node.collapsed);
    if (box !== undefined) return middleOf(box);
    const near = edges
      .flatMap(({ from, to }) => (from === node.activity ? [to] : to === node.activity ? [from] : []))
      .flatMap((activity) => standing.get(activity) ?? []);
    const mates = node.folder === null ? undefined : this.boxOf(node.folder);
    if (mates !== undefined) return middleOf(mates);
    const all = near.length > 0 ? near : [...standing.values()];
    const centres = all.map(middleOf);
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    return all.length === 0
      ? { x: 0, y: 0 }
      : { x: mean(centres.map(({ x }) => x)), y: mean(centres.map(({ y }) => y)) };
  }

  /** Where the folder stood that held the node while it was collapsed. */
  private collapsedAbove({ folder }: WantedNode): Rectangle | undefined {
    for (let at = folder; at !== null && at !== ''; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : null) {
      const place = this.places.get(`${at}/**`);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  private routed(
    edges: readonly Edge[],
    standing: ReadonlyMap<string, Rectangle>,
    moved: ReadonlySet<string>,
  ): PlacedEdge<Edge>[] {
    const lanes = new Map<string, number>();
    return edges.map((edge) => {
      const key = keyOf(edge);
      const from = standing.get(edge.from)!;
      const to = standing.get(edge.to)!;
      const former = moved.has(edge.from) || moved.has(edge.to) ? undefined : this.routes.get(key);
      if (former !== undefined && touches(former.points[0], from) && touches(former.points.at(-1), to))
        return { edge, ...former };
      const lane = lanes.get(edge.from) ?? 0;
      lanes.set(edge.from, lane + 1);
      const obstacles = [...standing.values()].filter((place) => place !== from && place !== to);
      const points = routeEdge(from, to, obstacles, lane);
      const route = { points, label: middleOfLongest(points) };
      this.routes.set(key, route);
      return { edge, ...route };
    });
  }

  private drawn(
    nodes: readonly WantedNode[],
    edges: readonly PlacedEdge<Edge>[],
    standing: ReadonlyMap<string, Rectangle>,
    boxes: readonly FolderBox[],
  ): Omit<BoxedGraph<Edge>, 'isAnew'> {
    const drawnBoxes = placedBoxes(boxes, standing);
    const points = edges.flatMap((edge) => edge.points.map((point) => ({ ...point, width: 0, height: 0 })));
    const everything = [...standing.values(), ...drawnBoxes, ...points];
    const whole = everything.length === 0 ? { x: 0, y: 0, width: 0, height: 0 } : around(everything);
    return {
      origin: { x: whole.x - BOX_PADDING, y: whole.y - BOX_PADDING },
      width: whole.width + 2 * BOX_PADDING,
      height: whole.height + 2 * BOX_PADDING,
      nodes: nodes.map(({ activity }) => ({ activity, ...standing.get(activity)! })),
      edges,
      boxes: drawnBoxes,
    };
  }
}

function isTerminal(activity: string): boolean {
  return activity === START || activity === END;
}

function keyOf({ from, to }: CountedEdge): string {
  return `${from}\n${to}`;
}

function middleOf({ x, y, width, height }: Rectangle): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

function touches(point: Point | undefined, place: Rectangle): boolean {
  return point !== undefined && overlap({ ...point, width: 0, height: 0 }, place, 2);
}

/** Boxes around where their activities stand, inner ones last. */
function placedBoxes(boxes: readonly FolderBox[], places: ReadonlyMap<string, Rectangle>): PlacedBox[] {
  const parents = new Map(boxes.map(({ folder, parent }) => [folder, parent]));
  const rectangles = new Map<string, Rectangle>();
  // Inner boxes stand behind those that hold them: these are made of them.
  for (const { folder, activities } of [...boxes].reverse()) {
    const inner = boxes.filter(({ parent }) => parent === folder).map((box) => rectangles.get(box.folder)!);
    const own = activities.map((activity) => places.get(activity)!);
    const { x, y, width, height } = around([...inner, ...own]);
    rectangles.set(folder, {
      x: x - BOX_PADDING,
      y: y - BOX_HEADER,
      width: width + 2 * BOX_PADDING,
      height: height + BOX_HEADER + BOX_PADDING,
    });
  }
  return boxes.map(({ folder, activities }) => {
    let depth = 0;
    for (let at = parents.get(folder); at !== null && at !== undefined; at = parents.get(at)) depth++;
    return { folder, depth, activities, ...rectangles.get(folder)! };
  });
}

/**
 * Tells whether a node at a place would stand in the boxes of its folders only, and make none of them reach over others.
 * What does not depend on the place is worked out once: many places are tried.
 */
function boxesStayApart(
  activity: string,
  boxes: readonly FolderBox[],
  standing: ReadonlyMap<string, Rectangle>,
): (place: Rectangle) => boolean {
  const foreign: Rectangle[] = [];
  const own: { members: Rectangle; others: Rectangle[] }[] = [];
  for (const { activities } of boxes) {
    const inside = new Set(activities);
    const members = activities.flatMap((member) => standing.get(member) ?? []);
    if (members.length === 0) continue;
    if (!inside.has(activity)) foreign.push(around(members));
    else {
      const others = [...standing].filter(([other]) => !inside.has(other)).map(([, at]) => at);
      own.push({ members: around(members), others });
    }
  }
  return (place) =>
    !foreign.some((box) => overlap(place, box, BOX_HEADER + 8)) &&
    own.every(({ members, others }) => {
      const box = around([members, place]);
      return !others.some((other) => overlap(box, other, BOX_PADDING));
    });
}
