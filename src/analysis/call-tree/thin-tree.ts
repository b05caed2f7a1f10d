import { CALL_MEASURES, type CallMeasure, type CallPlace, type CallTree } from './call-tree.ts';

/** Nodes that a page is sent: more than anybody unfolds. */
const MOST_NODES = 20_000;

/**
 * The tree without its smallest branches, where it has too many: what they amount to stands at their callers as `(small)`,
 * so that all sums stay what they were.
 */
export function thinTree(tree: CallTree, most = MOST_NODES): CallTree {
  if (tree.parent.length <= most) return tree;
  const kept = dearest(tree, most);
  const small: CallPlace = { ...REST, name: '(small)' };
  const places = [...tree.places, small];
  const parent: number[] = [];
  const place: number[] = [];
  const line: number[] = [];
  const amounts: Record<CallMeasure, number[]> = { timeNs: [], bytes: [], calls: [] };
  const entered = new Int32Array(tree.parent.length);
  const smallBelow = new Map<number, number>();
  const enter = (caller: number, of: number, at: number): number => {
    place.push(of);
    line.push(at);
    for (const measure of CALL_MEASURES) amounts[measure].push(0);
    return parent.push(caller) - 1;
  };
  tree.parent.forEach((caller, node) => {
    const above = caller < 0 ? -1 : entered[caller]!;
    let to: number;
    if (kept[node] === 1) to = enter(above, tree.place[node]!, tree.line[node]!);
    else if (places[place[above]!] === small) to = above;
    else {
      to = smallBelow.get(above) ?? enter(above, places.length - 1, 0);
      smallBelow.set(above, to);
    }
    entered[node] = to;
    for (const measure of CALL_MEASURES) amounts[measure][to]! += tree[measure][node]!;
  });
  return { ...tree, places, parent, place, line, ...amounts };
}

const REST = { kind: 'rest', operation: '', file: '', isHere: false, module: '' } as const;

/** 1 for the nodes that are largest by any measure; with a node all its callers, which are as large. */
function dearest(tree: CallTree, most: number): Uint8Array {
  const nodes = tree.parent.length;
  const share = new Float64Array(nodes);
  for (const measure of CALL_MEASURES) {
    const whole = Float64Array.from(tree[measure]);
    for (let node = nodes - 1; node > 0; node--) whole[tree.parent[node]!]! += whole[node]!;
    for (let node = 0; node < nodes; node++) share[node] = Math.max(share[node]!, whole[node]! / (whole[0]! || 1));
  }
  // Callers come first where both are as large.
  const order = Array.from(share.keys()).sort((a, b) => share[b]! - share[a]! || a - b);
  const kept = new Uint8Array(nodes);
  for (const node of order.slice(0, most)) kept[node] = 1;
  return kept;
}
