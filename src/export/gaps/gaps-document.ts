import { placedGaps, type GapsRecording, type PlacedGap } from '../../analysis/gaps/placed-gaps.ts';
import type { PlacedEnd } from '../../analysis/gaps/gap-place.ts';
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

/** Stretches of time in one place of the program, nanoseconds as recorded; see `PlacedGap`, and `GapPlace` for its `kind`. */
export interface GapDocument extends Omit<PlacedGap, 'place' | 'ends'> {
  readonly function: string;
  readonly file: string;
  readonly isHere: boolean;
  readonly fromLine: number;
  readonly toLine: number;
  /** Of `again` and `library`: where the function was called, innermost first, the outermost always. */
  readonly callers: readonly GapCallerDocument[];
  /** null where both stacks tell the place, and where gaps between many calls are one. */
  readonly after: GapEndDocument | null;
  readonly before: GapEndDocument | null;
}

/** A recording of `iolens gaps --json`; nanoseconds. */
export interface GapsDocument {
  /** As the user named it. */
  readonly recording: string;
  /** Of the recording, as recorded. */
  readonly durationNs: number;
  /** Calls have durations: without them nothing is known of what lies between. */
  readonly isTimed: boolean;
  /** A tracer's part is in these times. */
  readonly traced: boolean;
  /** What ended, or stopped being recorded, before its end. */
  readonly earlyEnds: readonly string[];
  /** Processes whose calls were only counted from a moment on: gaps are those before it. */
  readonly limited: number;
  /** Pieces that could not be read: what is missing there looks like a gap. */
  readonly damaged: number;
  /** In gaps, of the processes one after the other, or of the thread, with most of them in known places. */
  readonly timeNs: number;
  /** Shorter gaps are left out: a tracer stops the program for that long at a call. */
  readonly leastNs: number;
  /** Processes and threads of the recording. */
  readonly streams: number;
  /** Longest first. */
  readonly gaps: readonly GapDocument[];
  /** Gaps that are not among them, for there are too many. */
  readonly leftOut: number;
}

/** What is to be known to find the places of gaps. */
interface RecordedGaps extends GapsRecording {
  readonly recording: string;
  readonly locate: LocateSource;
}

const MOST_GAPS = 1000;
/** Deep recursions have thousands. */
const MOST_CALLERS = 16;

export function gapsDocument(recording: RecordedGaps): GapsDocument {
  const { trace, locate } = recording;
  const { gaps, timeNs, leastNs } = placedGaps(recording);
  return {
    recording: recording.recording,
    durationNs: trace.durationNs,
    isTimed: trace.capabilities.duration,
    traced: trace.form.tracerStopsProgram,
    earlyEnds: trace.earlyEnds ?? [],
    limited: trace.tallied?.length ?? 0,
    damaged: trace.damage.length,
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
export function longGaps(recording: RecordedGaps): GapDocument[] {
  const { trace, locate } = recording;
  const { stacks, duration } = trace.capabilities;
  // Where functions were recorded they say it; what is lost, or was only counted, would look like computing.
  if (!stacks || !duration || hasComputing(trace) || trace.damage.length > 0 || trace.tallied !== undefined) return [];
  const least = LEAST_SHARE * trace.durationNs;
  return placedGaps(recording)
    .gaps.filter(({ place, timeNs }) => timeNs >= least && place !== undefined && place.fromLine + place.toLine > 0)
    .slice(0, MOST_NAMED)
    .map((gap) => gapDocument(gap, locate));
}

function hasComputing({ functions }: Trace): boolean {
  return functions?.functions.some(({ role }) => role === 'computation') === true;
}

function gapDocument({ kind, place, ends, ...sums }: PlacedGap, locate: LocateSource): GapDocument {
  const { functionName = '', file = '', fromLine = 0, toLine = 0, callers = [] } = place ?? {};
  const at = (recorded: string): string => (recorded === '' ? '' : locate(recorded).file);
  const endOf = ({ name, frame }: PlacedEnd): GapEndDocument => ({
    call: name,
    function: frame?.functionName ?? '',
    file: at(frame?.file ?? ''),
    line: frame?.line ?? 0,
  });
  return {
    kind,
    function: functionName,
    ...(file === '' ? { file, isHere: false } : locate(file)),
    fromLine,
    toLine,
    callers: [...callers.slice(0, MOST_CALLERS - 1), ...callers.slice(MOST_CALLERS - 1).slice(-1)].map((caller) => ({
      function: caller.functionName,
      file: at(caller.file),
      line: caller.line,
    })),
    after: ends === undefined ? null : endOf(ends.after),
    before: ends === undefined ? null : endOf(ends.before),
    ...sums,
  };
}
