const NOBODY = -1;
const SEVERAL = -2;

/** Beyond this many writes of several processes nobody is told who overwrote whom: the tree would take too much memory. */
export const MOST_COMPARED_WRITES = 4_000_000;

/** Writes in the order of time, as columns. */
interface Writes {
  readonly length: number;
  readonly offset: ArrayLike<number>;
  readonly bytes: ArrayLike<number>;
  readonly process: ArrayLike<number>;
}

/**
 * Which writes touch bytes that another process had written last.
 * @returns 1 for those that do.
 */
export function writtenOver(writes: Writes): Uint8Array {
  const found = new Uint8Array(writes.length);
  if (!ofSeveral(writes)) return found;
  const owners = new LastWriters(writes);
  for (let i = 0; i < writes.length; i++) {
    const start = writes.offset[i]!;
    const end = start + writes.bytes[i]!;
    if (owners.hasOther(start, end, writes.process[i]!)) found[i] = 1;
    owners.write(start, end, writes.process[i]!);
  }
  return found;
}

function ofSeveral({ length, process }: Writes): boolean {
  for (let i = 1; i < length; i++) if (process[i] !== process[0]) return true;
  return false;
}

/** A tree over the stretches between all ends of writes, which knows who wrote each of them last. */
class LastWriters {
  private readonly ends: Float64Array;
  private readonly leaves: number;
  /** Of what lies below a node: NOBODY, the one who wrote all that was written, or SEVERAL. */
  private readonly writer: Int32Array;
  /** 1: all of it is the writer's, whatever its children say. */
  private readonly isWhole: Uint8Array;
  /** The stretches that are asked about, and by whom: the same for all nodes that a question visits. */
  private from = 0;
  private to = 0;
  private process = NOBODY;

  constructor({ length, offset, bytes }: Writes) {
    const all = new Float64Array(length * 2);
    for (let i = 0; i < length; i++) {
      all[i * 2] = offset[i]!;
      all[i * 2 + 1] = offset[i]! + bytes[i]!;
    }
    all.sort();
    this.ends = all.filter((end, i) => i === 0 || end !== all[i - 1]);
    this.leaves = 2 ** Math.ceil(Math.log2(Math.max(1, this.ends.length - 1)));
    this.writer = new Int32Array(this.leaves * 2).fill(NOBODY);
    this.isWhole = new Uint8Array(this.leaves * 2);
  }

  hasOther(start: number, end: number, process: number): boolean {
    this.ask(start, end, process);
    return this.find(1, 0, this.leaves);
  }

  write(start: number, end: number, process: number): void {
    this.ask(start, end, process);
    this.assign(1, 0, this.leaves);
  }

  private ask(start: number, end: number, process: number): void {
    this.from = this.place(start);
    this.to = this.place(end);
    this.process = process;
  }

  private place(end: number): number {
    let low = 0;
    let high = this.ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle]! < end) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private find(node: number, low: number, high: number): boolean {
    const { from, to, process } = this;
    const writer = this.writer[node]!;
    if (to <= low || high <= from || writer === NOBODY || writer === process) return false;
    if ((from <= low && high <= to) || this.isWhole[node] === 1) return true;
    const middle = (low + high) >> 1;
    return this.find(node * 2, low, middle) || this.find(node * 2 + 1, middle, high);
  }

  private assign(node: number, low: number, high: number): void {
    const { from, to, process } = this;
    if (to <= low || high <= from) return;
    if (from <= low && high <= to) {
      this.writer[node] = process;
      this.isWhole[node] = 1;
      return;
    }
    const left = node * 2;
    const right = left + 1;
    if (this.isWhole[node] === 1) {
      this.isWhole[node] = 0;
      this.writer[left] = this.writer[right] = this.writer[node]!;
      this.isWhole[left] = this.isWhole[right] = 1;
    }
    const middle = (low + high) >> 1;
    this.assign(left, low, middle);
    this.assign(right, middle, high);
    this.writer[node] = together(this.writer[left]!, this.writer[right]!);
  }
}

function together(left: number, right: number): number {
  if (left === NOBODY || left === right) return right;
  return right === NOBODY ? left : SEVERAL;
}
