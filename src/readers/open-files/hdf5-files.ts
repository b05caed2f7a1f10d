/**
 * Which file a call of HDF5 works on. Identifiers are recorded, but not which call returned which: a file's tells that it
 * is the n-th file of the process, and any other one can only belong to the one file that is open, if there is one.
 */
export class Hdf5Files<File> {
  private readonly open = new Set<File>();
  /** In the order in which they were opened. */
  private readonly opened: File[] = [];
  private readonly byIdentifier = new Map<string, File>();

  add(file: File): void {
    this.open.add(file);
    this.opened.push(file);
  }

  remove(file: File): void {
    this.open.delete(file);
  }

  /** @returns undefined when several files are open and the identifier does not say which. */
  find(identifier: string): File | undefined {
    const known = this.byIdentifier.get(identifier);
    if (known !== undefined) return known;
    const number = fileNumber(identifier);
    const only = this.open.size === 1 ? [...this.open][0] : undefined;
    if (number === undefined) return only;
    const numbered = this.opened[number];
    const file = numbered !== undefined && this.open.has(numbered) ? numbered : only;
    if (file !== undefined) this.byIdentifier.set(identifier, file);
    return file;
  }
}

/** Bits of an identifier that count, below those for its type (H5I, HDF5 1.10). */
const COUNTER_BITS = 56n;
const FILE_TYPE = 1n;

/** How many files the process had opened before; undefined for identifiers of other things. */
function fileNumber(identifier: string): number | undefined {
  if (!/^\d{1,19}$/.test(identifier)) return undefined;
  const value = BigInt(identifier);
  return value >> COUNTER_BITS === FILE_TYPE ? Number(value & ((1n << COUNTER_BITS) - 1n)) : undefined;
}
