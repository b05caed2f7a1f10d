import type { ReportMaterial, SourceExcerpts } from '../../export/report/report-material.ts';
import { EXCERPT_REACH, fileAmounts } from '../../export/report/report-material.ts';
import type { AnalysisDocument, GraphDocument } from '../../export/analysis/documents.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { linesOf, quotedSources, type SourceFolders } from '../../session/sources/quoted-sources.ts';
import { analysisOf } from '../findings/answers.ts';
import { graphOf } from '../graph/answers.ts';
import { PLAIN_GRAPH } from '../graph/methods.ts';
import { callTreeOf } from './call-tree-of.ts';
import { sitesOf } from '../lines/answers.ts';

/** A graph of more nodes than this is hard to read on a page: the next coarser mapping is taken. */
const READABLE_NODES = 40;
const FINER_MAPPINGS = ['call+path:2', 'call+path:1'];

/** Gathers what a report shows of open recordings. */
export async function reportMaterial(opened: readonly OpenedRecording[]): Promise<ReportMaterial> {
  const analysis = await analysisOf(opened);
  const recordings = [];
  for (const recording of opened) {
    recordings.push({
      recording: recording.request.paths.join(' '),
      sites: sitesOf(recording, 'line'),
      files: fileAmounts(recording.trace, recording.metrics),
      graph: await readableGraph(recording),
      job: recording.job,
      callTree: callTreeOf(recording),
    });
  }
  return { analysis, recordings, excerpts: await sourceExcerpts(analysis, opened) };
}

async function readableGraph(recording: OpenedRecording): Promise<GraphDocument> {
  for (const mapping of FINER_MAPPINGS) {
    const made = await graphOf(recording, { ...PLAIN_GRAPH, mapping, ownFilesOnly: true });
    if (made.nodes.length <= READABLE_NODES) return made;
  }
  return graphOf(recording, { ...PLAIN_GRAPH, mapping: 'call', ownFilesOnly: true });
}

/** What the user named for any of the recordings. */
function foldersOf(opened: readonly OpenedRecording[]): SourceFolders {
  return {
    workspaceFolders: opened.flatMap(({ request }) => request.workspaceFolders),
    pathRules: opened.flatMap(({ request }) => request.pathRules),
    learnedRules: opened.flatMap(({ request }) => request.learnedRules),
  };
}

/** The lines around each site and those of its callers. */
async function sourceExcerpts(
  { insights }: AnalysisDocument,
  opened: readonly OpenedRecording[],
): Promise<SourceExcerpts> {
  const wanted = new Map<string, Set<number>>();
  const want = (file: string, line: number, reach: number): void => {
    if (line <= 0) return;
    const lines = wanted.get(file) ?? new Set();
    for (let at = Math.max(1, line - reach); at <= line + reach; at++) lines.add(at);
    wanted.set(file, lines);
  };
  for (const site of insights.flatMap(({ sites }) => sites)) {
    want(site.file, site.line, EXCERPT_REACH);
    for (const frame of site.stack.slice(site.depth)) want(frame.file, frame.line, 0);
    for (const { file, line } of site.closedAt) want(file, line, 0);
  }
  const texts = await linesOf(await quotedSources(wanted.keys(), foldersOf(opened)), wanted.keys());
  const excerpts = new Map<string, ReadonlyMap<number, string>>();
  for (const [file, lines] of wanted) {
    const here = texts.get(file);
    const kept = (line: number): string | undefined =>
      opened.map((recording) => recording.keptLine(file, line)).find((text) => text !== undefined);
    const known = [...lines].flatMap((line): [number, string][] => {
      const text = here === undefined ? kept(line) : here[line - 1];
      return text === undefined ? [] : [[line, text]];
    });
    if (known.length > 0) excerpts.set(file, new Map(known));
  }
  return excerpts;
}
