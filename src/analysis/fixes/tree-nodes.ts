import type { Node, Tree } from 'web-tree-sitter';

/** Nodes of whole trees by type: a walk through a large file takes long, and many questions need the same. */
const known = new WeakMap<Tree, Map<string, Node[]>>();

/** All nodes of some types below one; of a whole file they are looked for once. */
export function nodesOf(root: Node, types: readonly string[]): Node[] {
  if (root.parent !== null) return root.descendantsOfType([...types]);
  const kinds = known.get(root.tree) ?? new Map<string, Node[]>();
  known.set(root.tree, kinds);
  const key = types.join(' ');
  const found = kinds.get(key) ?? root.descendantsOfType([...types]);
  kinds.set(key, found);
  return found;
}
