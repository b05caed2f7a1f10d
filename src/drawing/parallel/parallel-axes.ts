import { formatBytes, formatCount, formatRate } from '../../base/quantities.ts';

/** What a line of the plot is made of: a job, what is known of it, and its causes (a `JobCauses` of the session). */
export interface JobLine {
  readonly log: string;
  readonly jobId: string | null;
  readonly application: string | null;
  readonly nodes: number | null;
  readonly causes: {
    readonly bytes: number;
    readonly bandwidth: number | null;
    readonly factors: {
      readonly smallPercent: number | null;
      readonly nonConsecutivePercent: number | null;
      readonly collective: 0 | 1;
      readonly ostCount: number | null;
      readonly processesPerOst: number | null;
    };
  };
}

type Scale = 'percent' | 'switch' | 'linear' | 'logarithmic' | 'names';

export interface AxisKind {
  readonly id: string;
  readonly title: string;
  /** What it means, for those who do not know the paper. */
  readonly about: string;
  readonly scale: Scale;
  /** Null: not known. Of names: the number of the name, see `namesOf`. */
  readonly valueOf: (job: JobLine, index: number, applications: ReadonlyMap<string, number>) => number | null;
  readonly format: (value: number) => string;
}

const percent = (value: number): string => `${Math.round(value)} %`;
const perTarget = (value: number): string => (value < 10 ? String(Number(value.toPrecision(2))) : formatCount(value));

export const APPLICATION_AXIS = 'application';
export const UNNAMED = 'unknown application';

/** In the order of figures 11 and 12 of IOMiner. */
export const AXIS_KINDS: readonly AxisKind[] = [
  {
    id: 'small',
    title: 'Small',
    about: 'Requests smaller than 1 MB, weighted by exclusive time',
    scale: 'percent',
    valueOf: ({ causes }) => causes.factors.smallPercent,
    format: percent,
  },
  {
    id: 'non-consecutive',
    title: 'Non-consec',
    about: 'Requests that do not begin where the last one ended, weighted by exclusive time',
    scale: 'percent',
    valueOf: ({ causes }) => causes.factors.nonConsecutivePercent,
    format: percent,
  },
  {
    id: 'collective',
    title: 'Coll',
    about: 'Whether collective I/O is used',
    scale: 'switch',
    valueOf: ({ causes }) => causes.factors.collective,
    format: (value) => (value === 1 ? 'yes' : 'no'),
  },
  {
    id: 'osts',
    title: 'OST#',
    about: 'Different storage targets of all files',
    scale: 'logarithmic',
    valueOf: ({ causes }) => causes.factors.ostCount,
    format: formatCount,
  },
  {
    id: 'processes-per-ost',
    title: 'Proc/OST',
    about: 'Processes of a file for each of its storage targets, weighted by exclusive time',
    scale: 'logarithmic',
    valueOf: ({ causes }) => causes.factors.processesPerOst,
    format: perTarget,
  },
  {
    id: 'nodes',
    title: 'Node#',
    about: 'Nodes of the job',
    scale: 'logarithmic',
    valueOf: ({ nodes }) => nodes,
    format: formatCount,
  },
  {
    id: 'size',
    title: 'Size',
    about: 'Bytes that the job moves in this direction',
    scale: 'logarithmic',
    valueOf: ({ causes }) => causes.bytes,
    format: formatBytes,
  },
  {
    id: 'bandwidth',
    title: 'BW',
    about: 'Bytes a second over the active time',
    scale: 'logarithmic',
    valueOf: ({ causes }) => causes.bandwidth,
    format: formatRate,
  },
  {
    id: APPLICATION_AXIS,
    title: 'Application',
    about: 'The program: those with most jobs on top',
    scale: 'names',
    valueOf: ({ application }, _, applications) => applications.get(application ?? UNNAMED) ?? null,
    format: String,
  },
  {
    id: 'job',
    title: 'Job',
    about: 'The jobs in the order of the answer',
    scale: 'linear',
    valueOf: (_, index) => index + 1,
    format: formatCount,
  },
];

/** Applications, those with most jobs first. */
export function applicationsOf(jobs: readonly JobLine[]): string[] {
  const counts = new Map<string, number>();
  for (const { application } of jobs) {
    const name = application ?? UNNAMED;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
}
