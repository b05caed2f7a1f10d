import type { LimitResult } from '../../analysis/budget/budget.ts';

export type { LimitCheck, LimitResult, Quantity } from '../../analysis/budget/budget.ts';

/** What a budget says of the analysed recordings: each limit for each recording. */
export interface BudgetDocument {
  /** The file with the limits, as the user named it. */
  readonly file: string;
  readonly results: readonly LimitResult[];
}
