/** A piece of a recording that could not be read, in words for the user. */
export interface Damage {
  /** Which file, and where in it: `trace.st, line 812`. */
  readonly where: string;
  /** What was found, and what was expected. */
  readonly what: string;
  /** What is missing from the trace because of it. */
  readonly lost: string;
}

/** What kind of damage it is: reports of one kind are counted together. */
export type DamageKind =
  | 'unreadable-line'
  | 'cut-line'
  | 'long-line'
  | 'hole'
  | 'no-return'
  | 'no-beginning'
  | 'clock'
  | 'file'
  | 'region'
  | 'record';

/** Keeps the first reports of each kind and counts the rest: a broken file must not fill the memory with complaints. */
export class DamageLog {
  private readonly kept: Damage[] = [];
  private readonly counts = new Map<DamageKind, number>();
  private readonly last = new Map<DamageKind, Damage>();

  /** @param limit reports to keep of each kind. */
  constructor(private readonly limit = 20) {}

  add(kind: DamageKind, where: string, what: string, lost: string): void {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const damage = { where, what, lost };
    if (count <= this.limit) this.kept.push(damage);
    this.last.set(kind, damage);
  }

  /** The kept reports, followed by one line for each kind of which some were left out. */
  list(): Damage[] {
    const list = [...this.kept];
    for (const [kind, count] of this.counts) {
      const { where, what, lost } = this.last.get(kind)!;
      if (count > this.limit) list.push({ where: `${count - this.limit} further places, up to ${where}`, what, lost });
    }
    return list;
  }
}
