import { WORKFLOW, type WorkflowLine } from '../../src/features/workflow/protocol.ts';
import { PageEnd } from '../kit/page-end.ts';
import { onThemeChange } from '../kit/theme.ts';
import { WorkflowView } from './workflow-view.ts';

const page = new PageEnd<WorkflowLine>(WORKFLOW);
const view = new WorkflowView(document.body, page);
const fail = (message: string): void => view.say(message, true);

page.listen(
  {
    workflow: (document) => view.show(document),
    working: ({ folder }) => view.say(`Reading ${folder} …`),
    failed: fail,
  },
  fail,
);
onThemeChange(() => view.recolour());
