import type {
  CauseFile,
  CauseJob,
  Causes,
  ContributingFactors,
  Direction,
  VerdictKind,
} from '../../fleet/causes/causes.ts';

/** A file of a job in one direction, with the part of the critical path that is reckoned to it. */
export interface CauseFileDocument {
  readonly path: string;
  /** Seconds from the start of the program to the first read (or write), and to the end of the last; null: not known. */
  readonly start: number | null;
  readonly end: number | null;
  /** Seconds of the critical path, and where they begin; 0 and null when the file is no critical one. */
  readonly exclusiveSeconds: number;
  readonly exclusiveFrom: number | null;
  readonly bytes: number;
  readonly requests: number;
  readonly smallRequests: number;
  readonly consecutiveRequests: number;
  readonly collectiveRequests: number;
  readonly processes: number;
  readonly rank: number | null;
  readonly stripeCount: number | null;
  readonly osts: readonly number[];
}

/** Why a job reads, or writes, slowly. */
export interface DirectionCauses {
  readonly direction: Direction;
  readonly bytes: number;
  /** Seconds in which at least one file was active. */
  readonly activeSeconds: number;
  /** Seconds from the first start to the last end. */
  readonly spanSeconds: number;
  /** Seconds in the calls themselves, summed over processes; null where not known of each file. */
  readonly callSeconds: number | null;
  /** Bytes a second over the active time; null without time. */
  readonly bandwidth: number | null;
  readonly factors: ContributingFactors;
  readonly verdicts: readonly {
    readonly kind: VerdictKind;
    readonly message: string;
    /** Indices into `files`. */
    readonly files: readonly number[];
  }[];
  /** Critical files first, those with most exclusive time first; then the others, the longest first. */
  readonly files: readonly CauseFileDocument[];
  /** How many files are critical, and how many were read (or written) in all: there may be more than are listed. */
  readonly criticalFiles: number;
  readonly totalFiles: number;
}

export interface RecordingCauses {
  readonly recording: string;
  readonly application: string | null;
  readonly processes: number;
  readonly nodes: number | null;
  readonly read: DirectionCauses;
  readonly write: DirectionCauses;
}

/** `iolens causes --json` */
export interface CausesDocument {
  readonly schema: 'iolens/causes@1';
  readonly recordings: readonly RecordingCauses[];
}

/** @param most files that are listed. */
export function directionCauses(job: CauseJob, causes: Causes, most: number): DirectionCauses {
  const order = fileOrder(job, causes);
  const listed = order.slice(0, most);
  const placeOf = new Map(listed.map((file, place) => [file, place]));
  const stretchOf = new Map(causes.stretches.map((stretch) => [stretch.file, stretch]));
  const { direction, bytes, activeSeconds, spanSeconds, bandwidth, factors } = causes;
  return {
    direction,
    bytes,
    activeSeconds,
    spanSeconds,
    callSeconds: callSeconds(job),
    bandwidth,
    factors,
    verdicts: causes.verdicts.map(({ kind, message, files }) => ({
      kind,
      message,
      files: files.flatMap((file) => placeOf.get(file) ?? []),
    })),
    files: listed.map((file) => fileDocument(job.files[file]!, stretchOf.get(file))),
    criticalFiles: causes.critical.length,
    totalFiles: order.length,
  };
}

function callSeconds({ files }: CauseJob): number | null {
  return files.reduce<number | null>(
    (sum, { summedSeconds }) => (sum === null || summedSeconds === null ? null : sum + summedSeconds),
    0,
  );
}

function fileOrder({ files }: CauseJob, { critical }: Causes): number[] {
  const isCritical = new Set(critical.map(({ file }) => file));
  const length = ({ start, end }: CauseFile): number => (end > start ? end - start : 0);
  const others = files.flatMap((_, file) => (isCritical.has(file) ? [] : [file]));
  others.sort((a, b) => length(files[b]!) - length(files[a]!) || a - b);
  return [...isCritical, ...others];
}

function fileDocument(file: CauseFile, stretch: Causes['stretches'][number] | undefined): CauseFileDocument {
  return {
    path: file.path,
    start: Number.isFinite(file.start) ? file.start : null,
    end: Number.isFinite(file.end) ? file.end : null,
    exclusiveSeconds: stretch === undefined ? 0 : stretch.to - stretch.from,
    exclusiveFrom: stretch?.from ?? null,
    bytes: file.bytes,
    requests: file.requests,
    smallRequests: file.small,
    consecutiveRequests: file.consecutive,
    collectiveRequests: file.collective,
    processes: file.processes,
    rank: file.rank,
    stripeCount: file.stripeCount,
    osts: file.osts,
  };
}
