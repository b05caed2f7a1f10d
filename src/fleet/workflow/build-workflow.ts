import { mergeAccountings } from '../scheduler/merge-accountings.ts';
import type { Accounting } from '../scheduler/accounting.ts';
import { dataDependencies, dataFlows, type DataFlow, type FileUser } from './dependencies/data.ts';
import { declaredDependencies } from './dependencies/declared.ts';
import { queueTimes } from './dependencies/queue-times.ts';
import { timeDependencies } from './dependencies/time.ts';
import { WorkflowFiles, type PathRule } from './files/workflow-files.ts';
import { criticalChain } from './insights/critical-chain.ts';
import { findWorkflowInsights } from './insights/find-workflow-insights.ts';
import { accountedJobs, byStartThenNumber } from './jobs/accounted-jobs.ts';
import { withOwnNumbers } from './jobs/array-numbers.ts';
import { assignByName, assignByTime } from './jobs/assign-recordings.ts';
import { shifted, shiftWords, zoneShift } from './jobs/zone-shift.ts';
import type { JobDraft, StepDraft } from './jobs/job-draft.ts';
import { recordedJobs } from './jobs/recorded-jobs.ts';
import { factsOfStep, joinAccesses, type StepFacts } from './jobs/step-facts.ts';
import type { FileAccess, RecordingFacts } from './recording-facts.ts';
import { sumOfShares } from './shares/share-sum.ts';
import type {
  FileUse,
  WorkflowDependency,
  WorkflowDocument,
  WorkflowFile,
  WorkflowJob,
  WorkflowStep,
} from './workflow-document.ts';
import { notesOnce, placed } from './notes-once.ts';

/** What the folder of a workflow holds. */
interface WorkflowParts {
  readonly folder: string;
  readonly accountings: readonly Accounting[];
  readonly recordings: readonly RecordingFacts[];
  /** Names of folders that are one; see WorkflowFiles. */
  readonly pathRules: readonly PathRule[];
  /** What could not be read, in words. */
  readonly notes: readonly string[];
}

/** Everything that insights are made of. */
export interface KnownWorkflow {
  readonly jobs: readonly WorkflowJob[];
  readonly drafts: readonly JobDraft[];
  readonly files: readonly WorkflowFile[];
  readonly dependencies: readonly WorkflowDependency[];
  readonly flows: readonly DataFlow[];
  readonly criticalChain: readonly number[];
  readonly start: number | null;
  readonly end: number | null;
}

/** Puts the jobs, what they did, and what they wait for together (Tschüter, sections 3.3.2 and 4.4). */
export function buildWorkflow(parts: WorkflowParts): WorkflowDocument {
  const { jobs: drafts, notes } = jobsOf(parts);
  const files = new WorkflowFiles(parts.pathRules);
  const users: FileUser[][] = [];
  const declared = declaredDependencies(drafts);
  const queued = queueTimes(drafts, declared.dependencies);
  const jobs = drafts.map((draft, index) => ({ ...jobOf(draft, index, files, users), queued: queued[index]! }));
  const flows = dataFlows(files.paths, users);
  const known = [...declared.dependencies, ...dataDependencies(flows)];
  const dependencies = [...known, ...timeDependencies(drafts, known)];
  const start = extreme(
    Math.min,
    jobs.map((job) => job.start),
  );
  const end = extreme(
    Math.max,
    jobs.map((job) => job.end),
  );
  const chain = criticalChain(jobs, dependencies);
  const workflow = {
    jobs,
    drafts,
    files: filesOf(files, users),
    dependencies,
    flows,
    criticalChain: chain,
    start,
    end,
  };
  return {
    schema: 'iolens/workflow@1',
    folder: parts.folder,
    jobs,
    files: workflow.files,
    dependencies,
    criticalChain: chain,
    start,
    end,
    share: sumOfShares(jobs.map(({ share }) => share)),
    insights: findWorkflowInsights(workflow),
    notes: [...notes, ...declared.notes],
  };
}

function jobsOf({ accountings, recordings, notes }: WorkflowParts): { jobs: JobDraft[]; notes: string[] } {
  const tables = mergeAccountings(withOwnNumbers(accountings));
  const listed = accountedJobs(tables.jobs, tables.steps);
  const said = [...notes, ...accountings.flatMap(({ damage }) => damage)];
  said.push(...notesOnce(accountings.flatMap((table) => table.notes).map(placed)));
  said.push(...notesOnce(recordings.flatMap(({ place, notes: lacks }) => lacks.map((note) => ({ place, note })))));
  if (listed.length === 0) {
    said.push('no table of the batch system lies here: jobs are what the recordings name, and nothing was declared');
    return { jobs: recordedJobs(recordings).sort(byStartThenNumber), notes: said };
  }
  const named = assignByName(listed, recordings);
  const shift = zoneShift(listed);
  if (shift !== 0)
    said.push(`times of the tables are moved by ${shiftWords(shift)}: all recordings say so, and tables name no zone`);
  const moved = shift === 0 ? listed : shifted(listed, shift);
  const { ofOtherJobs, unassigned } = assignByTime(moved, named);
  for (const { place } of unassigned) said.push(`${place}: nothing tells which step it is of; it is left out`);
  const others = recordedJobs(ofOtherJobs);
  if (others.length > 0) said.push(`${names(others)}: in no table of the batch system, and known by recordings alone`);
  return { jobs: [...moved, ...others].sort(byStartThenNumber), notes: said };
}

function names(jobs: readonly JobDraft[]): string {
  const shown = jobs.slice(0, 5).map(({ id }) => id);
  const more = jobs.length - shown.length;
  return `${jobs.length === 1 ? 'job' : 'jobs'} ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function jobOf(draft: JobDraft, index: number, files: WorkflowFiles, users: FileUser[][]): Omit<WorkflowJob, 'queued'> {
  const { id, name, state, exitCode, submit, start, end, elapsed, nodes, cpus, tasks, nodeList, declared } = draft;
  const steps = draft.steps.map((step, at) => stepOf(step, draft, { job: index, step: at }, files, users));
  return {
    id,
    name,
    state,
    exitCode,
    submit,
    start,
    end,
    elapsed,
    nodes,
    cpus,
    tasks,
    nodeList,
    declared,
    steps,
    share: sumOfShares(steps.map(({ share }) => share)),
  };
}

function stepOf(
  { recordings, ...known }: StepDraft,
  { workDirectory, nodeList }: JobDraft,
  place: Pick<FileUser, 'job' | 'step'>,
  files: WorkflowFiles,
  users: FileUser[][],
): WorkflowStep {
  const facts = factsOfStep(recordings);
  const uses = new Map<number, FileAccess>();
  for (const access of facts.files) {
    const file = files.add(access, workDirectory);
    const other = uses.get(file);
    uses.set(file, other === undefined ? access : joinAccesses(other, access));
  }
  for (const [file, access] of uses) {
    const nodes = known.nodeList.length > 0 ? known.nodeList : nodeList;
    users[file] ??= [];
    users[file].push({ ...place, access, start: known.start, end: known.end, nodeList: nodes });
  }
  return { ...known, ...recorded(facts), files: [...uses].map(useOf) };
}

function recorded({
  share,
  recording,
  format,
}: StepFacts): Pick<WorkflowStep, 'share' | 'recording' | 'recordingFormat'> {
  return { share, recording, recordingFormat: format };
}

function useOf([file, access]: readonly [number, FileAccess]): FileUse {
  const { mode, paradigms, bytesRead, bytesWritten, from, to } = access;
  return { file, mode, paradigms, bytesRead, bytesWritten, from, to };
}

function filesOf(
  { paths, parents }: WorkflowFiles,
  users: readonly (readonly FileUser[] | undefined)[],
): WorkflowFile[] {
  const when = ({ access, start }: FileUser): number => access.from ?? start ?? Infinity;
  return paths.map((path, file) => ({
    path,
    parent: parents[file] ?? null,
    users: [...(users[file] ?? [])]
      .sort((a, b) => when(a) - when(b) || a.job - b.job || a.step - b.step)
      .map(({ job, step, access }) => ({ job, step, mode: access.mode })),
  }));
}

function extreme(pick: (...values: number[]) => number, values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => pick(a, b));
}
