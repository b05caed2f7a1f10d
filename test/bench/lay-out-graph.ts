import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folderBoxes } from '../../src/drawing/graph/folder-boxes.ts';
import { placeGraph } from '../../src/drawing/graph/graph-layout.ts';
import { localLayoutEngine } from '../../src/export/graph/graph-svg.ts';
import { randomNumbers } from '../support/random-numbers.ts';

/**
 * Lays a graph of 300 activities with 900 edges out, as the view's worker does it (elkjs), and prints the milliseconds
 * with boxes and without, beside those of hashing that many bytes of this program over and over: for the machine's speed.
 */
const NODES = 300;
const EDGES_A_NODE = 3;
const FOLDERS = 30;

const number = randomNumbers(1);
const names = Array.from({ length: NODES }, (_, i) => `call${i}:/data/part${i % FOLDERS}`);
const sizes = new Map(names.map((name) => [name, { width: 150, height: 84 }]));
const edges = names.flatMap((from, i) =>
  Array.from({ length: EDGES_A_NODE }, () => {
    // As in a program: most of what follows is near.
    const near = Math.max(0, Math.min(NODES - 1, i + number(20) - 6));
    return { from, to: names[number(5) === 0 ? number(NODES) : near]!, count: 1 + number(1000) };
  }),
);
const boxes = folderBoxes(names.map((activity) => ({ activity, folder: activity.split(':')[1]! })));
const engine = await localLayoutEngine();

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** FNV-1a over 300 MB: work of a known amount. */
function hash(): number {
  const bytes = readFileSync(path.resolve(process.argv[1]!));
  let sum = 0x811c9dc5;
  for (let at = 0; at < 300e6; at++) sum = Math.imul(sum ^ bytes[at % bytes.length]!, 0x01000193);
  return sum;
}

await placeGraph(engine, new Map([...sizes].slice(0, 20)), []);
const plain = await timed(() => placeGraph(engine, sizes, edges));
const boxed = await timed(() => placeGraph(engine, sizes, edges, boxes));
const reference = await timed(() => Promise.resolve(hash()));
process.stdout.write(JSON.stringify({ plain, boxed, reference }));
