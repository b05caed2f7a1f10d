import {
  isWorkflowViewState,
  WORKFLOW_PROTOCOL,
  type FromWorkflowView,
  type ToWorkflowView,
  type WorkflowViewState,
} from '../../src/features/workflow/protocol.ts';
import { onThemeChange } from '../kit/theme.ts';
import { WorkflowView } from './workflow-view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromWorkflowView): void;
  getState(): unknown;
  setState(state: WorkflowViewState): void;
};

const editor = acquireVsCodeApi();
const kept = editor.getState();
const view = new WorkflowView(
  document.body,
  {
    post: (message) => editor.postMessage(message),
    keep: (state) => editor.setState(state),
  },
  isWorkflowViewState(kept) ? kept : { folder: '', mode: 'dependency', tab: 'workflow' },
);

window.addEventListener('message', ({ data }: MessageEvent<ToWorkflowView>) => {
  switch (data.kind) {
    case 'workflow':
      if (data.protocol === WORKFLOW_PROTOCOL) view.show(data.document);
      else view.say('This view is from another version of I/O Lens: close and open it.', true);
      break;
    case 'working':
      view.say(`Reading ${data.folder} …`);
      break;
    case 'error':
      view.say(data.message, true);
      break;
  }
});

onThemeChange(() => view.recolour());
editor.postMessage({ kind: 'ready', protocol: WORKFLOW_PROTOCOL });
