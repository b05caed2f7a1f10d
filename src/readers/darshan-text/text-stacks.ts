import type { CallStackTable, RecordedFrame } from '../../trace/call-stacks.ts';
import { NONE, type EventTable } from '../../trace/events.ts';
import type { AddressTable } from './address-table.ts';
import { findStart, withoutLeftovers } from './stack-ends.ts';
import type { StackTexts } from './stack-texts.ts';

/** Frames that a log says nothing about but their addresses: libraries, of which it does not say where they were loaded. */
const ELSEWHERE: RecordedFrame = {
  module: '',
  value: 0,
  symbol: '',
  symbolOffset: 0,
  sourceFile: '',
  sourceLine: 0,
};

/** What stands for an executable whose name the log does not hold. */
const NAMELESS = '<executable>';
/** Executables that are loaded where they were linked lie below it. */
const FIXED_CODE = 2 ** 32;
/** Code of an executable is no farther from its `_start` than this. */
const LARGEST_EXECUTABLE = 2 ** 31;
/** Not looked up yet. */
const UNKNOWN = -2;

/**
 * Turns texts of stacks into nodes of the table of call stacks, when all texts are known.
 *
 * @param textsOfStream texts that the segments of each stream have.
 * @param table the program's own lines, which are of return addresses; those of executables that are loaded anywhere are
 * cut to 32 bits and of no use.
 * @returns whether a segment has a frame of the executable.
 */
export function placeStacks(
  events: EventTable,
  stacks: CallStackTable,
  texts: StackTexts,
  textsOfStream: readonly ReadonlySet<number>[],
  table: AddressTable,
  command: string,
): boolean {
  const addresses = Array.from({ length: texts.length }, (_, text) => texts.addressesOf(text));
  const [executable = ''] = command.split(' ');
  const frames = new ExecutableFrames(stacks, table, executable === '' ? NAMELESS : executable);
  const starts = textsOfStream.map((own) =>
    findStart(
      [...own].map((text) => addresses[text]!),
      table.unnamed,
    ),
  );
  // Processes of one executable that lies at a fixed place share their nodes.
  const nodes = new Map<number | undefined, Int32Array>();
  for (const start of starts) if (!nodes.has(start)) nodes.set(start, new Int32Array(texts.length).fill(UNKNOWN));
  events.update((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const text = chunk.stack[i]!;
      if (text === NONE) continue;
      const start = starts[chunk.stream[i]!];
      const known = nodes.get(start)!;
      if (known[text] === UNKNOWN) known[text] = frames.nodeOf(withoutLeftovers(addresses[text]!, start), start);
      chunk.stack[i] = known[text]!;
    }
  });
  return frames.found;
}

/** Interns the frames of an executable. */
class ExecutableFrames {
  found = false;

  constructor(
    private readonly stacks: CallStackTable,
    private readonly table: AddressTable,
    private readonly executable: string,
  ) {}

  /**
   * The node of a stack's innermost frame.
   * @param addresses innermost first.
   * @param start the return address in `_start`, where it is known.
   */
  nodeOf(addresses: readonly number[], start: number | undefined): number {
    let node = NONE;
    let isElsewhere = false;
    for (let depth = addresses.length - 1; depth >= 0; depth--) {
      const frame = this.frameOf(addresses[depth]!, start);
      if (frame === undefined && isElsewhere) continue;
      isElsewhere = frame === undefined;
      node = this.stacks.internNode(node, this.stacks.internFrame(frame ?? ELSEWHERE));
    }
    return node;
  }

  /** The frame of an address of the executable; undefined when it is of a library. */
  private frameOf(address: number, start: number | undefined): RecordedFrame | undefined {
    const isFixed = start === undefined || start < FIXED_CODE;
    const isOwn = start === undefined ? address < FIXED_CODE : Math.abs(address - start) < LARGEST_EXECUTABLE;
    if (!isOwn) return undefined;
    const module = this.stacks.modules.intern(this.executable);
    this.stacks.moduleForms.set(module, isFixed ? 'address' : 'behind-start');
    this.found = true;
    const place = isFixed ? this.table.places.get(address) : undefined;
    return {
      module: this.executable,
      value: isFixed ? address : address - start,
      symbol: '',
      symbolOffset: 0,
      sourceFile: place?.file ?? '',
      sourceLine: place?.line ?? 0,
    };
  }
}
