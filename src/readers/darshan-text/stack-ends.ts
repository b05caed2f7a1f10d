/**
 * Where the stacks of a text end. The fork of Darshan that records stacks prints every slot of its array of addresses that
 * is not zero, and behind the outermost frame stands what memory held before: most often the stack of another call.
 */

/** Executables and the libraries that a system loads lie farther apart than this, whatever the processor. */
const FAR = 2 ** 40;
/** No linker puts code below it. */
const LOWEST_CODE = 0x20_0000;
/** Executables that are not position-independent lie below it. */
const FIXED_CODE = 2 ** 32;
/** Different stacks of a process that are looked at: what they have in common shows early. */
const ENOUGH_STACKS = 1000;

/** An address together with the one that it called: how many stacks have both, and how deep the address is in them. */
interface Candidate {
  readonly address: number;
  stacks: number;
  depths: number;
}

/**
 * The return address in `_start`, which is the outermost frame of every stack of a process: the address that most stacks
 * have in common, called through the same place of a library, and of those the outermost one. Leftovers differ.
 *
 * @param stacks addresses of the different stacks of one process, innermost first.
 * @param unnamed addresses of which the program's own table says that no source line belongs to them: `_start` has none.
 * @returns undefined when the stacks have nothing in common.
 */
export function findStart(
  stacks: readonly (readonly number[])[],
  unnamed: ReadonlySet<number> = new Set(),
): number | undefined {
  const candidates = new Map<string, Candidate>();
  for (const stack of stacks.slice(0, ENOUGH_STACKS)) addCandidates(candidates, stack);
  let best: { address: number; stacks: number; depth: number } | undefined;
  for (const { address, stacks: common, depths } of candidates.values()) {
    const count = common + (unnamed.has(address) ? 0.5 : 0);
    const depth = depths / common;
    if (best === undefined || count > best.stacks || (count === best.stacks && depth > best.depth)) {
      best = { address, stacks: count, depth };
    }
  }
  return best?.address;
}

function addCandidates(candidates: Map<string, Candidate>, stack: readonly number[]): void {
  const seen = new Set<number>();
  const isStatic = stack[0]! < FIXED_CODE;
  stack.forEach((address, depth) => {
    const callee = stack[depth - 1];
    if (callee === undefined || seen.has(address) || !isOfExecutable(address, stack)) return;
    seen.add(address);
    // The C library calls `main` and is called by `_start`; a static executable contains it.
    if (!isStatic && Math.abs(callee - stack[0]!) > FAR) return;
    const key = `${address} ${callee}`;
    let candidate = candidates.get(key);
    if (candidate === undefined) candidates.set(key, (candidate = { address, stacks: 0, depths: 0 }));
    candidate.stacks++;
    candidate.depths += depth;
  });
}

/** Whether an address may be one of the program's own: the innermost frame is in the library that recorded it. */
function isOfExecutable(address: number, stack: readonly number[]): boolean {
  if (address < LOWEST_CODE) return false;
  const innermost = stack[0]!;
  return innermost < FIXED_CODE ? address < FIXED_CODE : Math.abs(address - innermost) > FAR;
}

/**
 * The frames of a stack without what follows the outermost one.
 * @param start the return address in `_start`. A stack without it is of another thread, or deeper than was recorded: of that
 * only the innermost run of the program's own frames is certain, and that a library called it.
 */
export function withoutLeftovers(stack: readonly number[], start: number | undefined): readonly number[] {
  const end = start === undefined ? -1 : stack.indexOf(start);
  if (end >= 0) return stack.slice(0, end + 1);
  const first = stack.findIndex((address) => isOfExecutable(address, stack));
  if (first < 0) return stack.slice(0, 1);
  const behind = stack.findIndex((address, depth) => depth > first && !isOfExecutable(address, stack));
  return [...stack.slice(0, behind < 0 ? stack.length : behind), stack[0]!];
}
