import type { WorkflowDocument } from '../../fleet/workflow/workflow-document.ts';
import type { ReadingMeans } from '../read-recording.ts';
import { readWorkflow } from './read-workflow.ts';
import type { WorkflowMethods, WorkflowOptions } from './workflow-methods.ts';

export interface WorkflowHooks {
  /** Recordings that are done, and how many there are. */
  progress?: (done: number, all: number) => void;
  signal?: AbortSignal;
}

export class WorkflowQuestions implements WorkflowMethods {
  constructor(private readonly means: (options: WorkflowOptions) => ReadingMeans) {}

  read(folder: string, options: WorkflowOptions = {}, hooks: WorkflowHooks = {}): Promise<WorkflowDocument> {
    const { pathRules = [] } = options;
    return readWorkflow(folder, { means: this.means(options), pathRules, ...hooks });
  }
}
