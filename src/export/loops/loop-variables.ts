import type { GroupSpread } from '../../analysis/loops/group-access.ts';
import type { AffineNumber, Pattern } from '../../analysis/loops/pattern.ts';

/** A loop around a call, as its numbers need it: the name of its variable and the variable's first value. */
export interface LoopAround {
  /** '' where nothing needs a variable: `offset += 640` says it shorter. */
  readonly variable: string;
  readonly from: number;
  readonly count: number;
}

const NAMES = ['x', 'y', 'z', 'u', 'v', 'w'];

/** How the streams of a group are counted. */
export interface StreamCounting {
  /** `rank`, or `process`: without ranks these are counted in the order in which the group names them, from 0. */
  readonly name: string;
  /** Number of the group's first stream. */
  readonly first: number;
  readonly spread: GroupSpread;
}

/**
 * A loop with the variable that its body needs: one whose value is a number of the body itself where there is such a number
 * (figure 8 of the paper: `send_sync(x)` with x = 2…256), else the iteration, from 0.
 *
 */
export function loopAround(body: readonly Pattern[], count: number, around: readonly LoopAround[]): LoopAround {
  const depth = around.length;
  const own = firstOwnNumber(body, depth);
  if (own === undefined && !needsVariable(body, depth)) return { variable: '', from: 0, count };
  const used = around.filter(({ variable }) => variable !== '').length;
  return { variable: NAMES[used] ?? `x${String(used)}`, from: own ?? 0, count };
}

/** Base of the first peer or number of a path that is counted by this loop alone, by ones. */
function firstOwnNumber(body: readonly Pattern[], depth: number): number | undefined {
  for (const pattern of body) {
    if (pattern.kind === 'loop') {
      const found = firstOwnNumber(pattern.body, depth);
      if (found !== undefined) return found;
      continue;
    }
    const own = namedNumbers(pattern).find(
      ({ steps }) => steps.length > depth && steps.every((step, loop) => step === (loop === depth ? 1 : 0)),
    );
    if (own !== undefined) return own.base;
  }
  return undefined;
}

/** The numbers of a call that have no other way to be shown than by a variable. */
function namedNumbers(pattern: Exclude<Pattern, { kind: 'loop' }>): AffineNumber[] {
  const { peer, file } = pattern.kind === 'synchronisation' ? { ...pattern, file: 0 } : { ...pattern, peer: undefined };
  const numbers = typeof file === 'number' ? [peer] : [file.outer?.number, file.number];
  return numbers.filter((number) => number !== undefined);
}

function needsVariable(body: readonly Pattern[], depth: number): boolean {
  return body.some((pattern) => {
    if (pattern.kind === 'loop') return needsVariable(pattern.body, depth);
    if (namedNumbers(pattern).some(({ steps }) => (steps[depth] ?? 0) !== 0)) return true;
    if (pattern.kind === 'synchronisation') return false;
    return [pattern.offset, pattern.requested].some(
      (number) => number !== undefined && (number.steps[depth] ?? 0) !== 0 && !isOneStep(number),
    );
  });
}

/** Whether a number is counted by the innermost loop alone: `0 += 640` then. */
function isOneStep({ steps }: AffineNumber): boolean {
  return steps.findIndex((step) => step !== 0) === steps.length - 1;
}

/** `640`, `0 += 640`, `7 + 1000x + 640y`, `1000×rank`. */
export function numberText(number: AffineNumber, around: readonly LoopAround[], streams: StreamCounting): string {
  if (number.steps.length > 0 && isOneStep(number) && number.steps.at(-1) !== 0) {
    const step = number.steps.at(-1)!;
    const base = sumText({ ...number, steps: [] }, around, streams);
    return `${base} ${step < 0 ? '−' : '+'}= ${String(Math.abs(step))}`;
  }
  return sumText(number, around, streams);
}

/** The same as a sum of variables. */
export function sumText(
  { base, steps, perStream = 0 }: AffineNumber,
  around: readonly LoopAround[],
  streams: StreamCounting,
): string {
  let constant = base - perStream * streams.first;
  const terms: { factor: number; name: string }[] = [];
  if (perStream !== 0) terms.push({ factor: perStream, name: `×${streams.name}` });
  steps.forEach((step, loop) => {
    if (step === 0) return;
    constant -= step * around[loop]!.from;
    terms.push({ factor: step, name: around[loop]!.variable });
  });
  if (terms.length === 0) return String(constant);
  const shown = terms.map(({ factor, name }, i) => {
    const size = Math.abs(factor) === 1 ? name.replace('×', '') : `${String(Math.abs(factor))}${name}`;
    if (i === 0) return factor < 0 ? `−${size}` : size;
    return `${factor < 0 ? '−' : '+'} ${size}`;
  });
  const rest = constant === 0 ? '' : ` ${constant < 0 ? '−' : '+'} ${String(Math.abs(constant))}`;
  return shown.join(' ') + rest;
}
