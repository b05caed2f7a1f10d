import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';

/** Nanoseconds for each frame where the recording shows nothing of it. */
const USUAL = 110_000;
/** Calls of the loader, and frames of each, that tell what a frame takes. */
const FEWEST_CALLS = 5;
const FEWEST_FRAMES = 8;

/**
 * How long a tracer looks at the stack of a call before it lets the program go on: so long for each frame. The loader, which
 * computes next to nothing between its calls, shows it; whatever else the machine does only adds to it.
 */
export class Unwinding {
  private readonly depths: Int32Array;
  private frames = 0;
  private calls = 0;
  private leastPerFrame = Infinity;
  private ofLoader = 0;

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
    if (node < 0 || !(gap > 0)) return;
    const depth = this.depths[node]!;
    if (this.callSites.siteOfNode[node] !== NONE) {
      this.frames += depth;
      this.calls++;
    } else if (depth >= FEWEST_FRAMES) {
      this.ofLoader++;
      this.leastPerFrame = Math.min(this.leastPerFrame, gap / depth);
    }
  }

  /** Nanoseconds for a stack of the program as it mostly is. */
  get typicalNs(): number {
    const perFrame = this.ofLoader >= FEWEST_CALLS ? this.leastPerFrame : USUAL;
    return this.calls === 0 ? 0 : (perFrame * this.frames) / this.calls;
  }
}
