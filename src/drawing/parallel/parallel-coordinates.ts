import { applicationsOf, AXIS_KINDS, APPLICATION_AXIS, UNNAMED, type AxisKind, type JobLine } from './parallel-axes.ts';

/** Below the axis: where a job stands of which the value is not known. */
export const UNKNOWN = -0.09;
/** The whole of an axis, from below what is not known to the top. */
export const AXIS_RANGE = { from: -0.12, to: 1 } as const;

interface AxisTick {
  /** From 0 (bottom) to 1 (top). */
  readonly position: number;
  readonly label: string;
}

export interface ParallelAxis {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Of each job: 0 (bottom) to 1 (top), or `UNKNOWN`. */
  readonly positions: Float32Array;
  readonly ticks: readonly AxisTick[];
  readonly hasUnknown: boolean;
  /** The value at a position, as people read it. */
  readonly textAt: (position: number) => string;
  /** Of one job. */
  readonly textOf: (job: number) => string;
}

/** Jobs as lines across parallel axes (Inselberg; figures 11 and 12 of IOMiner). */
export interface ParallelPlot {
  readonly jobs: readonly JobLine[];
  readonly axes: readonly ParallelAxis[];
  /** Those with most jobs first. */
  readonly applications: readonly string[];
  /** Of each job: the number of its application. */
  readonly applicationOf: Uint32Array;
}

/** A part of an axis; a line must go through the brushes of all axes that have one. */
export interface Brush {
  readonly from: number;
  readonly to: number;
}

type Brushes = ReadonlyMap<string, Brush>;

/** @param isLogarithmic false draws numbers, sizes and rates on linear scales from 0. */
export function parallelPlot(jobs: readonly JobLine[], isLogarithmic: boolean): ParallelPlot {
  const applications = applicationsOf(jobs);
  const numbers = new Map(applications.map((name, number) => [name, number]));
  const axes = AXIS_KINDS.map((kind) => {
    const values = Float64Array.from(jobs, (job, index) => kind.valueOf(job, index, numbers) ?? Number.NaN);
    const plain = kind.scale === 'logarithmic' && !isLogarithmic ? { ...kind, scale: 'linear' as const } : kind;
    return axisOf(plain, values, applications);
  });
  const applicationOf = Uint32Array.from(jobs, ({ application }) => numbers.get(application ?? UNNAMED) ?? 0);
  return { jobs, axes, applications, applicationOf };
}

/** The ends of an axis, in powers of ten where it is logarithmic. */
interface Range {
  readonly low: number;
  readonly high: number;
  readonly isLogarithmic: boolean;
}

function axisOf(kind: AxisKind, values: Float64Array, applications: readonly string[]): ParallelAxis {
  const { id, title, about } = kind;
  const format = id === APPLICATION_AXIS ? (value: number) => applications[Math.round(value)] ?? '' : kind.format;
  const range = rangeOf(kind, values, applications.length);
  const positions = Float32Array.from(values, (value) => (Number.isNaN(value) ? UNKNOWN : positionOf(value, range)));
  return {
    id,
    title,
    about,
    positions,
    ticks: ticksOf(kind, range, format),
    hasUnknown: values.some((value) => Number.isNaN(value)),
    textAt: (position) => (position < 0 ? 'unknown' : format(valueAt(position, range))),
    textOf: (job) => (Number.isNaN(values[job]!) ? 'unknown' : format(values[job]!)),
  };
}

function rangeOf({ scale }: AxisKind, values: Float64Array, names: number): Range {
  if (scale === 'percent') return { low: 0, high: 100, isLogarithmic: false };
  if (scale === 'switch') return { low: 0, high: 1, isLogarithmic: false };
  // The first name is on top, and each stands in the middle of its part.
  if (scale === 'names') return { low: names - 0.5, high: -0.5, isLogarithmic: false };
  let [least, most] = [Infinity, 0];
  for (const value of values) {
    if (!(value > 0)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (scale === 'linear') return { low: 0, high: most || 1, isLogarithmic: false };
  if (most === 0) return { low: 0, high: 1, isLogarithmic: true };
  const [low, high] = [Math.log10(least), Math.log10(most)];
  // One value for all stands in the middle.
  return high - low > 1e-6 ? { low, high, isLogarithmic: true } : { low: low - 1, high: high + 1, isLogarithmic: true };
}

function positionOf(value: number, { low, high, isLogarithmic }: Range): number {
  // 0 has no logarithm: it stands at the bottom.
  const place = isLogarithmic ? Math.log10(value) : value;
  return Math.min(1, Math.max(0, (place - low) / (high - low)));
}

function valueAt(position: number, { low, high, isLogarithmic }: Range): number {
  const place = low + Math.min(1, position) * (high - low);
  return isLogarithmic ? 10 ** place : place;
}

/** At most so many labels stand beside an axis. */
const MOST_TICKS = 12;

function ticksOf(kind: AxisKind, range: Range, format: (value: number) => string): AxisTick[] {
  const at = (value: number): AxisTick => ({ position: positionOf(value, range), label: format(value) });
  if (kind.scale === 'switch') return [at(0), at(1)];
  if (kind.scale === 'names') return Array.from({ length: Math.min(MOST_TICKS, range.low + 0.5) }, (_, i) => at(i));
  if (kind.scale === 'logarithmic') return logarithmicTicks(range).map(at);
  return [0, 0.25, 0.5, 0.75, 1].map((position) => ({ position, label: format(valueAt(position, range)) }));
}

/** The ends, and the powers of ten between them that do not stand upon an end's label. */
function logarithmicTicks(range: Range): number[] {
  const { low, high } = range;
  const powers: number[] = [];
  const step = Math.max(1, Math.ceil((high - low) / (MOST_TICKS - 4)));
  for (let exponent = Math.ceil(low); exponent < high; exponent += step) {
    const position = positionOf(10 ** exponent, range);
    if (position > 0.06 && position < 0.94) powers.push(10 ** exponent);
  }
  return [10 ** low, ...powers, 10 ** high];
}

/** 1 for each job whose line goes through all brushes. */
export function brushedJobs({ jobs, axes }: ParallelPlot, brushes: Brushes): Uint8Array {
  const isBrushed = new Uint8Array(jobs.length).fill(1);
  for (const { id, positions } of axes) {
    const brush = brushes.get(id);
    if (brush === undefined) continue;
    for (let job = 0; job < isBrushed.length; job++) {
      const position = positions[job]!;
      if (position < brush.from || position > brush.to) isBrushed[job] = 0;
    }
  }
  return isBrushed;
}

/**
 * The job whose line is nearest to a point, of those that are brushed.
 * @param across 0 at the first axis, 1 at the last one.
 * @param reach how far it may be away, in parts of the axis's height
 */
export function nearestJob(
  { axes }: ParallelPlot,
  isBrushed: Uint8Array,
  across: number,
  position: number,
  reach: number,
): number | undefined {
  const place = Math.min(1, Math.max(0, across)) * (axes.length - 1);
  const left = Math.min(axes.length - 2, Math.floor(place));
  const share = place - left;
  const [from, to] = [axes[left]!.positions, axes[left + 1]!.positions];
  let nearest: number | undefined;
  let least = reach;
  for (let job = 0; job < isBrushed.length; job++) {
    if (isBrushed[job] === 0) continue;
    const away = Math.abs(from[job]! + (to[job]! - from[job]!) * share - position);
    if (away >= least) continue;
    least = away;
    nearest = job;
  }
  return nearest;
}

/** The part of the axis that is one application's. */
export function applicationBrush({ applications }: ParallelPlot, application: number): Brush {
  const height = 1 / applications.length;
  const middle = 1 - (application + 0.5) * height;
  return { from: middle - height / 2.1, to: middle + height / 2.1 };
}
