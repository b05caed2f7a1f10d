import { counted } from '../../base/quantities.ts';

/** What a text of samples lost, each kind with its first place. */
export class Losses {
  private readonly kinds = new Map<string, { readonly place: string; times: number }>();

  /**
   * @param what sentence without a full stop, the same for all losses of its kind.
   * @param line counted from 1; of another unit than lines, where one is named.
   */
  add(what: string, file: string, line: number, unit = 'line'): void {
    const known = this.kinds.get(what);
    if (known === undefined) this.kinds.set(what, { place: `${file}, ${unit} ${line}`, times: 1 });
    else known.times++;
  }

  /** `oss1.txt, line 7: a counter without its end is left out (3 times)` */
  words(): string[] {
    return [...this.kinds].map(([what, { place, times }]) => {
      const repeated = times === 1 ? '' : ` (${counted(times, 'time')}; this is the first)`;
      return `${place}: ${what}${repeated}`;
    });
  }
}
