import ELK from 'elkjs/lib/elk-api.js';
import { placeGraph, type Size } from '../../src/drawing/graph-layout.ts';
import type * as drawing from '../../src/drawing/graph-layout.ts';
import type { ViewEdge } from '../../src/messages/graph-messages.ts';

export type { PlacedNode, Size } from '../../src/drawing/graph-layout.ts';
export type PlacedEdge = drawing.PlacedEdge<ViewEdge>;
export type PlacedGraph = drawing.PlacedGraph<ViewEdge>;

/**
 * Lays graphs out in a web worker. The worker's text is fetched and started from a blob: a webview may not start a worker
 * from another origin.
 */
export class GraphLayout {
  private engine: Promise<InstanceType<typeof ELK>> | undefined;

  constructor(private readonly workerUrl: string) {}

  async place(sizes: ReadonlyMap<string, Size>, edges: readonly ViewEdge[]): Promise<PlacedGraph> {
    this.engine ??= startEngine(this.workerUrl);
    return placeGraph(await this.engine, sizes, edges);
  }
}

async function startEngine(workerUrl: string): Promise<InstanceType<typeof ELK>> {
  const response = await fetch(workerUrl);
  const url = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  return new ELK({ workerFactory: () => new Worker(url) });
}
