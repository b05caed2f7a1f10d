import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import type { CallSites } from '../sites/call-sites.ts';
import type { Insight } from '../triggers/insight.ts';

/** What a recording was worked up to, as far as selecting needs it. */
export interface SelectionInputs {
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  /** By line. */
  readonly callSites: CallSites;
  readonly metrics: Pick<Metrics, 'fileOfCell'>;
  readonly insights: readonly Insight[];
  /** 1 for files that findings leave out, by file. */
  readonly ignored: Uint8Array;
  /** The path of a source file on this machine, or as recorded where it is not here. */
  localFile(recorded: string): string;
}
