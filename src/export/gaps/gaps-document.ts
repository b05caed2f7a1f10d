import { placedGaps, type PlacedGap } from '../../analysis/gaps/placed-gaps.ts';
import type { PlacedEnd } from '../../analysis/gaps/gap-place.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LocateSource } from '../analysis/site-documents.ts';

interface GapCallerDocument {
  readonly function: string;
  /** On this machine where the file is here, else as recorded; '' when unknown. */
  readonly file: string;
  /** Counted from 1; 0 when unknown. */
  readonly line: number;
}

/** A call at an end of a gap, and from where it was made. */
interface GapEndDocument extends GapCallerDocument {
  /** '' for the process's own begin or end. */
  readonly call: string;
}

/** Stretches of time in one place of the program, nanoseconds as recorded; see `PlacedGap` and `GapPlace`. */
export interface GapDocument extends Omit<PlacedGap, 'place' | 'ends'> {
  readonly function: string;
  readonly file: string;
  readonly isHere: boolean;
  readonly fromLine: number;
  /** Not after `fromLine`: a loop came back to it, in the function or in one of its callers. */
  readonly toLine: number;
  /** Where the function was called, innermost first. */
  readonly callers: readonly GapCallerDocument[];
  /** null where the place is unknown, which is what start-up and libraries do. */
  readonly after: GapEndDocument | null;
  readonly before: GapEndDocument | null;
}

/** `iolens gaps --json`; nanoseconds. */
export interface GapsDocument {
  readonly schema: 'iolens/gaps@1';
  /** Of the recording, as recorded. */
  readonly durationNs: number;
  /** In gaps, of the process or thread that has most of them. */
  readonly timeNs: number;
  /** Shorter gaps are left out: a tracer stops the program for so long at a call. */
  readonly leastNs: number;
  /** Processes and threads of the recording. */
  readonly streams: number;
  /** Longest first. */
  readonly gaps: readonly GapDocument[];
  /** Gaps that are not among them, for there are too many. */
  readonly leftOut: number;
}

/** What is to be known to find the places of gaps. */
interface RecordedGaps {
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  readonly locate: LocateSource;
}

const MOST_GAPS = 1000;
/** Deep recursions have thousands. */
const MOST_CALLERS = 16;

export function gapsDocument({ trace, resolved, locate }: RecordedGaps): GapsDocument {
  const { gaps, timeNs, leastNs } = placedGaps(trace, resolved);
  return {
    schema: 'iolens/gaps@1',
    durationNs: trace.durationNs,
    timeNs,
    leastNs,
    streams: trace.streams.length,
    gaps: gaps.slice(0, MOST_GAPS).map((gap) => gapDocument(gap, locate)),
    leftOut: Math.max(0, gaps.length - MOST_GAPS),
  };
}

/** Gaps that are named beside a run: so many, and a tenth of it or more. */
const MOST_NAMED = 3;
const LEAST_SHARE = 0.1;

/** The few gaps in which most of a run passes that is no I/O; none where no line of them is known. */
export function longGaps({ trace, resolved, locate }: RecordedGaps): GapDocument[] {
  // Where functions were recorded they say it.
  if (!trace.capabilities.stacks || !trace.capabilities.duration || hasComputing(trace)) return [];
  const least = LEAST_SHARE * trace.durationNs;
  return placedGaps(trace, resolved)
    .gaps.filter(({ place, timeNs }) => timeNs >= least && place !== undefined && place.fromLine + place.toLine > 0)
    .slice(0, MOST_NAMED)
    .map((gap) => gapDocument(gap, locate));
}

function hasComputing({ functions }: Trace): boolean {
  return functions?.functions.some(({ role }) => role === 'computation') === true;
}

function gapDocument({ place, ends, ...sums }: PlacedGap, locate: LocateSource): GapDocument {
  const { functionName = '', file = '', fromLine = 0, toLine = 0, callers = [] } = place ?? {};
  const at = (recorded: string): string => (recorded === '' ? '' : locate(recorded).file);
  const endOf = ({ name, frame }: PlacedEnd): GapEndDocument => ({
    call: name,
    function: frame?.functionName ?? '',
    file: at(frame?.file ?? ''),
    line: frame?.line ?? 0,
  });
  return {
    function: functionName,
    ...(file === '' ? { file, isHere: false } : locate(file)),
    fromLine,
    toLine,
    callers: callers.slice(0, MOST_CALLERS).map((caller) => ({
      function: caller.functionName,
      file: at(caller.file),
      line: caller.line,
    })),
    after: ends === undefined ? null : endOf(ends.after),
    before: ends === undefined ? null : endOf(ends.before),
    ...sums,
  };
}
