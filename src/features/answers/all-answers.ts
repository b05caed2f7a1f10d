import { LiveQuestions } from '../../session/live/live-questions.ts';
import { OpenRecordings } from '../../session/reading/open-recordings.ts';
import type { SessionResources } from '../../session/session-resources.ts';
import { lazily, type Remote } from '../../session/worker/topics.ts';
import { BudgetAnswers } from '../budget/answers.ts';
import { CausesAnswers } from '../causes/answers.ts';
import { ComparisonAnswers } from '../comparison/answers.ts';
import { FileAnswers } from '../files/answers.ts';
import { FindingAnswers } from '../findings/answers.ts';
import { FixAnswers } from '../fixes/answers.ts';
import { GraphAnswers } from '../graph/answers.ts';
import { LineAnswers } from '../lines/answers.ts';
import { LoopAnswers } from '../loops/answers.ts';
import { OffsetAnswers } from '../offsets/answers.ts';
import { ExportAnswers, RecordingAnswers } from '../recordings/answers.ts';
import { ReplayAnswers } from '../replay/answers.ts';
import { ReportAnswers } from '../report/answers.ts';
import { SelectionAnswers } from '../selection/answers.ts';
import { TimelineAnswers } from '../timeline/answers.ts';
import { WorkflowAnswers } from '../workflow/answers.ts';

/**
 * All that can be asked of open recordings, by topic. What a feature answers is added here, and nowhere else: what may be
 * called, on both sides of the worker, follows from what this returns.
 */
function answersOf(recordings: OpenRecordings) {
  const { engineFolders = [] } = recordings.resources;
  return {
    recordings: new RecordingAnswers(recordings),
    live: new LiveQuestions(recordings),
    findings: new FindingAnswers(recordings),
    lines: new LineAnswers(recordings),
    files: new FileAnswers(recordings),
    graph: new GraphAnswers(recordings),
    timeline: new TimelineAnswers(recordings),
    offsets: new OffsetAnswers(recordings),
    loops: new LoopAnswers(recordings),
    causes: new CausesAnswers(recordings),
    selection: new SelectionAnswers(recordings),
    comparison: new ComparisonAnswers(recordings),
    budget: new BudgetAnswers(recordings),
    fixes: new FixAnswers(recordings),
    report: new ReportAnswers(recordings),
    export: new ExportAnswers(recordings),
    replay: new ReplayAnswers(recordings),
    workflow: new WorkflowAnswers(recordings),
    fleet: lazily(async () => (await import('#stores')).openStores(engineFolders)),
  };
}

/** What users of a session can ask; the same whether it runs here or in a worker. */
export type Session = Remote<ReturnType<typeof answersOf>>;

/** A session in this thread. */
export function localSession(resources: SessionResources): Session {
  return answersOf(new OpenRecordings(resources));
}
