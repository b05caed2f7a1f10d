import { groupBy } from '../../../base/grouping.ts';
import type { RecordingFacts } from '../recording-facts.ts';
import { byStartThenNumber } from './accounted-jobs.ts';
import type { JobDraft, StepDraft } from './job-draft.ts';

/**
 * Jobs for recordings that no table of the batch system knows: those that name the same job are steps of it; others are
 * told by the file or folder that they lie in.
 */
export function recordedJobs(recordings: readonly RecordingFacts[]): JobDraft[] {
  const groups = new Map<string, RecordingFacts[]>();
  for (const recording of recordings) {
    const id = recording.jobId ?? placeName(recording.place);
    groups.set(id, [...(groups.get(id) ?? []), recording]);
  }
  return [...groups].map(([id, members]) => jobOf(id, members));
}

/** The first folder of a place, or its file without what its name ends with. */
function placeName(place: string): string {
  const [first = '', ...rest] = place.split('/');
  return rest.length > 0 ? first : first.replace(/(.)\.[^.]*$/, '$1');
}

function jobOf(id: string, recordings: readonly RecordingFacts[]): JobDraft {
  const ordered = recordings
    .map((recording) => ({ recording, start: recording.start, id: recording.place }))
    .sort(byStartThenNumber)
    .map(({ recording }) => recording);
  const named = ordered.every(({ step }) => step !== null);
  const members = named ? [...groupBy(ordered, ({ step }) => step).values()] : ordered.map((recording) => [recording]);
  const steps = members.map((each, index): StepDraft => {
    const step = each[0]!.step ?? String(index);
    return stepOf(named || members.length > 1 ? `${id}.${step}` : id, step, each);
  });
  const start = least(steps.map((step) => step.start));
  const end = steps.every((step) => step.end !== null) ? Math.max(...steps.map((step) => step.end!)) : null;
  const hosts = new Set(steps.flatMap(({ nodeList }) => nodeList));
  return {
    id,
    number: id,
    array: null,
    task: null,
    user: ordered.find(({ user }) => user !== null)?.user ?? null,
    name: steps[0]!.name,
    state: '',
    exitCode: null,
    submit: null,
    eligible: null,
    start,
    end,
    elapsed: start !== null && end !== null ? end - start : null,
    nodes: hosts.size === 0 ? null : hosts.size,
    cpus: null,
    tasks: null,
    nodeList: [...hosts],
    declared: null,
    workDirectory: null,
    steps,
  };
}

/** @param recordings those of the step, the earliest first. */
function stepOf(id: string, step: string, recordings: RecordingFacts[]): StepDraft {
  const [first] = recordings;
  const start = first!.start;
  const ends = recordings.map(({ end }) => end);
  const end = ends.every((each) => each !== null) ? Math.max(...ends) : null;
  const hosts = [...new Set(recordings.flatMap((recording) => recording.hosts))];
  return {
    id,
    step,
    name: programName(first!.program) || placeName(first!.place.split('/').at(-1)!),
    state: '',
    exitCode: null,
    start,
    end,
    elapsed: start !== null && end !== null ? end - start : null,
    nodes: hosts.length === 0 ? null : hosts.length,
    cpus: null,
    tasks: null,
    nodeList: hosts,
    recordings,
  };
}

/** File name of the executable. */
export function programName(program: string): string {
  return program.trim().split(/\s+/)[0]!.split('/').at(-1)!;
}

function least(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}
