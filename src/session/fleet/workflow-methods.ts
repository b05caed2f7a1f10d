import type { WorkflowDocument } from '../../fleet/workflow/workflow-document.ts';

/** Questions about workflows: folders with what a batch system knows of jobs that belong together, and their recordings. */
export interface WorkflowMethods {
  /**
   * Reads a folder. What it holds but cannot be read is said in the document's notes.
   * @param folder absolute path.
   * @throws Error in words for the user: no such folder, nothing in it that tells of a job.
   */
  read(folder: string): Promise<WorkflowDocument>;
}

/** As `remoteTopic` wants them. */
export const WORKFLOW_METHODS = ['read'] as const;
