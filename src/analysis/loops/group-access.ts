import type { Trace } from '../../trace/trace.ts';
import { loopAccess, type LoopAccess } from './loop-access.ts';
import type { AffineNumber, LoopPattern, Pattern } from './pattern.ts';

/** Numbers of a group's streams, each less that of the first one. */
export interface GroupSpread {
  readonly least: number;
  readonly most: number;
  readonly mean: number;
}

/** One stream alone. */
const ALONE: GroupSpread = { least: 0, most: 0, mean: 0 };

export function spreadOf(numbers: readonly number[]): GroupSpread {
  const spread = { ...ALONE };
  let sum = 0;
  for (const number of numbers) {
    const further = number - numbers[0]!;
    spread.least = Math.min(spread.least, further);
    spread.most = Math.max(spread.most, further);
    sum += further;
  }
  return { ...spread, mean: sum / numbers.length };
}

/**
 * How the transfers of a group's loop lie in their file; what is said of it holds for each of its streams. What a place or
 * a size is grows evenly with the stream's number, and so does what decides: what holds for the least and for the largest
 * number holds for all between them. The numbers of the answer are averages of all streams.
 */
export function groupAccess(
  trace: Trace,
  loop: LoopPattern,
  depth: number,
  spread: GroupSpread,
): LoopAccess | undefined {
  const of = (further: number): LoopAccess | undefined => {
    const body = loop.body.map((line) => inStream(line, further, spread));
    return body.includes(undefined) ? undefined : loopAccess(trace, { body: body as Pattern[] }, depth, () => true);
  };
  if (spread.least === spread.most) return of(0);
  const [least, most, mean] = [spread.least, spread.most, spread.mean].map(of);
  return least?.kind === mean?.kind && most?.kind === mean?.kind ? mean : undefined;
}

/** A line of a body as one stream has it; undefined where what its transfers moved is known of all streams together only. */
function inStream(line: Pattern, further: number, { mean }: GroupSpread): Pattern | undefined {
  if (line.kind !== 'call') return line;
  const { requested, events, bytes } = line;
  const offset = line.offset && atNumber(line.offset, further);
  if (requested?.perStream === undefined) return { ...line, offset };
  // None moves more than it asks for: where all together moved all of it, each of them did.
  const asked = atNumber(requested, mean).base * events;
  if (requested.steps.some((step) => step !== 0) || Math.abs(asked - bytes) >= 0.5) return undefined;
  const own = atNumber(requested, further);
  return { ...line, offset, requested: own, bytes: own.base * events };
}

function atNumber({ base, steps, perStream = 0 }: AffineNumber, further: number): AffineNumber {
  return { base: base + perStream * further, steps };
}
