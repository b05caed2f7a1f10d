import { NONE } from '../../trace/events.ts';
import type { StackNode } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { isLibrarySource } from '../../symbols/library-modules.ts';
import type { ResolvedStacks, SourceFrame } from '../../symbols/resolved-stacks.ts';
import { isKnownFunction } from '../sites/call-sites.ts';
import type { GapEnd } from './gaps.ts';

/**
 * How the stacks of the calls on both sides lie to each other:
 *
 * - `within`: one function goes on from the line that makes the first to a later one that makes the second;
 * - `again`: it comes back to the same call, or an earlier one: round a loop of its own, or because it is called again. Then
 *   the program may be anywhere in the outermost of its callers;
 * - `library`: both are made by a library under one call of the program: within that, or between two such calls;
 * - `until` and `since`: of the first, or the second, no function of the program is known: the process begins or ends there,
 *   or it is a library's. `since`, too, where both are known and share none: what the system calls before or behind `main`.
 */
export type GapKind = 'within' | 'again' | 'library' | 'until' | 'since';

/** Where a program is between two calls. */
export interface GapPlace {
  readonly kind: GapKind;
  /** The innermost on both stacks; of `until` and `since` the outermost on the one. */
  readonly functionName: string;
  /** As in the debug information; '' when only the function is known. */
  readonly file: string;
  /** 0 when unknown, and of `until`. */
  readonly fromLine: number;
  /** 0 when unknown, and of `since`. */
  readonly toLine: number;
  /** From where it was called, innermost first, each place once; only of `again` and `library`, where they matter. */
  readonly callers: readonly SourceFrame[];
}

/** An end of a gap with the innermost frame of the program that made the call; undefined where there is none. */
export interface PlacedEnd {
  readonly name: string;
  readonly frame: SourceFrame | undefined;
}

/** A recorded frame: a return address, and the source frames of the program at it, outermost first; none in a library. */
interface Level {
  readonly node: StackNode;
  readonly address: number;
  readonly frames: readonly SourceFrame[];
  readonly isCLibrary: boolean;
}

/** Of glibc and of musl. */
const C_LIBRARY = /\/(lib(c|pthread)[.-][^/]*|ld-musl[^/]*)$/;

/** Finds places by the stacks of the calls on both sides: return addresses tell calls apart where lines do not. */
export class GapPlaces {
  private readonly stacks = new Map<StackNode, readonly Level[]>();

  constructor(
    private readonly trace: Trace,
    private readonly resolved: ResolvedStacks,
  ) {}

  /** @returns undefined where neither stack has a function of the program. */
  between(after: GapEnd, before: GapEnd): GapPlace | undefined {
    const [first, second] = [this.levelsOf(after.node), this.levelsOf(before.node)];
    const [from, to] = [outermost(first), outermost(second)];
    if (from === undefined || to === undefined) {
      if (to !== undefined) return { ...placeAt('until', to), fromLine: 0 };
      return from && { ...placeAt('since', from), toLine: 0 };
    }
    let common = 0;
    while (common < first.length && first[common]!.node === second[common]?.node) common++;
    return parted(first, second, common) ?? together(first, second, common) ?? { ...placeAt('since', from), toLine: 0 };
  }

  endOf({ name, node }: GapEnd): PlacedEnd {
    return { name, frame: framesOf(this.levelsOf(node)).at(-1) };
  }

  /** Outermost first. */
  private levelsOf(node: StackNode): readonly Level[] {
    let levels = this.stacks.get(node);
    if (levels === undefined) {
      const found: Level[] = [];
      for (let at = node; at !== NONE; at = this.trace.stacks.nodeParent.at(at)) {
        const level = this.levelOf(at);
        // A tracer sees the call from within the C library, which computes nothing; a recorder from outside.
        if (found.length > 0 || !level.isCLibrary) found.push(level);
      }
      levels = found.reverse();
      this.stacks.set(node, levels);
    }
    return levels;
  }

  private levelOf(node: StackNode): Level {
    const frames = this.resolved.framesOf(node);
    const isCLibrary = frames.every(
      ({ module, functionName }) => C_LIBRARY.test(module) || (functionName !== '' && isKnownFunction(functionName)),
    );
    // As recorded: places that were kept have one address for all calls of a line.
    const { frameValue, nodeFrame } = this.trace.stacks;
    return { node, address: frameValue.at(nodeFrame.at(node)), frames: frames.filter(isProgram).reverse(), isCLibrary };
  }
}

function isProgram({ isLibrary, file, functionName }: SourceFrame): boolean {
  return !isLibrary && !isLibrarySource(file) && functionName !== '' && !isKnownFunction(functionName);
}

/** Both stacks go on in the same function, by different calls of it. */
function parted(first: readonly Level[], second: readonly Level[], depth: number): GapPlace | undefined {
  const [a, b] = [first[depth], second[depth]];
  if (a === undefined || b === undefined) return undefined;
  let at = -1;
  // What was inlined by one call of the source is one function, too.
  while (isSameFunction(a.frames[at + 1], b.frames[at + 1])) {
    at++;
    if (a.frames[at]!.line !== b.frames[at]!.line) break;
  }
  const [from, to] = [a.frames[at], b.frames[at]];
  if (from === undefined || to === undefined) return undefined;
  const isOn = to.line === from.line ? b.address > a.address : to.line > from.line;
  const callers = [...framesOf(first.slice(0, depth)), ...a.frames.slice(0, at)];
  return { ...placeAt(isOn ? 'within' : 'again', from, isOn ? [] : callers), toLine: to.line };
}

/** Both are made under the same call of the program, the innermost that they share. */
function together(first: readonly Level[], second: readonly Level[], common: number): GapPlace | undefined {
  const shared = framesOf(first.slice(0, common));
  const frame = shared.pop();
  if (frame === undefined) return undefined;
  // Of two calls by a library both may serve one call of the program; the program's own functions are called one by one.
  const own = first.slice(0, common).findLastIndex(({ frames }) => frames.length > 0);
  const isLibrary = [first, second].every((levels) => levels.length > own + 1 && levels[own + 1]!.frames.length === 0);
  return placeAt(isLibrary ? 'library' : 'again', frame, shared);
}

function placeAt(
  kind: GapKind,
  { functionName, file, line }: SourceFrame,
  callers: readonly SourceFrame[] = [],
): GapPlace {
  return { kind, functionName, file, fromLine: line, toLine: line, callers: eachOnce(callers) };
}

/**
 * Recursion would name one place a thousand times, and each depth would be a place of its own.
 * @param callers outermost first.
 * @returns innermost first, of places that are the same the outermost.
 */
function eachOnce(callers: readonly SourceFrame[]): SourceFrame[] {
  const places = new Map(callers.map((caller) => [[caller.functionName, caller.file, caller.line].join('\n'), caller]));
  return [...places.values()].reverse();
}

function isSameFunction(a: SourceFrame | undefined, b: SourceFrame | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.functionName === b.functionName && a.file === b.file && a.module === b.module;
}

function framesOf(levels: readonly Level[]): SourceFrame[] {
  return levels.flatMap(({ frames }) => frames);
}

function outermost(levels: readonly Level[]): SourceFrame | undefined {
  return levels.find(({ frames }) => frames.length > 0)?.frames[0];
}
