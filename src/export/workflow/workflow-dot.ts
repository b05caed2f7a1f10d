import { formatDuration, formatShare } from '../../base/quantities.ts';
import type {
  DependencyKind,
  RuntimeShare,
  WorkflowDocument,
  WorkflowJob,
} from '../../fleet/workflow/workflow-document.ts';
import { escaped } from '../graph/graph-dot.ts';

/** How each kind of dependency is drawn (Tschüter, section 4.4.3). */
const STYLES: Readonly<Record<DependencyKind, string>> = { declared: 'solid', data: 'dashed', time: 'dotted' };

/** The jobs and what they wait for in Graphviz's DOT language; the critical chain is drawn bold. */
export function workflowDot({ jobs, dependencies, files, criticalChain }: WorkflowDocument): string {
  const critical = new Set(criticalChain);
  const nodes = jobs.map((job, index) => {
    const bold = critical.has(index) ? ', penwidth=3' : '';
    return `job${index} [label="${labelOf(job)}"${bold}];`;
  });
  const edges = dependencies.map(({ kind, type, from, to, files: shared }) => {
    const [first, ...more] = shared;
    const path = first === undefined ? '' : escaped(files[first]!.path.split('/').at(-1)!);
    const label = kind === 'data' ? `${path}${more.length > 0 ? ` and ${more.length} more` : ''}` : escaped(type);
    const at = criticalChain.indexOf(to);
    const bold = at > 0 && criticalChain[at - 1] === from ? ', penwidth=3' : '';
    return `job${from} -> job${to} [style=${STYLES[kind]}, label="${label}"${bold}];`;
  });
  return `digraph workflow {
  rankdir=LR;
  node [shape=box, style=rounded, fontname="Helvetica"];
  edge [fontname="Helvetica"];
${[...nodes, ...edges].map((line) => `  ${line}`).join('\n')}
}
`;
}

function labelOf({ id, name, elapsed, share }: WorkflowJob): string {
  const lines = [`Job ${id}`, name, elapsed === null ? '' : formatDuration(elapsed * 1e9), shareText(share)];
  return lines
    .filter((line) => line !== '')
    .map(escaped)
    .join('\\n');
}

function shareText(share: RuntimeShare | null): string {
  if (share === null) return '';
  const whole = share.computation + share.communication + share.io;
  return `communication ${formatShare(share.communication / whole)}, I/O ${formatShare(share.io / whole)}`;
}
