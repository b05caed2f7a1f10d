import * as v from 'valibot';
import type { PageLine, ViewState } from '../../base/page-line.ts';
import { COUNT, NOTHING, PICTURE } from '../../base/page-values.ts';
import type { WorkflowDocument } from '../../fleet/workflow/workflow-document.ts';

export type {
  AccessMode,
  FileUse,
  RuntimeShare,
  WorkflowDependency,
  WorkflowDocument,
  WorkflowInsight,
  WorkflowJob,
  WorkflowStep,
} from '../../fleet/workflow/workflow-document.ts';

const MODE = v.picklist(['dependency', 'duration', 'timeline']);
/** How a recording is shown that is opened. */
const RECORDING_VIEW = v.picklist(['findings', 'timeline']);
export type RecordingView = v.InferOutput<typeof RECORDING_VIEW>;

export const WORKFLOW = {
  version: 2,
  state: v.object({
    folder: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4_096)),
    mode: MODE,
    tab: v.picklist(['workflow', 'job', 'step', 'files']),
  }),
};

/** The page names jobs and steps by their places in the document, never a file. */
export const FROM_WORKFLOW = {
  asks: {},
  says: {
    /** Boxes are on the screen. */
    drawn: v.object({ jobs: COUNT, mode: MODE }),
    openRecording: v.object({ job: COUNT, step: COUNT, as: RECORDING_VIEW }),
    /** Reads the folder anew. */
    readAgain: NOTHING,
    picture: PICTURE,
  },
};

interface WorkflowToPage {
  readonly says: {
    readonly workflow: WorkflowDocument;
    /** The folder is read. */
    readonly working: { readonly folder: string };
    readonly failed: string;
  };
  readonly answers: Readonly<Record<string, never>>;
}

export type WorkflowLine = PageLine<typeof WORKFLOW, typeof FROM_WORKFLOW, WorkflowToPage>;
export type WorkflowViewState = ViewState<WorkflowLine>;
