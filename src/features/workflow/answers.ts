import type { WorkflowDocument } from '../../fleet/workflow/workflow-document.ts';
import type { OpenHooks } from '../../session/reading/opened-recording.ts';
import type { OpenRecordings } from '../../session/reading/open-recordings.ts';
import { readWorkflow } from '../../session/fleet/read-workflow.ts';
import type { PathRule } from '../../symbols/symbol-files.ts';

/** How a workflow is read; plain data. */
export interface WorkflowOptions {
  /** Folder names that mean the same folder (mounts, links): `from` is replaced by `to` in the names of all files. */
  readonly pathRules?: readonly PathRule[];
  /** Bytes of memory that the session may take; events beyond it go to a temporary file. Undefined: the default. */
  readonly memoryBudget?: number;
  /** Bytes that the cache of read recordings may take; 0 turns it off. Undefined: the default. */
  readonly cacheBytes?: number;
}

/** Workflows: folders with what a batch system knows of jobs that belong together, and their recordings. */
export class WorkflowAnswers {
  constructor(private readonly recordings: Pick<OpenRecordings, 'means'>) {}

  /**
   * Reads a folder. What it holds but cannot be read is said in the document's notes.
   * @param folder absolute path.
   * @throws Error in words for the user: no such folder, nothing in it that tells of a job.
   */
  read(folder: string, options: WorkflowOptions = {}, hooks: OpenHooks = {}): Promise<WorkflowDocument> {
    const { pathRules = [] } = options;
    const { signal, progress } = hooks;
    return readWorkflow(folder, {
      means: this.recordings.means(options),
      pathRules,
      ...(signal && { signal }),
      ...(progress && {
        progress: (done, all) => progress(done / all),
      }),
    });
  }
}
