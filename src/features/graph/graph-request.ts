import { comparedGraph, type ComparedSides } from '../../export/comparison/compared-graph.ts';
import type { GraphDocument } from '../../export/analysis/documents.ts';
import { comparedNodeText, folderOfAll, graphNodeText } from '../../export/graph/graph-node-text.ts';
import { formatCount } from '../../base/quantities.ts';
import type { GraphChoices, ViewGraph, ViewNode } from './protocol.ts';
import type { GraphRequest } from './methods.ts';
import type { OpenRecording } from '../recordings/recordings.ts';

/** What the choices of the view ask the session for. */
export function graphRequest(choices: GraphChoices, siteVariables: GraphRequest['siteVariables']): GraphRequest {
  const globs = (text: string): string[] => text.split(/[\s,]+/).filter((glob) => glob !== '');
  const isCompared = choices.base.length > 0;
  return {
    mapping: mappingText(choices),
    siteVariables,
    pathFilter: choices.pathFilter,
    withoutCalls: [],
    ownFilesOnly: !choices.systemFiles,
    grouping: choices.grouping,
    layer: choices.layer,
    green: isCompared ? [] : globs(choices.green),
    red: isCompared ? [] : globs(choices.red),
  };
}

/** The mapping as a text that names it for everybody: also for a selection, which must mean the same activities. */
function mappingText({ mapping, levels, rules, collapsed }: GraphChoices): string {
  const fixed = mapping === 'call+path' || mapping === 'path' ? `${mapping}:${levels}` : mapping;
  if (mapping !== 'rules') return collapsed.length === 0 ? fixed : JSON.stringify({ base: fixed, collapsed });
  const document = parsed(rules);
  const isPlain = typeof document === 'object' && document !== null && !Array.isArray(document);
  return isPlain ? JSON.stringify({ ...document, collapsed }) : NO_RULES;
}

/** What the session refuses in words. */
const NO_RULES = '{';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Plain data of the graph for the view; with a base, both laid over each other. */
export function viewGraph(
  document: GraphDocument,
  recording: OpenRecording,
  base?: { readonly document: GraphDocument; readonly name: string },
): ViewGraph {
  const graph = base === undefined ? document : comparedGraph(base.document, document);
  const within = folderOfAll(graph.nodes);
  return {
    recording: recording.name,
    paths: recording.paths,
    cases: graph.cases,
    events: graph.events,
    within,
    hidden: graph.hidden,
    nodes: graph.nodes.map((node) => viewNode(node, within)),
    edges: graph.edges,
    activityLog: graph.activityLog,
    warnings: graph.warnings,
    layers: document.layers,
    base: base?.name ?? null,
  };
}

function viewNode(
  node: GraphDocument['nodes'][number] & { readonly compared?: ComparedSides },
  within: string,
): ViewNode {
  const { sites, compared, ...statistics } = node;
  return {
    ...statistics,
    text: compared === undefined ? graphNodeText(node, within) : comparedNodeText(node, compared, within),
    places: sites
      .filter(({ line }) => line > 0)
      .map(({ file, line, events }) => ({
        label: `${file.split('/').at(-1)!}:${line} (${formatCount(events)})`,
        file,
        line,
      })),
  };
}
