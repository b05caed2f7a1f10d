/** Columns and rows for jobs that depend on each other: layers of the longest path, few crossings (Sugiyama's method). */

interface Edge {
  readonly from: number;
  readonly to: number;
}

export interface Columns {
  /**
   * Of each node: jobs first, by their number, then the bends of arrows that pass a column. Jobs without any arrow are in
   * no column: -1.
   */
  readonly column: readonly number[];
  readonly row: readonly number[];
  /** Of each edge the nodes that it goes through, both ends included. */
  readonly ways: readonly (readonly number[])[];
  /** Nodes by column, from top to bottom. */
  readonly order: readonly (readonly number[])[];
}

/** So many bends are worth the time that it takes to order them; more arrows go straight. */
const MOST_BENDS = 4_000;
const SWEEPS = 8;

/**
 * @param count of jobs.
 * @param edges between them. One that closes a circle is drawn, but has no say in the order.
 */
export function arrangeInColumns(count: number, edges: readonly Edge[]): Columns {
  const place = columnsOf(count, edges);
  const column: number[] = [...place];
  const ways = edges.map((edge) => withBends(edge, column));
  const order = inOrder(column);
  const near = neighbours(column, ways);
  for (let sweep = 0; sweep < SWEEPS; sweep++) sortColumns(order, near, sweep % 2 === 0);
  return { column, row: rowsOf(order, near, column.length), ways, order };
}

/** The length of the longest way to each job; -1 for those without any edge. */
function columnsOf(count: number, edges: readonly Edge[]): number[] {
  const after = Array.from({ length: count }, (): number[] => []);
  const waits = new Array<number>(count).fill(0);
  const column = new Array<number>(count).fill(-1);
  for (const { from, to } of edges) {
    after[from]!.push(to);
    waits[to]!++;
    column[from] = column[to] = 0;
  }
  const done = new Array<boolean>(count).fill(false);
  const free = waits.flatMap((number, job) => (number === 0 ? [job] : []));
  let oldest = 0;
  for (let taken = 0; taken < count; taken++) {
    // Only a circle is left: the first job of it begins.
    while (free.length === 0 && done[oldest] === true) oldest++;
    const job = free.shift() ?? oldest;
    done[job] = true;
    for (const next of after[job]!) {
      if (done[next] === true) continue;
      column[next] = Math.max(column[next]!, column[job]! + 1);
      waits[next]!--;
      if (waits[next] === 0) free.push(next);
    }
  }
  return column;
}

/** Adds a node for each column that an edge passes; both ends alone where it goes back, or there are too many. */
function withBends({ from, to }: Edge, column: number[]): number[] {
  const way = [from];
  const between = column[to]! - column[from]! - 1;
  const jobs = column.length;
  if (between > 0 && jobs + between < MOST_BENDS)
    for (let passed = column[from]! + 1; passed < column[to]!; passed++) {
      way.push(column.length);
      column.push(passed);
    }
  way.push(to);
  return way;
}

function inOrder(column: readonly number[]): number[][] {
  const order: number[][] = [];
  column.forEach((at, node) => {
    if (at >= 0) (order[at] ??= []).push(node);
  });
  return order;
}

interface Neighbours {
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

function neighbours(column: readonly number[], ways: readonly (readonly number[])[]): Neighbours {
  const before = column.map((): number[] => []);
  const after = column.map((): number[] => []);
  for (const way of ways)
    for (let i = 1; i < way.length; i++) {
      const [from, to] = [way[i - 1]!, way[i]!];
      if (column[to] !== column[from]! + 1) continue;
      after[from]!.push(to);
      before[to]!.push(from);
    }
  return { before, after };
}

/** Moves each node to the middle of its neighbours in the column that was sorted before. */
function sortColumns(order: number[][], { before, after }: Neighbours, isForwards: boolean): void {
  const at = new Map<number, number>();
  for (const nodes of order) nodes.forEach((node, i) => at.set(node, i));
  const near = isForwards ? before : after;
  const columns = isForwards ? order : [...order].reverse();
  for (const nodes of columns) {
    const middle = new Map(
      nodes.map((node) => [node, mean(near[node]!.map((other) => at.get(other)!)) ?? at.get(node)!]),
    );
    nodes.sort((a, b) => middle.get(a)! - middle.get(b)!);
    nodes.forEach((node, i) => at.set(node, i));
  }
}

/** Rows as near to those of the neighbours as their order allows, no two nodes of a column in the same. */
function rowsOf(order: readonly (readonly number[])[], { before, after }: Neighbours, count: number): number[] {
  const row = new Array<number>(count).fill(0);
  for (const nodes of order) nodes.forEach((node, i) => (row[node] = i));
  const pass = (columns: readonly (readonly number[])[], near: readonly (readonly number[])[]): void => {
    for (const nodes of columns) {
      const wanted = nodes.map((node) => mean(near[node]!.map((other) => row[other]!)) ?? row[node]!);
      const given = spread(wanted);
      nodes.forEach((node, i) => (row[node] = given[i]!));
    }
  };
  pass(order, before);
  pass([...order].reverse(), after);
  pass(order, before);
  const first = order.reduce((least, nodes) => Math.min(least, row[nodes[0]!]!), Infinity);
  return row.map((each) => each - (Number.isFinite(first) ? first : 0));
}

/**
 * Whole numbers that rise by at least one and are as near as can be to the wanted ones (pool adjacent violators).
 * @param wanted in the order that is to be kept.
 */
export function spread(wanted: readonly number[]): number[] {
  const pools: { sum: number; size: number }[] = [];
  wanted.forEach((value, i) => {
    pools.push({ sum: value - i, size: 1 });
    for (;;) {
      const [last, before] = [pools.at(-1)!, pools.at(-2)];
      if (before === undefined || before.sum / before.size <= last.sum / last.size) break;
      pools.pop();
      before.sum += last.sum;
      before.size += last.size;
    }
  });
  return pools
    .flatMap(({ sum, size }) => new Array<number>(size).fill(Math.round(sum / size)))
    .map((value, i) => value + i);
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
