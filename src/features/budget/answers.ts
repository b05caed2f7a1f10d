import type { Limit } from '../../analysis/budget/budget.ts';
import { checkBudget } from '../../analysis/budget/check-budget.ts';
import type { BudgetDocument } from '../../export/comparison/budget-document.ts';
import type { BudgetMethods } from './methods.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';
import { runFacts } from '../../session/reading/run-facts.ts';

/** No limit is on the graph. */
const NO_GRAPH = { mapping: '', nodes: [], edges: [] };

export class BudgetAnswers implements BudgetMethods {
  constructor(private readonly recordings: RecordingsById) {}

  async check(ids: readonly number[], file: string, limits: readonly Limit[]): Promise<BudgetDocument> {
    const results: BudgetDocument['results'][number][] = [];
    for (const id of ids) {
      const recording = this.recordings.of(id);
      const facts = await runFacts(recording.request.paths.join(' '), recording, NO_GRAPH);
      results.push(...checkBudget(facts, limits, recording.ownTriggers));
    }
    return { file, results };
  }
}
