import { NONE } from '../../trace/events.ts';
import { siteLoopKey, type SiteLoop, type SiteLoops } from '../loops/site-loops.ts';
import { counted, formatBytes, formatCount } from '../../base/quantities.ts';
import type { Insight, Recommendation } from './insight.ts';
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
/** Share of a place's calls that must be made in loops of one kind for these to be named. */
const MOST_OF_CALLS = 0.5;

/**
 * Calls in which loops are looked for, so that findings do not wait for it: what repeats shows in fewer. The outline of all
 * is there for who asks (`iolens patterns`, the view Loops).
 */
export const LOOKED_AT_CALLS = 100_000;

/** Whether any of these findings would say more with loops: these need not be looked for otherwise. */
export function needsLoops(insights: readonly Insight[]): boolean {
  return insights.some(({ trigger }) => ON_LOOPS.has(trigger));
}

/**
 * Adds to findings on many calls which loop makes them, and what becomes of it: one larger call where each iteration goes
 * on where the last one ended, a file view with one collective call where there is a constant step between them.
 */
export function withLoops(insights: readonly Insight[], loops: SiteLoops): Insight[] {
  return insights.map((insight) => {
    const direction = ON_LOOPS.get(insight.trigger);
    return direction === undefined ? insight : withLoopsOf(insight, direction, loops);
  });
}

function withLoopsOf(insight: Insight, direction: 'read' | 'write', loops: SiteLoops): Insight {
  const sites = insight.sites.map((place) => {
    const loop = loopOf(loops, siteLoopKey(place.site, NONE, direction));
    return loop === undefined ? place : { ...place, message: `${place.message} ${sentence(loop, direction)}` };
  });
  const loop = firstLoop(insight, direction, loops);
  if (loop === undefined) return insight;
  return {
    ...insight,
    message: `${insight.message} ${sentence(loop, direction)}`,
    evidence: {
      ...insight.evidence,
      loopIterations: loop.iterations,
      loopRuns: loop.runs,
      callsPerIteration: loop.transfers,
      bytesPerIteration: loop.bytes,
      stepBytes: loop.stepBytes,
      ...(loop.among !== undefined && { loopsAmongCalls: loop.among }),
    },
    sites,
    // What the code can do stands before what the job can, such as recording with stacks.
    recommendations: [
      ...insight.recommendations.filter(({ audience }) => audience === 'code'),
      ...recommendations(loop, direction),
      ...insight.recommendations.filter(({ audience }) => audience === 'job'),
    ],
  };
}

/** Of the costliest place that is in a loop; of the costliest file where no places are known. */
function firstLoop(insight: Insight, direction: 'read' | 'write', loops: SiteLoops): SiteLoop | undefined {
  const keys =
    insight.sites.length > 0
      ? insight.sites.map(({ site }) => siteLoopKey(site, NONE, direction))
      : insight.files.map(({ file }) => siteLoopKey(NONE, file, direction));
  return loopOf(loops, keys[0] ?? '');
}

function loopOf(loops: SiteLoops, key: string): SiteLoop | undefined {
  const loop = loops.get(key);
  return loop !== undefined && loop.bytes > 0 && loop.inSuchLoops > MOST_OF_CALLS * loop.inAll ? loop : undefined;
}

/** `They are made in a loop: 34 iterations of 2 writes (48 B), each where the last one ended.` */
function sentence(of: SiteLoop, direction: string): string {
  const { kind, iterations, runs, transfers, bytes, stepBytes, among } = of;
  const times = runs > 1 ? ` (run ${formatCount(runs)} times)` : '';
  const where =
    among === undefined ? 'A loop makes them' : `Of the first ${formatCount(among)} calls a loop makes them`;
  const loop = `${where}${times}: ${counted(iterations, 'iteration')} of ${counted(transfers, direction)} (${formatBytes(bytes)})`;
  switch (kind) {
    case 'contiguous':
      return `${loop}, each where the last one ended: contiguous.`;
    case 'strided':
      return `${loop}, each ${formatBytes(stepBytes)} further on than the last: strided, with gaps of ${formatBytes(stepBytes - bytes)}.`;
    case 'backward':
      return `${loop}, each ${formatBytes(-stepBytes)} before the last.`;
    case 'repeated':
      return `${loop}, over the same bytes.`;
  }
}

function recommendations(loop: SiteLoop, direction: 'read' | 'write'): Recommendation[] {
  const { kind, iterations, transfers } = loop;
  if (kind === 'contiguous') {
    const [snippet, ...alternatives] = oneLargerCall(loop, direction === 'read');
    const perIteration =
      transfers > 1
        ? ` One call for each iteration already saves ${formatCount(transfers - 1)} of ${formatCount(transfers)}.`
        : '';
    const larger = largerCalls(loop);
    const text = `Make ${counted(larger.calls, 'call')} of ${formatBytes(larger.bytes)} instead of the loop's ${formatCount(iterations * transfers)}: what they move lies side by side in the file.${perIteration}`;
    return [{ audience: 'code', text, snippet: snippet!, alternatives }];
  }
  if (kind !== 'strided') return [];
  const [snippet, ...alternatives] = stridedView(loop, direction === 'read');
  const text = `Describe the loop's ${formatCount(iterations)} pieces by a file view and ${direction} them with one collective call: MPI-IO makes few large requests of them.`;
  return [{ audience: 'code', text, snippet: snippet!, alternatives }];
}
