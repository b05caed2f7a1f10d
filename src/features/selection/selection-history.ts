import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { isSelection } from './protocol.ts';

/** Selections that the way back leads to; those before are forgotten. */
export const MOST_KEPT = 50;

/** What a workspace remembers. */
interface KeptSelections {
  readonly current: Selection;
  readonly past: readonly Selection[];
}

/** What is selected, what was before, and what was before going back. */
export class SelectionHistory {
  current: Selection;
  private past: Selection[];
  private future: Selection[] = [];
  /** What is selected was followed to, and gives way to what is followed to next. */
  private isPassing = false;

  /** @param kept what `kept` gave once; anything else begins with nothing. */
  constructor(kept?: unknown) {
    this.current = isKept(kept) ? kept.current : [];
    this.past = isKept(kept) ? [...kept.past] : [];
  }

  get kept(): KeptSelections {
    return { current: this.current, past: this.past };
  }

  get canGoBack(): boolean {
    return this.past.length > 0;
  }

  get canGoForward(): boolean {
    return this.future.length > 0;
  }

  /**
   * @param isPassing what is selected in passing leaves no trace when the next is selected in passing, too.
   * @returns false when it is what is selected already, or no selection at all.
   */
  change(to: Selection, isPassing = false): boolean {
    if (!isSelection(to) || isSame(to, this.current)) return false;
    if (!(this.isPassing && isPassing)) this.past = [...this.past, this.current].slice(-MOST_KEPT);
    this.isPassing = isPassing;
    this.future = [];
    this.current = to;
    return true;
  }

  /** @returns false when there is no way. */
  back(): boolean {
    const to = this.past.pop();
    if (to === undefined) return false;
    this.future.push(this.current);
    this.isPassing = false;
    this.current = to;
    return true;
  }

  forward(): boolean {
    const to = this.future.pop();
    if (to === undefined) return false;
    this.past.push(this.current);
    this.isPassing = false;
    this.current = to;
    return true;
  }
}

/** A selection with one part more; one of the same kind gives way, as two of one kind seldom have anything in common. */
export function narrowed(selection: Selection, part: SelectionPart): Selection {
  return [...selection.filter(({ kind }) => kind !== part.kind), part];
}

/** The same parts in the same order, whatever the order of their properties. */
export function isSame(a: Selection, b: Selection): boolean {
  return a.length === b.length && a.every((part, i) => partKey(part) === partKey(b[i]!));
}

/** The same text for the same part. */
function partKey(part: SelectionPart): string {
  return JSON.stringify(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isKept(value: unknown): value is KeptSelections {
  if (typeof value !== 'object' || value === null) return false;
  const { current, past } = value as Record<string, unknown>;
  return isSelection(current) && Array.isArray(past) && past.length <= MOST_KEPT && past.every(isSelection);
}
