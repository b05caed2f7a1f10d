import type { StreamIndex } from '../../trace/indices.ts';

interface NestedCall {
  readonly layer: number;
  readonly start: number;
  readonly end: number;
  readonly cell: number;
}

/**
 * Tells which call a call was made within: one of the same stream and of a higher layer that holds its whole time, the
 * innermost where there are several. Calls are entered in the order of their starts.
 */
export class NestedTime {
  /** By stream: calls that may still hold others, the outermost first. */
  private readonly open: NestedCall[][];

  constructor(streams: number) {
    this.open = Array.from({ length: streams }, () => []);
  }

  /** @param within is told whose time is not its own, and how much; a negative amount takes something back. */
  enter(stream: StreamIndex, call: NestedCall, within: (owner: number, ns: number) => void): void {
    const { layer, start, end, cell } = call;
    const calls = this.open[stream]!;
    while (calls.length > 0 && calls.at(-1)!.end <= start) calls.pop();
    // Of two that begin together the inner one may have come first.
    let at = calls.length;
    while (at > 0 && calls[at - 1]!.start === start && calls[at - 1]!.layer > layer && calls[at - 1]!.end <= end) at--;
    const inner = calls[at];
    const owner = ownerOf(calls, at, layer, end);
    if (owner !== undefined) within(owner.cell, end - start);
    if (inner !== undefined) {
      const before = ownerOf(calls, at, inner.layer, inner.end);
      if (before !== undefined) within(before.cell, inner.start - inner.end);
      within(cell, inner.end - inner.start);
    }
    calls.splice(at, 0, call);
  }
}

function ownerOf(calls: readonly NestedCall[], below: number, layer: number, end: number): NestedCall | undefined {
  for (let at = below - 1; at >= 0; at--) if (calls[at]!.layer < layer && calls[at]!.end >= end) return calls[at];
  return undefined;
}
