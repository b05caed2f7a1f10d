import { getOrCreate } from '../../base/grouping.ts';
import type { RecordedReplay } from './recorded-replay.ts';

/** What a task does between two synchronisations. */
interface IoNode {
  readonly kind: 'I/O';
  readonly task: number;
  readonly operations: number;
  readonly bytes: number;
}

/** A token from one task to another, or a barrier. */
interface SynchronisationNode {
  readonly kind: 'synchronisation';
  readonly tasks: readonly number[];
}

/** The graph of Knüpfer et al., section 2 and Fig. 1: edges lead from what is before to what is behind. */
interface DependencyGraph {
  readonly nodes: readonly (IoNode | SynchronisationNode)[];
  /** Indices of nodes; `task` is whose way the edge is. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly task: number }[];
}

/** The dependency graph that the tokens of a replay's tasks make. */
export function dependencyGraph({ tasks }: RecordedReplay): DependencyGraph {
  const nodes: (IoNode | SynchronisationNode)[] = [];
  const edges: { from: number; to: number; task: number }[] = [];
  /** Synchronisation nodes by what meets there, and the how-manieth time. */
  const meetings = new Map<string, number>();
  tasks.forEach(({ steps }, task) => {
    const times = new Map<string, number>();
    let last = -1;
    let io: { -readonly [Key in keyof IoNode]: IoNode[Key] } | undefined;
    const goTo = (node: number): void => {
      if (last >= 0) edges.push({ from: last, to: node, task });
      last = node;
    };
    for (const { operation } of steps) {
      const met = meetingOf(operation, task, tasks.length);
      if (met === undefined) {
        if (io === undefined) {
          io = { kind: 'I/O', task, operations: 0, bytes: 0 };
          goTo(nodes.push(io) - 1);
        }
        io.operations++;
        if ('bytes' in operation) io.bytes += Number(operation.bytes);
        // A recording's transfers of MPI count bytes.
        else if ('datatype' in operation) io.bytes += Number(operation.count);
        continue;
      }
      io = undefined;
      const time = times.get(met.key) ?? 0;
      times.set(met.key, time + 1);
      const key = `${met.key} ${time}`;
      const node = getOrCreate(meetings, key, () => nodes.push({ kind: 'synchronisation', tasks: met.tasks }) - 1);
      goTo(node);
    }
  });
  return { nodes, edges };
}

function meetingOf(
  operation: { readonly operation: string; readonly peer?: unknown; readonly tasks?: unknown },
  task: number,
  size: number,
): { readonly key: string; readonly tasks: readonly number[] } | undefined {
  switch (operation.operation) {
    case 'send_sync':
      return { key: `${task} to ${Number(operation.peer)}`, tasks: [task, Number(operation.peer)] };
    case 'recv_sync':
      return { key: `${Number(operation.peer)} to ${task}`, tasks: [Number(operation.peer), task] };
    case 'barrier': {
      const tasks =
        (operation.tasks as readonly number[] | undefined) ?? Array.from({ length: size }, (_, rank) => rank);
      return { key: `barrier ${tasks.join(' ')}`, tasks };
    }
    default:
      return undefined;
  }
}

/** The graph for Graphviz; a column for each task. */
export function dependencyDot({ nodes, edges }: DependencyGraph): string {
  const lines = nodes.map((node, i) => {
    if (node.kind === 'synchronisation') return `  n${i} [shape=ellipse, label="sync ${node.tasks.join(', ')}"];`;
    return `  n${i} [shape=box, group=t${node.task}, label="task ${node.task}\\n${node.operations} operations\\n${node.bytes} bytes"];`;
  });
  const ways = edges.map(({ from, to, task }) => `  n${from} -> n${to} [tooltip="task ${task}"];`);
  return ['digraph dependencies {', ...lines, ...ways, '}', ''].join('\n');
}
