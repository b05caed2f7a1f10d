import { gatherFacts, WITHOUT_SHARES } from '../../analysis/comparison/gather-facts.ts';
import type { GraphFacts, RunFacts } from '../../analysis/comparison/run-facts.ts';
import { findInsights } from '../../analysis/triggers/evaluate.ts';
import type { OpenedRecording } from './opened-recording.ts';
import { linesOf, quotedSources, withheldNotes } from '../sources/quoted-sources.ts';

/** What is compared of an open recording, with the texts of its lines as they stand on this machine. */
export async function runFacts(name: string, recording: OpenedRecording, graph: GraphFacts): Promise<RunFacts> {
  const { trace, resolved, metrics, ignored, insights, costs, sourceReports } = recording;
  const callSites = recording.callSites();
  const stale = new Set(sourceReports.filter((report) => report.stale).map(({ source }) => source));
  const places = callSites.sites.map(({ file, line }) => ({ file: recording.localSource(file).file, line }));
  const files = places.map(({ file }) => file);
  const quoted = await quotedSources(files, recording.request);
  const lines = await linesOf(quoted, files);
  const facts = gatherFacts({
    recording: name,
    trace,
    resolved,
    callSites,
    metrics,
    ignored,
    insights,
    candidates: recording.estimatesOf(
      findInsights(trace, metrics, { ...recording.thresholds, ...WITHOUT_SHARES }, callSites),
    ).insights,
    graph,
    costs,
    source: (recorded) => {
      const { file, isHere } = recording.localSource(recorded);
      return {
        file,
        isHere,
        isCurrent: isHere && !stale.has(recorded),
        text: (line) => lines.get(file)?.[line - 1] ?? recording.keptLine(recorded, line) ?? '',
      };
    },
  });
  const found = new Set(insights.flatMap(({ sites }) => sites.map(({ site }) => site)));
  const notes = withheldNotes(
    quoted,
    places.filter((_, site) => found.has(site)),
  );
  return { ...facts, notes: [...facts.notes, ...notes] };
}
