import type { Segment } from './elf.ts';

/**
 * Recognises the instruction in front of a return address. A stack's addresses each follow a call (or, innermost, a system
 * call) in the binary that was recorded; where the binary here has something else at that place, it is another one.
 */

/** Processors by `e_machine`. */
const I386 = 3;
const X86_64 = 62;
const AARCH64 = 183;

/** Bytes in front of a return address that decide. */
export const CALL_BYTES = 8;

/** What stands in front of an address. */
type Before =
  | { readonly kind: 'call'; readonly target: number | undefined }
  | { readonly kind: 'system call' }
  | { readonly kind: 'other' };

export function canRecognise(machine: number): boolean {
  return machine === I386 || machine === X86_64 || machine === AARCH64;
}

/**
 * @param bytes the CALL_BYTES bytes in front of the address.
 * @param address the return address, from which a direct call's target is counted.
 */
export function instructionBefore(machine: number, bytes: Uint8Array, address: number): Before {
  return machine === AARCH64 ? beforeOnArm(bytes, address) : beforeOnIntel(bytes, address);
}

/** Offset in the file of a loaded address; NaN when nothing executable of the file is loaded there. */
export function offsetOfAddress(segments: readonly Segment[], address: number): number {
  const segment = segments.find(
    ({ address: start, size, executable }) => executable && address >= start && address <= start + size,
  );
  return segment === undefined ? NaN : address - segment.address + segment.offset;
}

/** Intel SDM volume 2: CALL is `E8 rel32` or `FF /2`, with 0 to 5 bytes of address behind the ModRM byte. */
function beforeOnIntel(bytes: Uint8Array, address: number): Before {
  const from = (distance: number): number => bytes[CALL_BYTES - distance]!;
  const isTrap = (from(2) === 0x0f && (from(1) === 0x05 || from(1) === 0x34)) || (from(2) === 0xcd && from(1) === 0x80);
  if (isTrap) return { kind: 'system call' };
  if (from(5) === 0xe8) {
    const distance = new DataView(bytes.buffer, bytes.byteOffset).getInt32(CALL_BYTES - 4, true);
    return { kind: 'call', target: address + distance };
  }
  const isIndirect = [2, 3, 4, 6, 7].some(
    (size) => from(size) === 0xff && sizeOfIndirectCall(from(size - 1), bytes, size) === size,
  );
  return isIndirect ? { kind: 'call', target: undefined } : { kind: 'other' };
}

/** Bytes of `FF /2` with this ModRM byte; 0 when it is no call. */
function sizeOfIndirectCall(modRm: number, bytes: Uint8Array, size: number): number {
  if (((modRm >> 3) & 7) !== 2) return 0;
  const mode = modRm >> 6;
  const register = modRm & 7;
  if (mode === 3) return 2;
  const hasScale = register === 4;
  const scaleBytes = hasScale ? 1 : 0;
  if (mode === 1) return 3 + scaleBytes;
  if (mode === 2) return 6 + scaleBytes;
  if (hasScale) return (bytes[CALL_BYTES - size + 2]! & 7) === 5 ? 7 : 3;
  return register === 5 ? 6 : 2;
}

/** Arm ARM C6.2: BL, BLR and its authenticated forms, SVC; instructions are little-endian words whatever the data are. */
function beforeOnArm(bytes: Uint8Array, address: number): Before {
  const word = new DataView(bytes.buffer, bytes.byteOffset).getUint32(CALL_BYTES - 4, true);
  if (word >>> 26 === 0x25) return { kind: 'call', target: address - 4 + ((word << 6) >> 6) * 4 };
  if ((word & 0xfefff000) >>> 0 === 0xd63f0000) return { kind: 'call', target: undefined };
  return (word & 0xffe0001f) >>> 0 === 0xd4000001 ? { kind: 'system call' } : { kind: 'other' };
}
