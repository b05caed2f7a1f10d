import type { Limit } from '../../analysis/budget/budget.ts';
import type { BudgetDocument } from '../../export/comparison/budget-document.ts';

export { readBudget } from '../../analysis/budget/read-budget.ts';
export type { Limit } from '../../analysis/budget/budget.ts';

/** Name of the file that the editor reads in each folder of the workspace. */
export const BUDGET_FILE = 'iolens.budget.json';

export interface BudgetMethods {
  /** Measures open recordings by the limits of a budget. @param file where the limits come from, for the user. */
  check(ids: readonly number[], file: string, limits: readonly Limit[]): Promise<BudgetDocument>;
}
