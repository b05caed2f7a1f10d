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
    .sort(byStartThenNumber);
  const steps = ordered.map(({ recording }, index): StepDraft => stepOf(id, index, recording, ordered.length));
  const start = least(steps.map((step) => step.start));
  const end = steps.every((step) => step.end !== null) ? Math.max(...steps.map((step) => step.end!)) : null;
  const hosts = new Set(steps.flatMap(({ nodeList }) => nodeList));
  return {
    id,
    number: id,
    array: null,
    task: null,
    user: null,
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

function stepOf(job: string, index: number, recording: RecordingFacts, steps: number): StepDraft {
  const { start, end, hosts } = recording;
  return {
    id: steps === 1 ? job : `${job}.${index}`,
    step: String(index),
    name: programName(recording.program) || placeName(recording.place.split('/').at(-1)!),
    state: '',
    exitCode: null,
    start,
    end,
    elapsed: start !== null && end !== null ? end - start : null,
    nodes: hosts.length === 0 ? null : hosts.length,
    cpus: null,
    tasks: null,
    nodeList: hosts,
    recordings: [recording],
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
