import type { ReportMaterial, SourceExcerpts } from '../export/report-material.ts';
import { EXCERPT_REACH, fileAmounts } from '../export/report-material.ts';
import type { AnalysisDocument, GraphDocument } from '../export/documents.ts';
import { isSourceName, readLines } from './local-files.ts';
import type { OpenedRecording } from './opened-recording.ts';
import { PLAIN_GRAPH, type GraphRequest, type Session } from './session.ts';

/** A graph of more nodes than this is hard to read on a page: the next coarser mapping is taken. */
const READABLE_NODES = 40;
const FINER_MAPPINGS = ['call+path:2', 'call+path:1'];

/** Gathers what a report shows of open recordings. */
export async function reportMaterial(
  session: Session,
  opened: readonly { readonly id: number; readonly recording: OpenedRecording }[],
): Promise<ReportMaterial> {
  const analysis = await session.analysis(opened.map(({ id }) => id));
  const recordings = [];
  for (const { id, recording } of opened) {
    recordings.push({
      recording: recording.request.paths.join(' '),
      sites: await session.sites(id, 'line'),
      files: fileAmounts(recording.trace, recording.metrics),
      graph: await readableGraph((request) => session.graph(id, request)),
      job: recording.job,
    });
  }
  return { analysis, recordings, excerpts: await sourceExcerpts(analysis) };
}

async function readableGraph(graph: (request: GraphRequest) => Promise<GraphDocument>): Promise<GraphDocument> {
  for (const mapping of FINER_MAPPINGS) {
    const made = await graph({ ...PLAIN_GRAPH, mapping, ownFilesOnly: true });
    if (made.nodes.length <= READABLE_NODES) return made;
  }
  return graph({ ...PLAIN_GRAPH, mapping: 'call', ownFilesOnly: true });
}

/**
 * The lines around each site and those of its callers. Paths come from a recording: only what is named as source files are
 * is read, so that a report that is passed on holds no other file of this machine.
 */
async function sourceExcerpts({ insights }: AnalysisDocument): Promise<SourceExcerpts> {
  const wanted = new Map<string, Set<number>>();
  const want = (file: string, line: number, reach: number): void => {
    if (line <= 0 || !isSourceName(file)) return;
    const lines = wanted.get(file) ?? new Set();
    for (let at = Math.max(1, line - reach); at <= line + reach; at++) lines.add(at);
    wanted.set(file, lines);
  };
  for (const site of insights.flatMap(({ sites }) => sites)) {
    if (site.isHere) want(site.file, site.line, EXCERPT_REACH);
    for (const frame of site.stack.slice(site.depth)) want(frame.file, frame.line, 0);
    for (const { file, line } of site.closedAt) want(file, line, 0);
  }
  const texts = await readLines(wanted.keys());
  const excerpts = new Map<string, ReadonlyMap<number, string>>();
  for (const [file, lines] of texts) {
    const known = [...wanted.get(file)!].flatMap((line): [number, string][] => {
      const text = lines[line - 1];
      return text === undefined ? [] : [[line, text]];
    });
    excerpts.set(file, new Map(known));
  }
  return excerpts;
}
