import { getOrCreate } from '../../base/grouping.ts';
import { GapPlaces, type GapPlace } from '../../analysis/gaps/gap-place.ts';
import { gapsOf, type Gap, type GapEnd } from '../../analysis/gaps/gaps.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LocateSource } from '../analysis/site-documents.ts';

interface GapCallerDocument {
  readonly function: string;
  readonly file: string;
  readonly line: number;
}

/** A call at an end of a gap. */
interface GapEndDocument {
  /** '' for the process's own begin or end. */
  readonly call: string;
  readonly function: string;
  /** '' when unknown. */
  readonly file: string;
  readonly line: number;
}

/** Gaps that are named beside a run: so many, and a tenth of it or more. */
const MOST_NAMED = 3;
const LEAST_SHARE = 0.1;

/** What is to be known to find the places of gaps. */
interface RecordedGaps {
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  readonly locate: LocateSource;
}

/** The few gaps in which most of a run passes that is no I/O; none where no line of them is known. */
export function longGaps({ trace, resolved, locate }: RecordedGaps): GapDocument[] {
  // Where functions were recorded they say it.
  if (!trace.capabilities.stacks || !trace.capabilities.duration || hasComputing(trace)) return [];
  const { gaps, durationNs } = gapsDocument({ trace, resolved, locate });
  return gaps
    .filter(({ fromLine, toLine, timeNs }) => fromLine + toLine > 0 && timeNs >= LEAST_SHARE * durationNs)
    .slice(0, MOST_NAMED);
}

function hasComputing({ functions }: Trace): boolean {
  return functions?.functions.some(({ role }) => role === 'computation') === true;
}

/** Stretches of time in one place of the program, as recorded; see `GapPlace`. */
export interface GapDocument {
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
  readonly times: number;
  /** Of the process or thread that has most of it; the others pass beside it. */
  readonly timeNs: number;
  /** Of all processes and threads together. */
  readonly allNs: number;
  readonly longestNs: number;
  /** Processes and threads that have some of it. */
  readonly streams: number;
}

/** `iolens gaps --json` */
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

const MOST_GAPS = 1000;
/** Deep recursions have thousands. */
const MOST_CALLERS = 16;

export function gapsDocument({ trace, resolved, locate }: RecordedGaps): GapsDocument {
  const { gaps, leastNs } = gapsOf(trace);
  const places = new GapPlaces(trace, resolved);
  const endOf = ({ name, node }: GapEnd): GapEndDocument => {
    const frame = places.innermost(node);
    const { functionName = '', file = '', line = 0 } = frame ?? {};
    return { call: name, function: functionName, file: file === '' ? '' : locate(file).file, line };
  };
  const groups = new Map<string, { place: GapPlace | undefined; ends: string[]; gaps: Gap[] }>();
  const placed = gaps.map((gap) => ({ gap, place: places.between(gap.after, gap.before) }));
  // Where no function of the program is known, for want of stacks or of its binary, the calls tell places apart.
  const hasPlaces = placed.some(({ place }) => place !== undefined);
  for (const { gap, place } of placed) {
    const ends = place === undefined && hasPlaces ? [] : [gap.after.name, gap.before.name];
    const { functionName, file, fromLine, toLine, callers } = place ?? NOWHERE;
    const callerLines = callers.map((caller) => [caller.functionName, caller.file, caller.line]);
    const key = JSON.stringify([functionName, file, fromLine, toLine, callerLines, ends]);
    getOrCreate(groups, key, () => ({ place, ends, gaps: [] })).gaps.push(gap);
  }
  const documents = [...groups.values()].map(({ place = NOWHERE, ends, gaps: alike }): GapDocument => {
    const { functionName, file, fromLine, toLine, callers } = place;
    const [first] = alike;
    return {
      function: functionName,
      ...(file === '' ? { file, isHere: false } : locate(file)),
      fromLine,
      toLine,
      callers: callers.slice(0, MOST_CALLERS).map((caller) => ({
        function: caller.functionName,
        file: caller.file === '' ? '' : locate(caller.file).file,
        line: caller.line,
      })),
      after: ends.length === 0 ? null : endOf(first!.after),
      before: ends.length === 0 ? null : endOf(first!.before),
      ...sumOf(alike),
    };
  });
  // What libraries do comes last: nobody can change it.
  const isNowhere = ({ function: name, after }: GapDocument): number => Number(name === '' && after === null);
  documents.sort((a, b) => isNowhere(a) - isNowhere(b) || b.timeNs - a.timeNs);
  return {
    schema: 'iolens/gaps@1',
    durationNs: trace.durationNs,
    timeNs: mostOfAStream(gaps),
    leastNs,
    streams: trace.streams.length,
    gaps: documents.slice(0, MOST_GAPS),
    leftOut: Math.max(0, documents.length - MOST_GAPS),
  };
}

function mostOfAStream(gaps: readonly Gap[]): number {
  return sumOf(gaps).timeNs;
}

function sumOf(gaps: readonly Gap[]): Pick<GapDocument, 'times' | 'timeNs' | 'allNs' | 'longestNs' | 'streams'> {
  const ofStreams = new Map<number, number>();
  for (const gap of gaps)
    for (const [stream, ns] of gap.ofStreams) ofStreams.set(stream, (ofStreams.get(stream) ?? 0) + ns);
  const times = [...ofStreams.values()];
  return {
    times: gaps.reduce((sum, gap) => sum + gap.times, 0),
    timeNs: times.reduce((most, ns) => Math.max(most, ns), 0),
    allNs: times.reduce((sum, ns) => sum + ns, 0),
    longestNs: gaps.reduce((most, gap) => Math.max(most, gap.longestNs), 0),
    streams: ofStreams.size,
  };
}

const NOWHERE: GapPlace = { functionName: '', file: '', fromLine: 0, toLine: 0, callers: [] };
