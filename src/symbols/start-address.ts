import { CALL_BYTES, canRecognise, instructionBefore, offsetOfAddress } from './call-instructions.ts';
import type { FoundModule } from './recorded-module.ts';

/** Code of `_start` that is looked at: glibc's and musl's take less on every processor. */
const START_BYTES = 128;

/**
 * The addresses to which the program's entry code can be returned to: behind each of its calls. glibc's `_start` has one
 * that returns (to `__libc_start_main`), musl's one; further ones come from numbers inside instructions that look like a
 * call, and from the code behind `_start`.
 *
 * @returns nothing for processors whose calls are not recognised here.
 */
export async function returnsIntoStart({ binary }: FoundModule): Promise<number[]> {
  const { elf, source } = binary;
  if (!canRecognise(elf.machine)) return [];
  const offset = offsetOfAddress(elf.segments, elf.entry);
  if (Number.isNaN(offset)) return [];
  const bytes = new Uint8Array(CALL_BYTES + START_BYTES);
  const before = Math.min(CALL_BYTES, offset);
  const length = await source.read(offset - before, bytes.subarray(CALL_BYTES - before));
  const found: number[] = [];
  for (let at = 2; at <= length - before; at++) {
    const call = instructionBefore(elf.machine, bytes.subarray(at, at + CALL_BYTES), elf.entry + at);
    if (call.kind === 'call') found.push(elf.entry + at);
  }
  return found;
}
