/**
 * By which name each file's content goes: the one it was made under, also after it was renamed. All tasks share a list of
 * what was renamed or appended to, in memory that only grows.
 */

const BYTES = 1 << 20;
/** Bytes before the list: its length, and whether it is full. */
const HEADER = 8;

export function contentNamesMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER + BYTES);
}

type Entry = readonly ['renamed', from: string, to: string] | readonly ['appended', path: string];

/** One task's view of the list. */
export class ContentNames {
  private readonly header: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly origins = new Map<string, string>();
  private readonly appended = new Set<string>();
  private read = 0;

  /**
   * @param exclusively runs what no other task may do meanwhile.
   */
  constructor(
    memory: SharedArrayBuffer,
    private readonly exclusively: (act: () => void) => void,
  ) {
    this.header = new Int32Array(memory, 0, 2);
    this.bytes = new Uint8Array(memory, HEADER);
  }

  /** The name that the content of a file follows from; undefined where it is not known. */
  originOf(path: string): string | undefined {
    this.update();
    if (Atomics.load(this.header, 1) === 1) return undefined;
    const origin = this.resolve(path);
    return this.appended.has(origin) ? undefined : origin;
  }

  renamed(from: string, to: string): void {
    this.add(['renamed', from, to]);
  }

  /** Who appends does not know where: the content of the file is not to be checked. */
  appendedTo(path: string): void {
    this.update();
    if (!this.appended.has(this.resolve(path))) this.add(['appended', path]);
  }

  /** The name itself, or that of the nearest folder above that was renamed. */
  private resolve(path: string): string {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const origin = this.origins.get(path.slice(0, end));
      if (origin !== undefined) return origin + path.slice(end);
    }
    return path;
  }

  private add(entry: Entry): void {
    const text = new TextEncoder().encode(`${JSON.stringify(entry)}\n`);
    this.exclusively(() => {
      const length = Atomics.load(this.header, 0);
      if (length + text.length > BYTES) {
        Atomics.store(this.header, 1, 1);
        return;
      }
      this.bytes.set(text, length);
      Atomics.store(this.header, 0, length + text.length);
    });
  }

  private update(): void {
    const length = Atomics.load(this.header, 0);
    if (length === this.read) return;
    const text = new TextDecoder().decode(this.bytes.slice(this.read, length));
    this.read = length;
    for (const line of text.trimEnd().split('\n')) this.take(JSON.parse(line) as Entry);
  }

  private take([what, path, to]: Entry): void {
    const origin = this.resolve(path);
    if (what === 'appended') this.appended.add(origin);
    if (to === undefined) return;
    this.origins.delete(path);
    // What is below a folder goes with it.
    for (const [name, its] of [...this.origins]) {
      if (!name.startsWith(`${path}/`)) continue;
      this.origins.delete(name);
      this.origins.set(to + name.slice(path.length), its);
    }
    this.origins.set(to, origin);
  }
}
