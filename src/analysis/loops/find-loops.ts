import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import { CallFolder } from './fold-calls.ts';
import { gatherCalls, type GatheredCalls } from './gather-calls.ts';
import { StreamGrouping } from './group-streams.ts';
import type { LoopOptions } from './loop-options.ts';
import { PatternMaker } from './make-patterns.ts';
import type { Pattern, StreamPattern } from './pattern.ts';

/**
 * What each stream does, as nested repeats of calls (Knüpfer et al., sections 4 and 8): the calls in the order of their
 * beginnings with what tells them apart, and messages between streams where the trace has them. Expanding a pattern gives
 * the stream's sequence back. Streams that do the same are one pattern. O(n log n) time for the worst sequences of n
 * calls, O(n) memory.
 */
export function findLoops(trace: Trace, options: LoopOptions = {}): StreamPattern[] {
  const gathered = gatherCalls(trace, options);
  const grouping = new StreamGrouping(trace, gathered.files, options);
  foldStreams(trace, gathered, options, (stream, patterns, length) => grouping.add(stream, patterns, length));
  return grouping.groups();
}

/** Makes patterns of the gathered calls of one stream after the other; of those only that `takes` chooses. */
export function foldStreams(
  trace: Trace,
  gathered: GatheredCalls,
  options: LoopOptions & { readonly takes?: (stream: StreamIndex) => boolean },
  visit: (stream: StreamIndex, patterns: readonly Pattern[], length: number) => void,
): void {
  const { first, end } = gathered;
  const maker = new PatternMaker(trace, gathered);
  const folder = new CallFolder<Pattern>(gathered.calls, maker, options.loopVariables !== false);
  trace.streams.forEach((_, stream) => {
    const length = end[stream]! - first[stream]!;
    if (length > 0 && options.takes?.(stream) !== false)
      visit(stream, folder.fold(first[stream]!, end[stream]!), length);
  });
}
