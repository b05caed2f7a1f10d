import type { CountingNumber, Loop, LoopCall, LoopLine, LoopSite } from './loop-document.ts';

/** So many bodies are looked for again, of so many lines each: more names nobody could keep in mind. */
const MOST_BODIES = 100;
const MOST_LINES = 64;

interface KnownBody {
  readonly loop: Loop;
  readonly keys: readonly string[];
  isUsed: boolean;
}

/**
 * What the body of a loop did and later lines do again has a name there, as in figure 3 of the DIOS paper. Bodies with
 * numbers that count have none: what these mean depends on the loops around.
 */
export class NamedPatterns {
  private readonly keys = new Map<LoopLine, string | undefined>();
  private readonly known: KnownBody[] = [];
  private readonly uses = new Map<LoopLine, { readonly body: KnownBody; readonly lines: readonly LoopLine[] }>();
  private readonly names = new Map<Loop, string>();

  /** @param patterns all lines of a group. */
  constructor(patterns: readonly LoopLine[]) {
    this.walk(patterns);
    for (const { loop, isUsed } of this.known) if (isUsed) this.names.set(loop, `M${this.names.size + 1}`);
  }

  /** Name of a loop's body; undefined where nothing does the same later. */
  nameOf(loop: Loop): string | undefined {
    return this.names.get(loop);
  }

  /** The lines from this one on that do what a named body does. */
  useAt(line: LoopLine): { readonly name: string; readonly lines: readonly LoopLine[] } | undefined {
    const use = this.uses.get(line);
    return use && { name: this.names.get(use.body.loop)!, lines: use.lines };
  }

  private walk(lines: readonly LoopLine[]): void {
    const keys = lines.map((line) => this.keyOf(line));
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at]!;
      const body = this.longestAt(keys, at);
      if (body !== undefined) {
        body.isUsed = true;
        this.uses.set(line, { body, lines: lines.slice(at, at + body.keys.length) });
        at += body.keys.length - 1;
      } else if (line.kind === 'loop') {
        this.walk(line.body);
        this.learn(line);
      }
    }
  }

  private learn(loop: Loop): void {
    const { length } = loop.body;
    if (length < 2 || length > MOST_LINES || this.known.length === MOST_BODIES) return;
    const keys = loop.body.map((line) => this.keyOf(line));
    // One that is known already stands as its name, and is no loop of these lines.
    if (keys.every((key) => key !== undefined) && this.longestAt(keys, 0)?.keys.length !== length)
      this.known.push({ loop, keys, isUsed: false });
  }

  private longestAt(keys: readonly (string | undefined)[], at: number): KnownBody | undefined {
    let longest: KnownBody | undefined;
    for (const body of this.known) {
      if (body.keys.length <= (longest?.keys.length ?? 0)) continue;
      if (body.keys.every((key, i) => key === keys[at + i])) longest = body;
    }
    return longest;
  }

  /** Equal for lines that do the same; undefined where a number counts. */
  private keyOf(line: LoopLine): string | undefined {
    if (this.keys.has(line)) return this.keys.get(line);
    const key = this.makeKey(line);
    this.keys.set(line, key);
    return key;
  }

  private makeKey(line: LoopLine): string | undefined {
    if (line.kind === 'loop') {
      const body = line.body.map((inner) => this.keyOf(inner));
      const isPlain = line.variable === null && line.bodyLines === 0 && body.every((key) => key !== undefined);
      return isPlain ? JSON.stringify([line.count, body]) : undefined;
    }
    if (line.kind === 'synchronisation')
      return counts(line.peer) ? undefined : JSON.stringify([line.count, line.operation, line.peer?.text]);
    if (counts(line.offset) || counts(line.requested) || line.path.includes('{')) return undefined;
    return JSON.stringify([line.count, ...argumentsOf(line), placeOf(line.site)]);
  }
}

function counts(number: CountingNumber | null): boolean {
  return number?.steps.some((step) => step !== 0) === true;
}

function argumentsOf({ call, layer, path, slot, offset, requested, argument, flags, error }: LoopCall): unknown[] {
  return [call, layer, path, slot, offset?.text, requested?.text, argument, flags, error];
}

function placeOf(site: LoopSite | null): unknown[] {
  return site === null ? [] : [site.file, site.line, site.function];
}
