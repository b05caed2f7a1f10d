import type { JobDraft, StepDraft } from './job-draft.ts';

/** `2026-11-21` and `20261121_0917`. */
const DATE = /(19|20)\d\d([-_.]?)\d\d\2\d\d([-_.T]\d\d([-_.:]?\d\d)+)?/g;

/** Numbers that tools put into the names of their files, which are none of jobs, behind what is kept of the name. */
const OF_TOOLS = [
  // Our recorder's host, process and clock.
  /^().*-\d+-[0-9a-f]+\.iorec$/,
  // `cid_host_rid.st`
  /^([^_]+_[^_]+)_\d+\.st(\.\w+)?$/,
  // `user_app_idJOB-PROCESS_month-day-second-number.darshan`
  /^(.*_id\d+)(-\d+)?_\d+-\d+-\d+.*\.darshan/,
  // DFTracer's process.
  /^(.*)-\d+(-app)?\.pfw/,
];

/** Digits count as a word of their own, or behind one that says what they are: not those of `vm42` and `10d1b7`. */
const BEGIN = String.raw`(?<![A-Za-z\d.]|step[._-])`;
const END = String.raw`(?![A-Za-z\d])`;
const JOB = String.raw`(?:job[._-]?|jobid[._-]?|slurm[._-]?|id)?(?<job>\d+(?:_\d+)?)`;
const STEP = String.raw`[._-](?:step[._-]?)?(?<step>\d+)`;
/** `42.1`, `job42-step1`; of an array task `30_2.1`. */
const WHOLE = new RegExp(`^${JOB}${STEP}$`, 'i');
/** The same within a name, such as `profile_42.1.json`; matches may overlap. */
const JOB_AND_STEP = new RegExp(`${BEGIN}(?=${JOB}${STEP}${END})`, 'gi');
const JOB_ALONE = new RegExp(`${BEGIN}${JOB}${END}`, 'gi');

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

  /** The first place that names a step counts, else the first that names a job. */
  find(places: readonly string[]): NamedPlace {
    const found = places.map((place) => this.inPlace(place));
    return found.find(({ step }) => step !== undefined) ?? found.find(({ job }) => job !== undefined) ?? {};
  }

  /** A folder or file that is called `JOB.STEP` and nothing else counts, else the innermost name that tells of a job. */
  private inPlace(place: string): NamedPlace {
    const names = place
      .split('/')
      .map((name) => this.withoutOthers(name))
      .filter((name) => name !== '');
    const whole = names.map((name) => this.stepOf(WHOLE.exec(name))).findLast((step) => step !== undefined);
    if (whole !== undefined) return whole;
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

  private inName(name: string): NamedPlace {
    for (const match of name.matchAll(JOB_AND_STEP)) {
      const named = this.stepOf(match);
      if (named !== undefined) return named;
    }
    for (const match of name.matchAll(JOB_ALONE)) {
      const number = match.groups!['job']!;
      const job = this.jobs.get(number) ?? this.jobs.get(number.split('_')[0]!);
      if (job !== undefined) return { job };
    }
    return {};
  }

  private withoutOthers(name: string): string {
    const tool = OF_TOOLS.find((pattern) => pattern.test(name));
    return (tool === undefined ? name : name.replace(tool, '$1')).replace(DATE, (date) =>
      this.isOfJob(date) ? date : ' ',
    );
  }

  /** Large machines count beyond twenty million: such a number looks like a date. */
  private isOfJob(digits: string): boolean {
    const [number = '', first = ''] = /^(\d{8})(?:_\d+)?/.exec(digits) ?? [];
    return this.jobs.has(number) || this.jobs.has(first);
  }

  private stepOf(match: RegExpExecArray | null): Required<NamedPlace> | undefined {
    const job = this.jobs.get(match?.groups!['job'] ?? '');
    const step = job?.steps.find((each) => each.step === match!.groups!['step']);
    return job !== undefined && step !== undefined ? { job, step } : undefined;
  }
}

/** The step that a name within the folder of its job tells of: `1`, `step1`, `step_1.darshan`, or its own name. */
function stepNamed({ steps }: JobDraft, name: string): StepDraft | undefined {
  const number = /^(?:step[._-]?)?(\d+)(?![A-Za-z\d])/i.exec(name)?.[1];
  const plain = name.replace(/(.)\.[^.]*$/, '$1');
  const own = steps.filter((step) => step.name !== '' && (step.name === name || step.name === plain));
  return steps.find(({ step }) => step === number) ?? (own.length === 1 ? own[0] : undefined);
}
