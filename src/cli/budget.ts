import { existsSync, readFileSync } from 'node:fs';
import type { BudgetDocument } from '../export/comparison/budget-document.ts';
import { isExceeded, limitWords } from '../export/comparison/budget-text.ts';
import { BUDGET_FILE, readBudget, type Limit } from '../features/budget/methods.ts';
import { messageOf } from '../base/error-message.ts';
import { UsageError } from './arguments.ts';
import { say } from './say.ts';

/**
 * The limits of a budget file. A budget counts only when it is named, so that no command fails by a file that happens to
 * lie there; one that does and is not named is mentioned.
 *
 * @throws UsageError when the file cannot be read, or one of its limits not be understood: a limit that is passed over
 * would let through what it forbids.
 */
export function readLimits(file: string | undefined): readonly Limit[] | undefined {
  if (file === undefined) {
    if (existsSync(BUDGET_FILE)) say(`${BUDGET_FILE} is here but is not checked: use --budget ${BUDGET_FILE}`);
    return undefined;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--budget ${file}: ${messageOf(error)}`);
  }
  const { limits, problems } = readBudget(parsed);
  if (problems.length > 0) throw new UsageError(problems.map((problem) => `${file}: ${problem}`).join('\n'));
  return limits;
}

/** Says on standard error what is exceeded or could not be measured, whatever form the report has. @returns exceeded. */
export function tellBudget(budget: BudgetDocument): boolean {
  for (const result of budget.results) {
    if (result.status !== 'holds') say(`budget: ${result.status}: ${limitWords(result)}`);
  }
  return isExceeded(budget);
}
