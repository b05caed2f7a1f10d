import { gatherFacts, WITHOUT_SHARES } from '../analysis/comparison/gather-facts.ts';
import type { GraphFacts, RunFacts } from '../analysis/comparison/run-facts.ts';
import { findInsights } from '../analysis/triggers/evaluate.ts';
import { readLines } from './local-files.ts';
import type { OpenedRecording } from './opened-recording.ts';

/** What is compared of an open recording, with the texts of its lines as they stand on this machine. */
export async function runFacts(name: string, recording: OpenedRecording, graph: GraphFacts): Promise<RunFacts> {
  const { trace, resolved, metrics, ignored, insights, sourceReports } = recording;
  const callSites = recording.callSites();
  const stale = new Set(sourceReports.filter((report) => report.stale).map(({ source }) => source));
  const lines = await readLines(callSites.sites.map(({ file }) => recording.localSource(file).file));
  return gatherFacts({
    recording: name,
    trace,
    resolved,
    callSites,
    metrics,
    ignored,
    insights,
    candidates: findInsights(trace, metrics, { ...recording.thresholds, ...WITHOUT_SHARES }, callSites),
    graph,
    source: (recorded) => {
      const { file, isHere } = recording.localSource(recorded);
      return {
        file,
        isHere,
        isCurrent: isHere && !stale.has(recorded),
        text: (line) => lines.get(file)?.[line - 1] ?? '',
      };
    },
  });
}
