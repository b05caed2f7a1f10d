import { dependencyLayout, durationLayout } from './grid-layout.ts';
import { timelineLayout } from './timeline-layout.ts';
import type { DrawnWorkflow, WorkflowMode, WorkflowPicture } from './workflow-picture.ts';

/** A place for each job, step and arrow. */
export function layOutWorkflow(workflow: DrawnWorkflow, mode: WorkflowMode): WorkflowPicture {
  switch (mode) {
    case 'dependency':
      return dependencyLayout(workflow);
    case 'duration':
      return durationLayout(workflow);
    case 'timeline':
      return timelineLayout(workflow);
  }
}
