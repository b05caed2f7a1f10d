import type { Trace } from '../../trace/trace.ts';
import { CallFolder } from './fold-calls.ts';
import { gatherCalls } from './gather-calls.ts';
import type { LoopOptions } from './loop-options.ts';
import { PatternMaker } from './make-patterns.ts';
import type { Pattern, StreamPattern } from './pattern.ts';

/**
 * What each stream does, as nested repeats of calls (Knüpfer et al., sections 4 and 8): the calls in the order of their
 * beginnings with what tells them apart, and messages between streams where the trace has them. Expanding a pattern gives
 * the stream's sequence back. O(n log n) time for the worst sequences of n calls, O(n) memory.
 */
export function findLoops(trace: Trace, options: LoopOptions = {}): StreamPattern[] {
  const gathered = gatherCalls(trace, options);
  const { first, end } = gathered;
  const maker = new PatternMaker(trace, gathered);
  const folder = new CallFolder<Pattern>(gathered.calls, maker, options.loopVariables !== false);
  const found: StreamPattern[] = [];
  trace.streams.forEach((_, stream) => {
    const length = end[stream]! - first[stream]!;
    if (length === 0) return;
    const patterns = folder.fold(first[stream]!, end[stream]!);
    found.push({ streams: [stream], patterns, length, size: sizeOf(patterns) });
  });
  return found;
}

function sizeOf(patterns: readonly Pattern[]): number {
  return patterns.reduce((size, pattern) => size + 1 + (pattern.kind === 'loop' ? sizeOf(pattern.body) : 0), 0);
}
