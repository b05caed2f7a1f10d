import { getOrCreate, groupBy } from '../../base/grouping.ts';
import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { isFull, movedEach, placesOf, type Place } from './handle-positions.ts';
import type { CallPattern, LoopPattern, NumberedPath, Pattern } from './pattern.ts';

/** How the transfers of a loop lie in their file. */
export interface LoopAccess {
  /**
   * `contiguous`: each iteration goes on where the last ended. `appended`: each goes to the end of the file. `strided`: a
   * constant step further than it moved. `backward`: a constant step back. `repeated`: the same place again, or one that
   * overlaps it.
   */
  readonly kind: 'contiguous' | 'appended' | 'strided' | 'backward' | 'repeated';
  /** Bytes from the beginning of one iteration to that of the next, on average. */
  readonly stepBytes: number;
  /** Transfers in one iteration. */
  readonly transfers: number;
  /** Bytes that one iteration asks for; where that changes, what one moves on average. */
  readonly bytes: number;
  /** Bytes that one iteration moves, on average. */
  readonly movedBytes: number;
  /** Each iteration asks for the same, and moves it. */
  readonly isSteady: boolean;
}

/** What the iterations move. */
type Sizes = Pick<LoopAccess, 'transfers' | 'bytes' | 'movedBytes' | 'isSteady'> & { readonly asksSame: boolean };

interface PlacedCall {
  readonly call: CallPattern;
  readonly place: Place;
}

/**
 * How the transfers directly in a loop's body follow each other, by what is asked for: those of one call site, or of one
 * file. Undefined where there are none or that is not known, when they are on several files or some are in loops of their
 * own, when they have no common step, or when each iteration sets a view. Where those that are meant leave gaps that the
 * body's other transfers of the file fill, all of these count.
 *
 * The body is gone through once, whatever number of call sites is in it.
 *
 * @param depth number of loops around this one.
 * @param keyOf what a transfer belongs to.
 */
export function loopAccesses<Key>(
  trace: Trace,
  { body }: Pick<LoopPattern, 'body'>,
  depth: number,
  keyOf: (call: CallPattern) => Key | undefined,
): (key: Key) => LoopAccess | undefined {
  // Offsets are counted in the view: where in the file they lie changes with it.
  if (body.some((line) => line.kind === 'call' && /set_view/i.test(trace.calls.names[line.call]!)))
    return () => undefined;
  const all = [...placesOf(trace, body, depth)]
    .filter(([call]) => isTransfer(trace, call))
    .map(([call, place]) => ({ call, place }));
  const byKey = groupBy(all, ({ call }) => keyOf(call));
  const byFile = groupBy(all, ({ call }) => fileAndDirection(trace, call));
  const ofFiles = new Map<string, { readonly access: LoopAccess | undefined }>();
  const elsewhere = new Set(keysInLoops(trace, body, keyOf));
  return (key) => {
    const meant = byKey.get(key) ?? [];
    const first = meant[0]?.call;
    if (first === undefined || elsewhere.has(key) || !isOneFile(trace, first.file, depth)) return undefined;
    const file = fileAndDirection(trace, first);
    if (meant.some(({ call }) => fileAndDirection(trace, call) !== file)) return undefined;
    const alike = byFile.get(file)!;
    const together = getOrCreate(ofFiles, file, () => ({ access: accessOf(alike) })).access;
    return meant.length === alike.length || together?.kind === 'contiguous' ? together : accessOf(meant);
  };
}

/** The same for transfers that are told one by one. */
export function loopAccess(
  trace: Trace,
  loop: Pick<LoopPattern, 'body'>,
  depth: number,
  of: (call: CallPattern) => boolean,
): LoopAccess | undefined {
  return loopAccesses(trace, loop, depth, (call) => of(call) || undefined)(true);
}

/** One call again and again, as it stands in a line of its own. */
export function repeatedCall(trace: Trace, call: CallPattern): LoopAccess | undefined {
  if (!isRegular(trace, call.file)) return undefined;
  const sizes = sizesOf([{ ...call, count: 1 }]);
  if (sizes.movedBytes === 0) return undefined;
  if ((call.flags & EVENT_FLAGS.append) !== 0) return access(sizes, 'appended', sizes.movedBytes);
  if (call.follows) return access(sizes, 'contiguous', sizes.movedBytes);
  return call.offset === undefined ? undefined : access(sizes, 'repeated', 0);
}

function accessOf(calls: readonly PlacedCall[]): LoopAccess | undefined {
  const sizes = sizesOf(calls.map(({ call }) => call));
  const { bytes, movedBytes, isSteady, asksSame } = sizes;
  if (movedBytes === 0) return undefined;
  const appending = calls.filter(({ call }) => (call.flags & EVENT_FLAGS.append) !== 0).length;
  if (appending > 0) return appending === calls.length ? access(sizes, 'appended', movedBytes) : undefined;
  const step = calls[0]!.place.step;
  if (Number.isNaN(step) || !calls.every((call, i) => i === 0 || goesOn(calls[i - 1]!, call))) return undefined;
  if (isSame(step, movedBytes) || (asksSame && step === bytes)) return access(sizes, 'contiguous', step);
  if (!calls[0]!.place.isSteady) return undefined;
  if (step < 0) return access(sizes, 'backward', step);
  if (step === 0) return access(sizes, 'repeated', step);
  // Sizes that change leave gaps, and overlaps, that do so too.
  if (!asksSame) return undefined;
  if (step > bytes) return access(sizes, 'strided', step);
  return isSteady || step < movedBytes ? access(sizes, 'repeated', step) : undefined;
}

function access(sizes: Sizes, kind: LoopAccess['kind'], step: number): LoopAccess {
  const { transfers, bytes, movedBytes, isSteady } = sizes;
  return { kind, stepBytes: Math.round(step), transfers, bytes, movedBytes, isSteady };
}

function sizesOf(calls: readonly CallPattern[]): Sizes {
  const asksSame = calls.every(({ requested }) => requested?.steps.every((step) => step === 0) === true);
  const movedBytes = calls.reduce((sum, call) => sum + movedEach(call) * call.count, 0);
  const asked = calls.reduce((sum, { requested, count }) => sum + (requested?.base ?? 0) * count, 0);
  return {
    transfers: calls.reduce((sum, { count }) => sum + count, 0),
    bytes: asksSame ? asked : movedBytes,
    movedBytes,
    isSteady: calls.every(isFull),
    asksSame,
  };
}

/** Whether a transfer begins where the one before it ended: behind all that it asked for but for its last time. */
function goesOn(before: PlacedCall, { place }: PlacedCall): boolean {
  const { call, place: last } = before;
  if (place.from !== last.from || place.step !== last.step) return false;
  const ends = [movedEach(call), call.requested?.base ?? NaN].map((each) => last.at + each * call.count);
  return ends.some((end) => isSame(end, place.at));
}

/** Averages of whole bytes are not exact. */
function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.5;
}

function isTransfer({ calls }: Trace, { call, error }: CallPattern): boolean {
  const operation = calls.operation[call];
  return error === 0 && (operation === OPERATION.read || operation === OPERATION.write);
}

/** What the transfers of the loops within a body belong to. */
function keysInLoops<Key>(
  trace: Trace,
  body: readonly Pattern[],
  keyOf: (call: CallPattern) => Key | undefined,
  isWithin = false,
): (Key | undefined)[] {
  return body.flatMap((line) => {
    if (line.kind === 'loop') return keysInLoops(trace, line.body, keyOf, true);
    return isWithin && line.kind === 'call' && isTransfer(trace, line) ? [keyOf(line)] : [];
  });
}

/** Pipes and terminals have no places; where each iteration uses a file of its own its places are no way through one. */
function isOneFile(trace: Trace, file: FileIndex | NumberedPath, depth: number): boolean {
  return isRegular(trace, file) && (typeof file === 'number' || isSameFile(file, depth));
}

function isSameFile({ number, outer }: NumberedPath, depth: number): boolean {
  return [number, outer?.number].every((each) => (each?.steps[depth] ?? 0) === 0);
}

/** Paths that count are regular files. */
function isRegular({ files }: Trace, file: FileIndex | NumberedPath): boolean {
  return typeof file !== 'number' || (file >= 0 && files.at(file).kind === 'regular');
}

/** Equal for transfers of the same file in the same direction. */
function fileAndDirection({ calls }: Trace, { call, slot, file }: CallPattern): string {
  const path = typeof file === 'number' ? file : `${file.outer?.before ?? ''}\0${file.before}\0${file.after}`;
  return `${calls.operation[call]!} ${slot} ${path}`;
}
