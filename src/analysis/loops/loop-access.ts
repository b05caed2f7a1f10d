import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { CallPattern, LoopPattern, NumberedPath } from './pattern.ts';

/** How the transfers of a loop lie in their file. */
export interface LoopAccess {
  /**
   * `contiguous`: each iteration goes on where the last ended. `strided`: a constant step further than it moved.
   * `backward`: a constant step back. `repeated`: the same place again, or one that overlaps it.
   */
  readonly kind: 'contiguous' | 'strided' | 'backward' | 'repeated';
  /** Bytes from the beginning of one iteration to that of the next; 0 where they follow each other unseen. */
  readonly stepBytes: number;
  /** Transfers in one iteration, and the bytes that they ask for. */
  readonly transfers: number;
  readonly bytes: number;
}

/** A read or write directly in the loop's body, or a loop of one call within it. */
interface Transfer {
  readonly call: CallPattern;
  readonly times: number;
}

/**
 * How the transfers of a loop's body to one file follow each other; undefined when there are none, when some of them are
 * in loops of their own with more than one call, when they have no common step, or when each iteration sets a view.
 *
 * @param depth number of loops around this one.
 * @param of which transfers are meant: those of one call site, or one file.
 */
export function loopAccess(
  trace: Trace,
  loop: Pick<LoopPattern, 'body'>,
  depth: number,
  of: (call: CallPattern) => boolean,
): LoopAccess | undefined {
  const transfers: Transfer[] = [];
  const seekSteps = new Map<number, number>();
  for (const pattern of loop.body) {
    if (pattern.kind !== 'call') continue;
    // Offsets are counted in the view: where in the file they lie changes with it.
    if (/set_view/i.test(trace.calls.names[pattern.call]!)) return undefined;
    const operation = trace.calls.operation[pattern.call]!;
    if (operation === OPERATION.read || operation === OPERATION.write) {
      if (of(pattern)) transfers.push({ call: pattern, times: pattern.count });
    } else if (operation === OPERATION.seek) seekSteps.set(pattern.slot, pattern.offset?.steps[depth] ?? 0);
  }
  const [first] = transfers;
  if (first === undefined || transfers.some(({ call }) => !isAlike(trace, call, first.call))) return undefined;
  const bytes = transfers.reduce((sum, { call, times }) => sum + (call.requested?.base ?? 0) * times, 0);
  const count = transfers.reduce((sum, { times }) => sum + times, 0);
  const placed = transfers.filter(({ call }) => call.offset !== undefined);
  const steps = new Set(placed.map(({ call }) => call.offset!.steps[depth] ?? 0));
  if (steps.size > 1) return undefined;
  const appends = (first.call.flags & EVENT_FLAGS.append) !== 0;
  const [step = appends ? undefined : seekSteps.get(first.call.slot)] = steps;
  const found = { stepBytes: step ?? 0, transfers: count, bytes };
  if (step === undefined || step === bytes) return { ...found, kind: 'contiguous' };
  if (step < 0) return { ...found, kind: 'backward' };
  return { ...found, kind: step > bytes ? 'strided' : 'repeated' };
}

/** The same file, in the same direction. */
function isAlike({ calls }: Trace, a: CallPattern, b: CallPattern): boolean {
  if (calls.operation[a.call] !== calls.operation[b.call]) return false;
  return a.slot === b.slot && fileKey(a.file) === fileKey(b.file);
}

function fileKey(file: FileIndex | NumberedPath): number | string {
  return typeof file === 'number' ? file : `${file.before}\0${file.after}`;
}
