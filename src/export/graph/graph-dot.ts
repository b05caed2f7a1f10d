import { END, START, type DirectlyFollowsGraph, type GraphEdge, type GraphNode } from '../../analysis/dfg/graph.ts';
import { darknessOf, type ShadedBy } from '../../drawing/graph/node-costs.ts';
import { measuresText } from './graph-node-text.ts';

/** Shades of blue for statistics colouring, light to dark (section IV-C of the paper). */
const BLUES = ['#f7fbff', '#deebf7', '#c6dbef', '#9ecae1', '#6baed6', '#4292c6', '#2171b5', '#084594'];
const PARTITION_COLOURS = { green: '#a1d99b', red: '#fc9272' } as const;

/**
 * The graph in Graphviz's DOT language, labelled and coloured as the paper's figures: "Load" is the relative duration with
 * the bytes (equation 10), "DR" the max-concurrency times the process data rate (equation 17). Where a tracer is in the
 * recorded times, these are called recorded; what calls cost without it stands above them and gives the colour.
 * @param edgeLabel what stands at an edge: its count.
 * @param shadedBy what the blue of nodes goes by.
 */
export function graphDot(
  graph: DirectlyFollowsGraph,
  edgeLabel: (edge: GraphEdge) => string = ({ count }) => String(count),
  shadedBy: ShadedBy = 'cost',
): string {
  const partitioned = graph.nodes.some(({ partition }) => partition !== null);
  const darkness = darknessOf(graph.nodes, shadedBy);
  const lines = graph.nodes.map((node) => nodeLine(node, partitioned, darkness(node)));
  const edges = graph.edges.map((edge) => edgeLine(edge, edgeLabel(edge)));
  return `digraph dfg {
  node [shape=box, style="rounded,filled", fontname="Helvetica"];
  edge [fontname="Helvetica"];
  ${quoted(START)} [shape=circle, style=filled, fillcolor=black, label="", width=0.2];
  ${quoted(END)} [shape=square, style=filled, fillcolor=black, label="", width=0.2];
${[...lines, ...edges].map((line) => `  ${line}`).join('\n')}
}
`;
}

function nodeLine(node: GraphNode, partitioned: boolean, darkness: number): string {
  const { partition } = node;
  const { cost, load, rate } = measuresText(node);
  const lines = [escaped(node.activity), cost, load, rate.replace('×', 'x')];
  const label = lines.filter((line) => line !== '').join('\\n');
  const shade = Math.min(BLUES.length - 1, Math.floor(darkness * BLUES.length));
  const fill = partitioned
    ? partition === 'green' || partition === 'red'
      ? PARTITION_COLOURS[partition]
      : 'white'
    : BLUES[shade]!;
  const text = !partitioned && shade > 4 ? ', fontcolor=white' : '';
  return `${quoted(node.activity)} [label="${label}", fillcolor="${fill}"${text}];`;
}

function edgeLine({ from, to, partition }: GraphEdge, label: string): string {
  const colour =
    partition === 'green' || partition === 'red' ? `, color="${partition === 'green' ? '#31a354' : '#de2d26'}"` : '';
  return `${quoted(from)} -> ${quoted(to)} [label="${label}"${colour}];`;
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** Paths come from recordings: quotes, backslashes and line ends must not leave the label. */
export function escaped(text: string): string {
  return (
    text
      .replaceAll('\\', '\\\\')
      .replaceAll('"', '\\"')
      .replace(/[\r\n]/g, ' ')
      // oxlint-disable-next-line no-control-regex -- a terminal must not obey a path
      .replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')
  );
}
