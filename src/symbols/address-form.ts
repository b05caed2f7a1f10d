import type { CallStackTable } from '../trace/call-stacks.ts';
import type { ElfSymbol, Segment } from './elf.ts';

/**
 * What the number in a frame means. strace built with libunwind prints an *offset in the file*, strace built with libdw an
 * *address in the file*; the recording does not say which (formats document, section 7). Both are the same for the usual
 * position-independent executables of GNU ld, and differ for others.
 */
export type AddressForm = 'offset' | 'address';

/** The address that stands at an offset of the file, by the program headers; NaN when no part is loaded from there. */
export function addressOfOffset(segments: readonly Segment[], offset: number): number {
  const segment = segments.find(({ offset: start, size }) => offset >= start && offset < start + size);
  return segment === undefined ? NaN : offset - segment.offset + segment.address;
}

export interface FormVotes {
  offset: number;
  address: number;
  /** Frames whose symbol is known here, but not at the recorded place. */
  neither: number;
}

/**
 * Asks the symbols: `value − distance` must be where the frame's symbol begins. Frames whose symbol this binary does not
 * have say nothing: the recorder may have had debug files that are not here.
 */
export function voteOnForm(
  stacks: CallStackTable,
  frames: readonly number[],
  segments: readonly Segment[],
  symbols: readonly ElfSymbol[],
): FormVotes {
  const votes: FormVotes = { offset: 0, address: 0, neither: 0 };
  const starts = new Set(symbols.map((symbol) => symbol.address));
  const names = new Set(symbols.map((symbol) => plainName(symbol.name)));
  for (const frame of frames) {
    const { symbol, value, symbolOffset } = stacks.frame(frame);
    if (symbol === '') continue;
    const asOffset = starts.has(addressOfOffset(segments, value) - symbolOffset);
    const asAddress = starts.has(value - symbolOffset);
    if (asOffset) votes.offset++;
    if (asAddress) votes.address++;
    if (!asOffset && !asAddress && names.has(plainName(symbol))) votes.neither++;
  }
  return votes;
}

/** Without the version of `__libc_start_main@@GLIBC_2.34`. */
export function plainName(name: string): string {
  const at = name.indexOf('@');
  return at > 0 ? name.slice(0, at) : name;
}

/**
 * The form of a module's frames.
 * @param elsewhere what other modules of the recording proved: one recording, one strace.
 */
export function formOf(
  votes: FormVotes,
  elsewhere: AddressForm | undefined,
  stacks: CallStackTable,
  frames: readonly number[],
  segments: readonly Segment[],
): AddressForm {
  if (votes.offset !== votes.address) return votes.offset > votes.address ? 'offset' : 'address';
  if (votes.offset > 0) return elsewhere ?? 'offset';
  const code = segments.filter((segment) => segment.executable);
  const values = frames.map((frame) => stacks.frameValue.at(frame));
  const fits = (place: (segment: Segment) => number): boolean =>
    values.every((value) => code.some((segment) => value >= place(segment) && value <= place(segment) + segment.size));
  const asOffset = fits((segment) => segment.offset);
  const asAddress = fits((segment) => segment.address);
  if (asAddress && !asOffset) return 'address';
  return asOffset && !asAddress ? 'offset' : (elsewhere ?? 'offset');
}
