import type { JobDraft, StepDraft } from './job-draft.ts';

/** `2026-11-21` and `20261121_0917`, which name no job. */
const DATE = /(19|20)\d\d([-_.]?)\d\d\2\d\d([-_.T]\d\d([-_.:]?\d\d)+)?/g;

interface NamedPlace {
  readonly job?: JobDraft;
  readonly step?: StepDraft;
}

/** Which job and step names of files and folders tell of: `42.1`, `job42_step1`, `42/1`, `job-42/solve`. */
export class PlaceNames {
  private readonly jobs = new Map<string, JobDraft>();

  constructor(jobs: readonly JobDraft[]) {
    for (const job of jobs) {
      this.jobs.set(job.number, job);
      this.jobs.set(job.id, job);
    }
  }

  /** The first place that names a step counts, else the first that names a job; the innermost name of a place. */
  find(places: readonly string[]): NamedPlace {
    const found = places.map((place) => this.inPlace(place));
    return found.find(({ step }) => step !== undefined) ?? found.find(({ job }) => job !== undefined) ?? {};
  }

  private inPlace(place: string): NamedPlace {
    const names = place.split('/').filter((name) => name !== '');
    for (let at = names.length - 1; at >= 0; at--) {
      const named = this.inName(names[at]!);
      if (named.step !== undefined) return named;
      if (named.job === undefined) continue;
      const step = names
        .slice(at + 1)
        .map((name) => stepNamed(named.job!, name))
        .findLast((each) => each !== undefined);
      return step === undefined ? named : { ...named, step };
    }
    return {};
  }

  private inName(whole: string): NamedPlace {
    const name = whole.replace(DATE, ' ');
    // `42.1`, `42_1`, `job42-step1`, `profile_42.1.json`; of an array task `30_2.1`.
    for (const match of name.matchAll(/(?<![\d.])(\d+(?:_\d+)?)[._-](?:step[._-]?)?(\d+)(?!\d)/gi)) {
      const job = this.jobs.get(match[1]!);
      const step = job?.steps.find((each) => each.step === match[2]);
      if (job !== undefined && step !== undefined) return { job, step };
    }
    for (const match of name.matchAll(/(?<![\d.])(\d+)(_\d+)?(?!\d)/g)) {
      const job = this.jobs.get(match[0]) ?? this.jobs.get(match[1]!);
      if (job !== undefined) return { job };
    }
    return {};
  }
}

/** The step that a name within the folder of its job tells of: `1`, `step1`, `step_1.darshan`, or its own name. */
function stepNamed({ steps }: JobDraft, name: string): StepDraft | undefined {
  const number = /^(?:step[._-]?)?(\d+)(?:\D|$)/i.exec(name)?.[1];
  const plain = name.replace(/(.)\.[^.]*$/, '$1');
  const own = steps.filter((step) => step.name !== '' && (step.name === name || step.name === plain));
  return steps.find(({ step }) => step === number) ?? (own.length === 1 ? own[0] : undefined);
}
