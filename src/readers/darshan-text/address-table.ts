/** A source line that the recorder found for an address. */
export interface TablePlace {
  readonly file: string;
  readonly line: number;
}

/**
 * The table `# DXT-POSIX address to line mapping` of the fork that records stacks: `0x4012f2, /src/a.c:19 (discriminator 3)`.
 * Its lines belong to return addresses, so many of them are behind the call.
 */
export class AddressTable {
  readonly places = new Map<number, TablePlace>();
  /** Addresses for which no line was found (`??:?`). */
  readonly unnamed = new Set<number>();

  /** Takes a line of the table; returns whether it is one. */
  read(text: string): boolean {
    const parts = /^0x([\da-f]{1,16}), (.*):(\d+|\?)(?: \(discriminator \d+\))?$/.exec(text);
    if (parts === null) return false;
    const address = Number.parseInt(parts[1]!, 16);
    const file = parts[2]!;
    const line = Number(parts[3]);
    if (file === '??' || !(line > 0)) this.unnamed.add(address);
    else this.places.set(address, { file, line });
    return true;
  }
}
