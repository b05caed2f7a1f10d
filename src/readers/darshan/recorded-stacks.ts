import type { CallStackTable, RecordedFrame } from '../../trace/call-stacks.ts';
import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import { NONE, type EventTable } from '../../trace/events.ts';

/** Addresses that a recorded stack has room for: with as many, its outermost frames may be missing. */
export const MOST_FRAMES = 60;
/** Code of the executable lies no further from its entry (section 3.5.1 of the x86-64 ABI: the small code model). */
const REACH = 2 ** 31;
/** Executables that are not position-independent lie below, others and libraries far above. */
const LOW = 2 ** 32;
const NOWHERE: RecordedFrame = { module: '', value: 0, symbol: '', symbolOffset: 0, sourceFile: '', sourceLine: 0 };

/** Texts of the log's own table of addresses. */
type LineTable = ReadonlyMap<number, string>;

/**
 * Stacks as recorded: return addresses without any word on what is loaded where. Which frames are the executable's, and
 * where it was loaded, shows only when all stacks of a process are known; until then events hold numbers of nodes of a
 * tree of addresses, one tree for each process.
 */
export class RecordedStacks {
  private readonly addressIndices = new Map<number, number>();
  private readonly addresses = new NumberColumn();
  private readonly nodeParent = new IntegerColumn();
  private readonly nodeAddress = new IntegerColumn();
  private readonly nodeRank = new IntegerColumn();
  private readonly children = new Map<number, number>();
  private readonly roots = new Map<string, number>();
  /** Lowest outermost address of the complete stacks of each process: where the entry code is returned to. */
  private readonly anchors = new Map<number, number>();

  /**
   * @param frames return addresses, innermost first.
   * @returns what `resolve` replaces by a node; NONE when there is no address.
   */
  intern(rank: number, frames: ArrayLike<number>, count: number): number {
    if (count === 0) return NONE;
    const outermost = frames[count - 1]!;
    if (count < MOST_FRAMES && outermost < (this.anchors.get(rank) ?? Infinity)) this.anchors.set(rank, outermost);
    let node = this.root(rank, outermost);
    for (let i = count - 2; i >= 0; i--) node = this.child(node, this.addressIndex(frames[i]!), rank);
    return node;
  }

  private addressIndex(address: number): number {
    let index = this.addressIndices.get(address);
    if (index === undefined) {
      index = this.addresses.push(address);
      this.addressIndices.set(address, index);
    }
    return index;
  }

  private root(rank: number, address: number): number {
    const key = `${rank} ${address}`;
    let node = this.roots.get(key);
    if (node === undefined) {
      node = this.push(NONE, this.addressIndex(address), rank);
      this.roots.set(key, node);
    }
    return node;
  }

  private child(parent: number, address: number, rank: number): number {
    // Below 2^53 for up to 94 million nodes and addresses each.
    const key = (parent + 1) * 94_906_265 + address;
    let node = this.children.get(key);
    if (node === undefined) {
      node = this.push(parent, address, rank);
      this.children.set(key, node);
    }
    return node;
  }

  private push(parent: number, address: number, rank: number): number {
    this.nodeParent.push(parent);
    this.nodeAddress.push(address);
    return this.nodeRank.push(rank);
  }

  /**
   * Puts the stacks into the table of the trace, and the numbers of its nodes into the events.
   *
   * @param executable path, '' when it is not known.
   * @param lines what the log itself says of addresses of executables that are not position-independent.
   * @returns whether any stack has a frame of the executable.
   */
  resolve(stacks: CallStackTable, events: EventTable, executable: string, lines: LineTable): boolean {
    if (this.nodeParent.length === 0) return false;
    const module = executable === '' ? '<executable>' : executable;
    const nodes = new Int32Array(this.nodeParent.length);
    const isElsewhere = new Uint8Array(nodes.length);
    let found = false;
    for (let node = 0; node < nodes.length; node++) {
      const parent = this.nodeParent.at(node);
      const caller = parent === NONE ? NONE : nodes[parent]!;
      const frame = this.frameOf(node, module, lines);
      if (frame === NOWHERE && parent !== NONE && isElsewhere[parent] === 1) nodes[node] = caller;
      else nodes[node] = stacks.internNode(caller, stacks.internFrame(frame));
      if (frame === NOWHERE) isElsewhere[node] = 1;
      else found = true;
    }
    const index = stacks.modules.find(module);
    if (index !== undefined) stacks.moduleForms.set(index, this.isRelocated() ? 'behind-start' : 'address');
    events.update((chunk) => {
      const { stack } = chunk;
      for (let row = 0; row < stack.length; row++) if (stack[row] !== NONE) stack[row] = nodes[stack[row]!]!;
    });
    return found;
  }

  private frameOf(node: number, module: string, lines: LineTable): RecordedFrame {
    const address = this.addresses.at(this.nodeAddress.at(node));
    const anchor = this.anchors.get(this.nodeRank.at(node));
    // Without a complete stack only what cannot be a library is known to be the executable's.
    const isExecutable = anchor === undefined ? address < LOW : Math.abs(address - anchor) < REACH;
    if (!isExecutable) return NOWHERE;
    if (anchor !== undefined && anchor >= LOW) return { ...NOWHERE, module, value: address - anchor };
    return { ...NOWHERE, module, value: address, ...sourceOf(lines.get(address)) };
  }

  private isRelocated(): boolean {
    for (const anchor of this.anchors.values()) if (anchor >= LOW) return true;
    return false;
  }
}

/** `FILE:LINE (discriminator N)`; `??:?` and `??:0` say that nothing is known. */
function sourceOf(text: string | undefined): { sourceFile: string; sourceLine: number } {
  const parts = /^(.*):(\d+)(?: \(discriminator \d+\))?$/.exec(text ?? '');
  const [, sourceFile = '', line = '0'] = parts ?? [];
  const isKnown = sourceFile !== '' && sourceFile !== '??' && Number(line) > 0;
  return isKnown ? { sourceFile, sourceLine: Number(line) } : { sourceFile: '', sourceLine: 0 };
}

/** Reads lines of `0xADDRESS, TEXT`. The last one is left out where the recorder's room for them ended in it. */
export function readLineTable(text: string): Map<number, string> {
  const table = new Map<number, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const parts = /^(0x[0-9a-fA-F]+), (.*)$/.exec(line);
    if (parts !== null) table.set(Number(parts[1]), parts[2]!);
  }
  return table;
}
