import { CALL_MEASURES, type CallMeasure, type CallPlace, type CallTree } from '../../analysis/call-tree/call-tree.ts';

/**
 * The tree with each library as the one function of it that was called: what a library calls in itself is seldom looked
 * for. Recorded calls stay.
 */
export function withoutLibraryInsides(tree: CallTree): CallTree {
  const isInside = (node: number, caller: number): boolean => {
    const [own, above] = [placeAt(tree, node), placeAt(tree, caller)];
    if (own.kind !== 'library') return false;
    return above.kind === 'call' || (above.kind === 'library' && own.module === above.module);
  };
  // In terms of the old tree: which node stands for each.
  const standsFor = new Int32Array(tree.parent.length);
  tree.parent.forEach((caller, node) => {
    standsFor[node] = caller >= 0 && isInside(node, standsFor[caller]!) ? standsFor[caller]! : node;
  });
  return rebuilt(tree, standsFor, () => true);
}

/** Only the ways on which something matches a text, in its name or its file: all others amount to nothing. */
export function onlyMatching(tree: CallTree, text: string): CallTree {
  if (text === '') return tree;
  const isMatch = tree.places.map((place) => matches(place, text));
  const isOnWay = new Uint8Array(tree.parent.length);
  tree.parent.forEach((caller, node) => {
    isOnWay[node] = isMatch[tree.place[node]!] === true || (caller >= 0 && isOnWay[caller] === 1) ? 1 : 0;
  });
  return rebuilt(tree, Int32Array.from(tree.parent.keys()), (node) => isOnWay[node] === 1);
}

export function matches({ name, file, kind }: CallPlace, text: string): boolean {
  const wanted = text.toLowerCase();
  return wanted !== '' && kind !== 'rest' && `${name}\n${file}`.toLowerCase().includes(wanted);
}

export function placeAt(tree: CallTree, node: number): CallPlace {
  return tree.places[tree.place[node]!]!;
}

/** Where a node leads in the source: its own line, else that of the nearest caller that has one; undefined where none has. */
export function lineOf(tree: CallTree, node: number): { readonly place: CallPlace; readonly line: number } | undefined {
  for (let at = node; at > 0; at = tree.parent[at]!) {
    const place = placeAt(tree, at);
    if (place.kind === 'program' && tree.line[at]! > 0) return { place, line: tree.line[at]! };
  }
  return undefined;
}

/** @param standsFor the node that each becomes a part of: itself, or one of its callers. */
function rebuilt(tree: CallTree, standsFor: Int32Array, counts: (node: number) => boolean): CallTree {
  const entered = new Int32Array(tree.parent.length);
  const [parent, place, line]: [number[], number[], number[]] = [[], [], []];
  const amounts: Record<CallMeasure, number[]> = { timeNs: [], bytes: [], calls: [] };
  tree.parent.forEach((caller, node) => {
    if (standsFor[node] === node) {
      entered[node] = parent.push(caller < 0 ? -1 : entered[caller]!) - 1;
      place.push(tree.place[node]!);
      line.push(tree.line[node]!);
      for (const measure of CALL_MEASURES) amounts[measure].push(0);
    } else entered[node] = entered[standsFor[node]!] ?? 0;
    if (!counts(node)) return;
    const to = entered[node];
    for (const measure of CALL_MEASURES) amounts[measure][to]! += tree[measure][node]!;
  });
  return { ...tree, parent, place, line, ...amounts };
}
