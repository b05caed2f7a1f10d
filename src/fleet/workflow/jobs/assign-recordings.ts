import type { RecordingFacts } from '../recording-facts.ts';
import type { JobDraft, StepDraft } from './job-draft.ts';
import { PlaceNames } from './place-names.ts';
import { programName } from './recorded-jobs.ts';

/** Seconds that a recording may reach beyond its step: accounting knows whole seconds, and clocks differ. */
const TOLERANCE = 2;

interface Assignment {
  /** Of jobs that no table lists: they are jobs of their own. */
  readonly ofOtherJobs: readonly RecordingFacts[];
  /** Of which nobody can say to which step they belong. */
  readonly unassigned: readonly RecordingFacts[];
}

/**
 * Gives recordings to the steps that they are of: by the job and the step that they name themselves, by the names of files and folders
 * (`42.1`, `job42/step1`) and of the places that a recording names itself.
 * @returns those that names alone do not give to a step.
 */
export function assignByName(jobs: readonly JobDraft[], recordings: readonly RecordingFacts[]): NamedRecording[] {
  const names = new PlaceNames(jobs);
  return recordings.flatMap((recording): NamedRecording[] => {
    const named = names.find([recording.place, ...recording.otherPlaces]);
    const recorded = jobs.find(({ number, id }) => number === recording.jobId || id === recording.jobId);
    const job = recorded ?? named.job;
    if (job === undefined) return [{ recording, job: null }];
    const ofJob = job.steps.find(({ step: number }) => recorded !== undefined && number === recording.step);
    const step = ofJob ?? (job === named.job && named.step !== undefined ? named.step : byProgram(job, recording));
    step?.recordings.push(recording);
    return step === undefined ? [{ recording, job: job.id }] : [];
  });
}

/** A recording of which names tell the job at most. */
interface NamedRecording {
  readonly recording: RecordingFacts;
  readonly job: string | null;
}

/** Gives recordings to steps by times; where nothing names a job, times and hosts must leave one step. */
export function assignByTime(jobs: readonly JobDraft[], recordings: readonly NamedRecording[]): Assignment {
  const allSteps = jobs.flatMap(({ steps }) => steps);
  const ofOtherJobs: RecordingFacts[] = [];
  const unassigned: RecordingFacts[] = [];
  for (const { recording, job: id } of recordings) {
    const job = id === null ? undefined : jobs.find((each) => each.id === id);
    const step = job === undefined ? byTimeAndHost(allSteps, recording) : nearest(likely(job, recording), recording);
    if (step !== undefined) step.recordings.push(recording);
    else if (job === undefined && recording.jobId !== null) ofOtherJobs.push(recording);
    else unassigned.push(recording);
  }
  return { ofOtherJobs, unassigned };
}

function byProgram(job: JobDraft, recording: RecordingFacts): StepDraft | undefined {
  return only(job.steps) ?? only(job.steps.filter((step) => isNamedLike(step, recording)));
}

/** The steps of a job that run the recorded program; all when none has its name. */
function likely({ steps }: JobDraft, recording: RecordingFacts): readonly StepDraft[] {
  const named = steps.filter((step) => isNamedLike(step, recording));
  return named.length > 0 ? named : steps;
}

/** Without a name nothing but the one step that was running, on these hosts, will do. */
function byTimeAndHost(steps: readonly StepDraft[], recording: RecordingFacts): StepDraft | undefined {
  const fitting = steps.filter((step) => contains(step, recording) && sharesHost(step, recording));
  return only(fitting) ?? only(fitting.filter((step) => isNamedLike(step, recording)));
}

function only(steps: readonly StepDraft[]): StepDraft | undefined {
  return steps.length === 1 ? steps[0] : undefined;
}

function isNamedLike({ name }: StepDraft, { program }: RecordingFacts): boolean {
  return name !== '' && name === programName(program);
}

function contains({ start, end }: StepDraft, recording: RecordingFacts): boolean {
  if (start === null || end === null || recording.start === null || recording.end === null) return false;
  return recording.start >= start - TOLERANCE && recording.end <= end + TOLERANCE;
}

function sharesHost({ nodeList }: StepDraft, { hosts }: RecordingFacts): boolean {
  if (nodeList.length === 0 || hosts.length === 0) return true;
  const nodes = new Set(nodeList.map(shortName));
  return hosts.some((host) => nodes.has(shortName(host)));
}

function shortName(host: string): string {
  return host.split('.')[0]!;
}

/** Of the steps that hold the recording's time the one whose beginning and end are closest. */
function nearest(steps: readonly StepDraft[], recording: RecordingFacts): StepDraft | undefined {
  const distance = (step: StepDraft): number =>
    Math.abs(step.start! - recording.start!) + Math.abs(step.end! - recording.end!);
  return steps.filter((step) => contains(step, recording)).sort((a, b) => distance(a) - distance(b))[0];
}
