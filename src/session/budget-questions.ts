import type { Limit } from '../analysis/budget/budget.ts';
import { checkBudget } from '../analysis/budget/check-budget.ts';
import type { BudgetDocument } from '../export/budget-document.ts';
import type { BudgetMethods } from './budget-methods.ts';
import type { OpenedRecording } from './opened-recording.ts';
import { runFacts } from './run-facts.ts';

/** No limit is on the graph. */
const NO_GRAPH = { mapping: '', nodes: [], edges: [] };

export class BudgetQuestions implements BudgetMethods {
  /** @param recording the open recording of a number. */
  constructor(private readonly recording: (id: number) => OpenedRecording) {}

  async check(ids: readonly number[], file: string, limits: readonly Limit[]): Promise<BudgetDocument> {
    const results: BudgetDocument['results'][number][] = [];
    for (const id of ids) {
      const recording = this.recording(id);
      const facts = await runFacts(recording.request.paths.join(' '), recording, NO_GRAPH);
      results.push(...checkBudget(facts, limits, recording.ownTriggers));
    }
    return { file, results };
  }
}
