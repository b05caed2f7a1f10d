import type { FileIndex } from '../../trace/indices.ts';
import { NONE } from '../../trace/events.ts';
import { siteLoopKey, type LoopPlace, type SiteLoop, type SiteLoops } from '../loops/site-loops.ts';
import type { AdviceContexts } from './advice-context.ts';
import { adviseLoop } from './advice-for-program.ts';
import { isMadeByLibrary, ownSites, type Insight, type Recommendation } from './insight.ts';
import { advising, countOf, joined, say, slot, type Sentence } from './message.ts';
import { largerCalls, oneLargerCall, stridedView } from './loop-snippets.ts';

/** Findings on reads and writes whose remedy depends on the loop that makes them, by trigger. */
const ON_LOOPS: ReadonlyMap<string, 'read' | 'write'> = new Map([
  ['posix-small-reads', 'read'],
  ['posix-small-writes', 'write'],
  ['posix-small-reads-shared', 'read'],
  ['posix-small-writes-shared', 'write'],
  ['strided-small-reads', 'read'],
  ['strided-small-writes', 'write'],
  ['backward-reads', 'read'],
  ['posix-redundant-reads', 'read'],
  ['mpi-io-independent-reads', 'read'],
  ['mpi-io-independent-writes', 'write'],
]);
/** Share of a place's calls that must be made in one loop for it to be named. */
const MOST_OF_CALLS = 0.5;
/** Share of what calls ask for that must be there for larger ones to find more. */
const WORTH_ASKING = 0.5;

/**
 * Calls in which loops are looked for, so that findings do not wait for it: what repeats shows in fewer. The outline of all
 * is there for who asks (`iolens patterns`, the view Loops).
 */
export const LOOKED_AT_CALLS = 100_000;

/** Whose loops these findings would say: others need not be looked for. */
export function placesOfLoops(insights: readonly Insight[]): LoopPlace[] {
  return insights.flatMap((insight) => {
    const direction = ON_LOOPS.get(insight.trigger);
    if (direction === undefined) return [];
    const sites = insight.sites.map(({ site }): LoopPlace => ({ site, file: NONE, direction }));
    return [...sites, ...firstPlace(insight, direction)];
  });
}

/**
 * Adds to findings on many calls which loop makes them, and what becomes of it: one larger call where each iteration goes
 * on where the last one ended, a file view with one collective call where there is a constant step between them.
 */
export function withLoops(insights: readonly Insight[], loops: SiteLoops, program: LoopProgram): Insight[] {
  return insights.map((insight) => {
    const direction = ON_LOOPS.get(insight.trigger);
    return direction === undefined || isMadeByLibrary(insight)
      ? insight
      : withLoopsOf(insight, direction, loops, program);
  });
}

/** What advice on loops has to know of the program. */
interface LoopProgram {
  readonly isMpi: boolean;
  /** Files of which the program sets a view (MPI_File_set_view): a loop goes through its pieces one by one. */
  readonly viewed: ReadonlySet<FileIndex>;
  readonly contexts: AdviceContexts;
}

function withLoopsOf(
  insight: Insight,
  direction: 'read' | 'write',
  loops: SiteLoops,
  { isMpi, viewed, contexts }: LoopProgram,
): Insight {
  const sites = insight.sites.map((place) => {
    const loop = loopOf(loops, siteLoopKey({ site: place.site, file: NONE, direction }));
    return loop === undefined
      ? place
      : { ...place, message: joined(place.message, say` ${sentence(loop, direction, HERE)}`) };
  });
  const loop = firstLoop(insight, direction, loops);
  if (loop === undefined) return insight;
  const isViewed = insight.files.some(({ file }) => viewed.has(file));
  return {
    ...insight,
    message: joined(insight.message, say` ${sentence(loop, direction, whereOf(insight))}`),
    evidence: {
      ...insight.evidence,
      loopIterations: loop.iterations,
      ...(loop.fewestIterations < loop.iterations && { fewestLoopIterations: loop.fewestIterations }),
      loopRuns: loop.runs,
      callsInLoop: loop.inLoop,
      callsPerIteration: loop.transfers,
      bytesPerIteration: Math.round(loop.movedBytes),
      stepBytes: loop.stepBytes,
      ...(loop.among !== undefined && { loopsAmongCalls: loop.among }),
    },
    sites,
    // What the code can do stands before what the job can, such as recording with stacks.
    recommendations: [
      ...insight.recommendations.filter(({ audience }) => audience === 'code'),
      ...adviseLoop(insight, recommendations(loop, direction, isMpi, isViewed), contexts),
      ...insight.recommendations.filter(({ audience }) => audience === 'job'),
    ],
  };
}

/** The costliest place; the costliest file where no places are known. */
function firstPlace({ sites, files }: Insight, direction: 'read' | 'write'): LoopPlace[] {
  const places =
    sites.length > 0
      ? ownSites(sites).map(({ site }): LoopPlace => ({ site, file: NONE, direction }))
      : files.map(({ file }): LoopPlace => ({ site: NONE, file, direction }));
  return places.slice(0, 1);
}

function firstLoop(insight: Insight, direction: 'read' | 'write', loops: SiteLoops): SiteLoop | undefined {
  const [place] = firstPlace(insight, direction);
  return place === undefined ? undefined : loopOf(loops, siteLoopKey(place));
}

function loopOf(loops: SiteLoops, key: string): SiteLoop | undefined {
  const loop = loops.get(key);
  return loop !== undefined && loop.inLoop > MOST_OF_CALLS * loop.inAll ? loop : undefined;
}

/** How a sentence says which place, or file, its loop belongs to. */
interface Where {
  readonly begins: string;
  readonly noun: string;
}

const HERE: Where = { begins: 'A loop', noun: 'place' };

/** A finding of several places, or files, has the loop of the first. */
function whereOf({ sites, files }: Insight): Where {
  const [noun, places] = sites.length > 0 ? ['place', sites.length] : ['file', files.length];
  return { begins: places > 1 ? `At the costliest ${noun} a loop` : 'A loop', noun };
}

/** `A loop makes them: 34 iterations of 2 writes (48 B), each where the last one ended: contiguous.` */
function sentence(of: SiteLoop, direction: string, { begins, noun }: Where): Sentence {
  const { iterations, fewestIterations, runs, transfers, inLoop, inAll, among } = of;
  const times = runs > 1 ? say`, run ${slot('loopRuns', runs)} times,` : [];
  const calls =
    inLoop === inAll
      ? 'them'
      : say`${slot('callsInLoop', inLoop)} of the ${countOf('callsOfPlace', inAll, direction)} of this ${noun}`;
  const asSeen = among === undefined ? [] : say` (as far as the first ${slot('callsLookedAt', among)} calls show)`;
  const most = countOf('iterations', iterations, 'iteration');
  const turns = fewestIterations < iterations ? say`${slot('fewestIterations', fewestIterations)} to ${most}` : most;
  return say`${begins}${times} makes ${calls}${asSeen}: ${turns} of ${countOf('callsPerIteration', transfers, direction)} (${sizeText(of)}), ${wayText(of)}.`;
}

/** What one iteration moves, and what it asks for where that is more. */
function sizeText({ transfers, bytes, movedBytes, isSteady }: SiteLoop): Sentence {
  if (isSteady) return [slot('bytesPerIteration', bytes)];
  const size = slot('bytesPerIteration', Math.round(movedBytes));
  const moved = say`${transfers > 1 ? 'together ' : ''}${size} on average`;
  return bytes > movedBytes ? say`${moved}, of ${slot('bytesAskedFor', bytes)} asked for` : moved;
}

/** How the iterations lie to each other. */
function wayText({ kind, bytes, stepBytes }: SiteLoop): Sentence {
  switch (kind) {
    case 'contiguous':
      return say`each where the last one ended: contiguous`;
    case 'appended':
      return say`each at the end of the file`;
    case 'strided':
      return say`each ${slot('step', stepBytes)} further on than the last: strided, with gaps of ${slot('gap', stepBytes - bytes)}`;
    case 'backward':
      return say`each ${slot('step', -stepBytes)} before the last`;
    case 'repeated':
      return stepBytes === 0
        ? say`each at the same offset`
        : say`each ${slot('step', stepBytes)} further on than the last, over a part of the same bytes`;
  }
}

function recommendations(
  loop: SiteLoop,
  direction: 'read' | 'write',
  isMpi: boolean,
  isViewed: boolean,
): Recommendation[] {
  const { kind, iterations, fewestIterations } = loop;
  // The calls that were looked at end in the midst of it: how much one call would move is not known.
  if (loop.among !== undefined && loop.runs === 1) return [];
  if (kind === 'contiguous' || kind === 'appended') return largerCallAdvice(loop, direction);
  if (kind !== 'strided' || !isMpi) return [];
  if (isViewed) {
    const text = `The file view holds the loop's pieces already: ${direction} all of them with one collective call (MPI_File_${direction}_all) in place of the loop.`;
    return [{ audience: 'code', text }];
  }
  const [snippet, ...alternatives] = stridedView(loop, direction === 'read');
  const pieces = say`${fewestIterations < iterations ? 'up to ' : ''}${slot('iterations', iterations)} pieces`;
  const sentence = say`Describe the loop's ${pieces} by a file view and ${direction} them with one collective call: MPI-IO makes few large requests of them.`;
  return [{ audience: 'code', ...advising(sentence), snippet: snippet!, alternatives }];
}

function largerCallAdvice(loop: SiteLoop, direction: 'read' | 'write'): Recommendation[] {
  const { kind, transfers, bytes, movedBytes } = loop;
  if (movedBytes < WORTH_ASKING * bytes) return [];
  const [snippet, ...alternatives] = oneLargerCall(loop, direction === 'read');
  const perIteration =
    transfers > 1
      ? say` One call for each iteration already saves ${slot('callsSaved', transfers - 1)} of ${slot('callsPerIteration', transfers)}.`
      : [];
  const { calls, bytes: each, insteadOf, isAverage } = largerCalls(loop);
  const now =
    loop.runs > 1
      ? say`the ${slot('callsOfRun', insteadOf)} of each run of the loop${isAverage ? ' (both on average)' : ''}`
      : say`the loop's ${slot('callsOfRun', insteadOf)}`;
  const why =
    kind === 'appended' ? 'all of it goes to the end of the file' : 'what they move lies side by side in the file';
  const sentence = say`Make ${countOf('largerCalls', calls, 'call')} of ${slot('largerSize', each)} instead of ${now}: ${why}.${perIteration}`;
  return [{ audience: 'code', ...advising(sentence), snippet: snippet!, alternatives }];
}
