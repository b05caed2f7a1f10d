import ELK from 'elkjs/lib/elk-api.js';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { LayoutEngine } from '../../src/drawing/graph/graph-layout.ts';
import type { BoxedGraph, PlacedBox as Box } from '../../src/drawing/graph/stable-layout.ts';
import type { DrawnEdge } from '../../src/drawing/graph/thin-graph.ts';

export type { PlacedNode, Size } from '../../src/drawing/graph/graph-layout.ts';
/** An edge with the text that stands on it. */
export type LabelledEdge = DrawnEdge & { readonly label: string };
export type PlacedGraph = BoxedGraph<LabelledEdge>;
export type PlacedEdge = PlacedGraph['edges'][number];
export type PlacedBox = Box;

/**
 * elkjs in a web worker, started with the first layout, from a blob: a webview may not start a worker from another
 * origin.
 */
export class WorkerEngine implements LayoutEngine {
  private engine: Promise<InstanceType<typeof ELK>> | undefined;

  /** @param script gives the text of elkjs' worker. */
  constructor(private readonly script: () => Promise<string>) {}

  async layout(graph: ElkNode): Promise<ElkNode> {
    this.engine ??= startEngine(this.script);
    return (await this.engine).layout(graph);
  }
}

async function startEngine(script: () => Promise<string>): Promise<InstanceType<typeof ELK>> {
  const url = URL.createObjectURL(new Blob([await script()], { type: 'text/javascript' }));
  return new ELK({ workerFactory: () => new Worker(url) });
}
