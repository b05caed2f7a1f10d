import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { Gaps } from './gaps.ts';

/** Nanoseconds for each frame where the recording shows nothing of it. */
const USUAL = 110_000;
/** The longer ones read what is new about a library; and none takes longer than that. */
const SHORTER = 0.25;
const MOST = 250_000;
/** Calls of the loader, and frames of each, that tell what a frame takes. */
const FEWEST_CALLS = 5;
const FEWEST_FRAMES = 8;

/**
 * How long a tracer looks at the stack of a call before it lets the program go on: so long for each frame. The loader, which
 * computes next to nothing between its calls, shows it.
 */
export class Unwinding {
  private readonly depths: Int32Array;
  /** Times behind calls of the loader, each for one frame. */
  private readonly perFrame = new Gaps();

  constructor(
    { stacks }: Trace,
    private readonly callSites: CallSites,
  ) {
    this.depths = new Int32Array(stacks.nodes);
    // A node stands behind that of its caller.
    for (let node = 0; node < stacks.nodes; node++) {
      const caller = stacks.nodeParent.at(node);
      this.depths[node] = caller === NONE ? 1 : this.depths[caller]! + 1;
    }
  }

  /**
   * @param node stack of a call; negative for none.
   * @param gap nanoseconds between its end and the begin of the next call.
   */
  see(node: number, gap: number): void {
    if (node < 0 || !(gap > 0) || this.callSites.siteOfNode[node] !== NONE) return;
    const depth = this.depths[node]!;
    if (depth < FEWEST_FRAMES) return;
    this.perFrame.add(gap / depth);
  }

  /** Nanoseconds for the stack of a call; 0 for none. */
  of(node: number): number {
    if (node < 0) return 0;
    const seen = this.perFrame.count >= FEWEST_CALLS ? Math.min(this.perFrame.quantile(SHORTER), MOST) : USUAL;
    return seen * this.depths[node]!;
  }
}
