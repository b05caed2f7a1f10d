import type { ParadigmTime, RuntimeShare } from '../workflow-document.ts';

type Group = ParadigmTime['group'];
const GROUPS: readonly Group[] = ['computation', 'communication', 'io'];

/** Gathers a runtime share by paradigm; the three groups are the sums of theirs. */
export class ShareSum {
  private readonly paradigms = new Map<string, { -readonly [Name in keyof ParadigmTime]: ParadigmTime[Name] }>();

  /** @param calls null where they are not counted, and `bytes` where nothing moves. */
  add(group: Group, paradigm: string, seconds: number, calls: number | null, bytes: number | null): this {
    const key = `${group}\0${paradigm}`;
    const known = this.paradigms.get(key);
    if (known === undefined) this.paradigms.set(key, { group, paradigm, seconds, calls, bytes });
    else {
      known.seconds += seconds;
      known.calls = plus(known.calls, calls);
      known.bytes = plus(known.bytes, bytes);
    }
    return this;
  }

  addAll(share: RuntimeShare): this {
    for (const { group, paradigm, seconds, calls, bytes } of share.byParadigm)
      this.add(group, paradigm, seconds, calls, bytes);
    return this;
  }

  of(group: Group): number {
    let seconds = 0;
    for (const each of this.paradigms.values()) if (each.group === group) seconds += each.seconds;
    return seconds;
  }

  /** @returns null when nothing took time. */
  share(): RuntimeShare | null {
    const byParadigm = [...this.paradigms.values()].sort(
      (a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || b.seconds - a.seconds,
    );
    const [computation, communication, io] = GROUPS.map((group) => this.of(group)) as [number, number, number];
    return computation + communication + io > 0 ? { computation, communication, io, byParadigm } : null;
  }
}

function plus(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}

/** Of several steps or recordings together; null when none is known. */
export function sumOfShares(shares: readonly (RuntimeShare | null)[]): RuntimeShare | null {
  const sum = new ShareSum();
  for (const share of shares) if (share !== null) sum.addAll(share);
  return sum.share();
}
