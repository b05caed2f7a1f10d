import { boxOfActivity, folderBoxes } from '../../src/drawing/graph/folder-boxes.ts';
import type { ViewGraph } from '../../src/features/graph/protocol.ts';

/** The graph with names that do not repeat what their folder's box says. What was thinned out changes no name: nodes stay. */
export function withShortNames(graph: ViewGraph): ViewGraph {
  const boxes = boxOfActivity(folderBoxes(graph.nodes));
  const nodes = graph.nodes.map((node) => {
    const box = boxes.get(node.activity)?.slice(graph.within.length);
    const { subtitle } = node.text;
    if (box === undefined || node.collapsed !== undefined) return node;
    const short = nameIn(subtitle, box);
    return short === subtitle ? node : { ...node, text: { ...node.text, subtitle: short } };
  });
  return { ...graph, nodes };
}

/** A path as it is called within a folder; the folder itself keeps its last part. */
export function nameIn(path: string, folder: string): string {
  if (path === folder) return path.slice(path.lastIndexOf('/') + 1);
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
