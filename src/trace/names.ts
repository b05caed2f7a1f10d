/** Each different text once, in the order of first sight; everything else holds its index. */
export class NameTable {
  readonly names: string[] = [];
  private readonly indices = new Map<string, number>();

  /** @param initial names that get the first indices. */
  constructor(initial: readonly string[] = []) {
    for (const name of initial) this.intern(name);
  }

  get length(): number {
    return this.names.length;
  }

  intern(name: string): number {
    let index = this.indices.get(name);
    if (index === undefined) {
      index = this.names.push(name) - 1;
      this.indices.set(name, index);
    }
    return index;
  }

  /** Index of a name, or undefined when it was never seen. */
  find(name: string): number | undefined {
    return this.indices.get(name);
  }

  at(index: number): string {
    return this.names[index]!;
  }

  /** The names that there are now; what is added here or there shows in one of both only. */
  snapshot(): NameTable {
    return new NameTable(this.names);
  }
}
