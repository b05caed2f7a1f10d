import picomatch from 'picomatch';
import { compareRuns } from '../../analysis/comparison/compare.ts';
import type { Comparison } from '../../analysis/comparison/comparison.ts';
import { graphFacts } from '../../analysis/comparison/gather-facts.ts';
import { commonFolder } from '../../analysis/comparison/match-paths.ts';
import { chanceOfNoise } from '../../analysis/comparison/measures.ts';
import type { GraphFacts, RunFacts } from '../../analysis/comparison/run-facts.ts';
import { groupCases } from '../../analysis/dfg/cases.ts';
import { directlyFollowsGraph, type GraphOptions } from '../../analysis/dfg/directly-follows-graph.ts';
import { parseMapping, type SiteVariable } from '../../analysis/dfg/mapping.ts';
import type { RunCosts } from '../../analysis/gain/run-costs.ts';
import { counts } from '../../analysis/metrics/ignored-files.ts';
import type { ComparedRun, ComparisonDocument } from '../../export/comparison/comparison-document.ts';
import type { OpenRecordings } from '../../session/reading/open-recordings.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { runFacts } from '../../session/reading/run-facts.ts';

/** How activities of the compared graphs are named. */
const MAPPING = 'call+path:2';
/** What stands in them for the folder of each run's files, where it is not the same one. */
const WORKING_FOLDER = '$FOLDER';

export class ComparisonAnswers {
  constructor(private readonly recordings: Pick<OpenRecordings, 'of' | 'budget'>) {}

  /** Compares open recordings; several of a side are repetitions of one run. */
  async compare(base: readonly number[], changed: readonly number[]): Promise<ComparisonDocument> {
    if (base.length === 0 || changed.length === 0) throw new RangeError('each side needs a recording');
    const named = (id: number): NamedRun => {
      const recording = this.recordings.of(id);
      return { name: recording.request.paths.join(' '), recording };
    };
    return compareNamed(base.map(named), changed.map(named));
  }

  /** Compares two groups of cases of one recording, named by globs as the graph's green and red ones. */
  async compareGroups(id: number, base: readonly string[], changed: readonly string[]): Promise<ComparisonDocument> {
    const whole = this.recordings.of(id);
    const name = whole.request.paths.join(' ');
    const groups: NamedRun[] = [];
    try {
      for (const globs of [base, changed]) {
        groups.push({ name: `${name} (${globs.join(', ')})`, recording: this.groupOf(whole, globs) });
      }
      return await compareNamed([groups[0]!], [groups[1]!]);
    } finally {
      for (const { recording } of groups) await recording.close();
    }
  }

  private groupOf(whole: OpenedRecording, globs: readonly string[]): OpenedRecording {
    const { trace } = whole;
    const { names, caseOfStream } = groupCases(trace, 'file');
    const matches = globs.length === 0 ? () => false : picomatch([...globs]);
    const wanted = names.map((each) => matches(each));
    if (!wanted.includes(true)) {
      const some = names.slice(0, 5).join(', ');
      throw new RangeError(
        `${globs.join(', ')}: matches none of the recording's cases (${some}${names.length > 5 ? ', …' : ''})`,
      );
    }
    if (trace.events.length === 0)
      throw new RangeError('the recording holds no calls, only counters: its ranks cannot be told apart');
    return whole.ofStreams((stream) => wanted[caseOfStream[stream]!]!, this.recordings.budget);
  }
}

interface NamedRun {
  readonly name: string;
  readonly recording: OpenedRecording;
}

async function compareNamed(base: readonly NamedRun[], changed: readonly NamedRun[]): Promise<ComparisonDocument> {
  const isTraced = [...base, ...changed].some(({ recording }) => recording.trace.form.tracerStopsProgram);
  const folders = [...base, ...changed].map(({ recording }) => folderOfFiles(recording));
  const isRenamed = new Set(folders).size > 1 && folders.every((folder) => folder.split('/').length > 2);
  const factsOf = async (runs: readonly NamedRun[], first: number): Promise<RunFacts[]> => {
    const facts: RunFacts[] = [];
    for (const [i, run] of runs.entries()) {
      const prefix = folders[first + i]!.slice(0, -1);
      const costs = isTraced ? run.recording.costs : undefined;
      const graph = graphOf(run.recording, costs, isRenamed ? [{ name: WORKING_FOLDER, prefix }] : []);
      facts.push(await runFacts(run.name, run.recording, graph));
    }
    return facts;
  };
  const comparison = compareRuns(await factsOf(base, 0), await factsOf(changed, base.length));
  return {
    schema: 'iolens/compare@1',
    base: { runs: base.map(runDocument) },
    new: { runs: changed.map(runDocument) },
    chance: chanceOfNoise(base.length, changed.length),
    ...comparison,
    notes: [...comparison.notes, ...folderNotes(isRenamed, folders)],
  };
}

function folderNotes(isRenamed: boolean, folders: readonly string[]): Comparison['notes'] {
  if (!isRenamed) return [];
  return [`In the graph ${WORKING_FOLDER} is the folder of each run's files: ${[...new Set(folders)].join(', ')}.`];
}

/** The folder that all files have in common that the run used and that count. */
function folderOfFiles({ trace, metrics, ignored }: OpenedRecording): string {
  const used = new Set(metrics.fileOfCell.filter((file) => counts(ignored, file)));
  return commonFolder([...used].map((file) => trace.files.at(file).path));
}

function graphOf(
  recording: OpenedRecording,
  costs: RunCosts | undefined,
  siteVariables: readonly SiteVariable[],
): GraphFacts {
  const { trace, ignored } = recording;
  const options: GraphOptions = {
    mapping: parseMapping(MAPPING),
    siteVariables,
    pathFilter: '',
    withoutCalls: [],
    grouping: 'file',
    ignored,
  };
  return graphFacts(directlyFollowsGraph(trace, recording.callSites(), options, costs), MAPPING);
}

function runDocument({ name, recording: { trace, metrics, costs } }: NamedRun): ComparedRun {
  let [ioEvents, ioTimeNs] = [0, 0];
  for (let cell = 0; cell < metrics.cells.length; cell++) {
    ioEvents += metrics.cells.get(cell, 'events');
    ioTimeNs += metrics.cells.get(cell, 'time');
  }
  const { program, startTime, durationNs } = trace;
  const { untracedNs } = costs.run;
  return { recording: name, program, startTime, durationNs, untracedNs, ioEvents, ioTimeNs };
}
