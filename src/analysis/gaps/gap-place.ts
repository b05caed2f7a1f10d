import { NONE } from '../../trace/events.ts';
import type { StackNode } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { isLibrarySource } from '../../symbols/library-modules.ts';
import type { ResolvedStacks, SourceFrame } from '../../symbols/resolved-stacks.ts';
import type { GapEnd } from './gaps.ts';
import { chainOf } from '../sites/call-sites.ts';

/**
 * Where a program is between two calls: in the innermost function that is on the stacks of both, from the line at which it
 * makes the first to the line at which it makes the second. Where that is an earlier line, or the same, a loop came back to
 * it: in this function, or in one of its callers, which stacks do not tell.
 */
export interface GapPlace {
  readonly functionName: string;
  /** As in the debug information; '' when only the function is known. */
  readonly file: string;
  /** 0 when unknown, and where the function's begin or end is meant. */
  readonly fromLine: number;
  readonly toLine: number;
  /** From where the function was called, innermost first. */
  readonly callers: readonly SourceFrame[];
}

/** An end of a gap with the innermost frame of the program that made the call; undefined where there is none. */
export interface PlacedEnd {
  readonly name: string;
  readonly frame: SourceFrame | undefined;
}

/** Finds places by the stacks of the calls on both sides. */
export class GapPlaces {
  private readonly chains = new Map<StackNode, readonly SourceFrame[]>();

  constructor(
    private readonly trace: Trace,
    private readonly resolved: ResolvedStacks,
  ) {}

  /** @returns undefined where the stacks tell nothing, or share no function of the program. */
  between(after: GapEnd, before: GapEnd): GapPlace | undefined {
    const [first, second] = [this.program(after.node), this.program(before.node)];
    // Before its first call and behind its last the program may be anywhere in what its outermost function calls.
    if (after.name === '' && second.length > 0) return { ...placeOf(second, 0, second), fromLine: 0 };
    if (before.name === '' && first.length > 0) return { ...placeOf(first, 0, first), toLine: 0 };
    let common = 0;
    while (common < first.length && common < second.length && isSameCall(first[common]!, second[common]!)) common++;
    const [from, to] = [first[common], second[common]];
    if (from !== undefined && to !== undefined && isSameFunction(from, to)) return placeOf(first, common, second);
    return common === 0 ? undefined : placeOf(first, common - 1, second);
  }

  endOf({ name, node }: GapEnd): PlacedEnd {
    return { name, frame: this.program(node).at(-1) };
  }

  /** Frames of the program's own code, outermost first. */
  private program(node: StackNode): readonly SourceFrame[] {
    if (node === NONE) return [];
    let frames = this.chains.get(node);
    if (frames === undefined) {
      const isOwn = (frame: SourceFrame): boolean =>
        !frame.isLibrary &&
        !isLibrarySource(frame.file) &&
        frame.functionName !== '' &&
        frame.functionName !== '_start';
      frames = chainOf(this.trace, this.resolved, node).filter(isOwn).reverse();
      this.chains.set(node, frames);
    }
    return frames;
  }
}

/** In the function at a depth of both stacks. */
function placeOf(first: readonly SourceFrame[], depth: number, second: readonly SourceFrame[]): GapPlace {
  const { functionName, file, line } = first[depth]!;
  const callers = first.slice(0, depth).reverse();
  return { functionName, file, fromLine: line, toLine: second[depth]!.line, callers };
}

function isSameFunction(a: SourceFrame, b: SourceFrame): boolean {
  return a.functionName === b.functionName && a.file === b.file && a.module === b.module;
}

function isSameCall(a: SourceFrame, b: SourceFrame): boolean {
  return isSameFunction(a, b) && a.line === b.line;
}
