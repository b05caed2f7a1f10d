import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { StorageSamples } from '../../trace/storage-samples.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import type { Insight } from '../triggers/insight.ts';

/** A recording on the axis of a timeline, with what is known of it. */
export interface TimelineRecording {
  /** What the user calls it. */
  readonly name: string;
  readonly trace: Trace;
  /** What the machine's storage did meanwhile, where that was noted. */
  readonly storage?: StorageSamples;
  readonly resolved: ResolvedStacks;
  readonly callSites: CallSites;
  /** 1 for files that findings leave out. */
  readonly ignored: Uint8Array;
  /** Asked for only where something is coloured by findings: they take time. */
  readonly insights: () => readonly Insight[];
  /** The path of a source file on this machine, or as recorded where it is not here. */
  readonly localSource: (recorded: string) => { readonly file: string; readonly isHere: boolean };
}
