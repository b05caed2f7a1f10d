import type { Browser } from 'playwright-core';
import type { WorkflowDocument } from '../../../src/fleet/workflow/workflow-document.ts';
import { WORKFLOW_BODY } from '../../../src/features/workflow/page-body.ts';
import { FROM_WORKFLOW, WORKFLOW, type WorkflowLine } from '../../../src/features/workflow/protocol.ts';
import { PlayedPanel } from '../../support/played-panel.ts';
import { openWebview, type WebviewPage } from '../../support/webview-page.ts';

/** The view under the policy of the editor. */
export interface OpenedWorkflow extends Pick<WebviewPage, 'page' | 'close' | 'send' | 'problems'> {
  readonly panel: PlayedPanel<WorkflowLine>;
}

export interface WorkflowOptions {
  readonly state?: unknown;
  readonly width?: number;
}

/** @param document that the extension sends once the view is ready; none when the test sends something else. */
export async function openWorkflow(
  browser: Browser,
  document: WorkflowDocument | undefined,
  options: WorkflowOptions = {},
): Promise<OpenedWorkflow> {
  let send: WebviewPage['send'] = () => Promise.resolve();
  const panel = new PlayedPanel<WorkflowLine>(WORKFLOW, FROM_WORKFLOW, (message) => send(message), {
    answers: {},
    present: () => {
      if (document !== undefined) void panel.say('workflow', document);
    },
  });
  const opened = await openWebview(browser, {
    ...options,
    height: 1000,
    script: 'webview/workflow/main.ts',
    style: 'webview/workflow/workflow.css',
    title: 'Workflow',
    body: WORKFLOW_BODY,
    policy: 'img-src blob:',
    hear: (message, page) => {
      ({ send } = page);
      panel.hear(message);
    },
  });
  return { ...opened, panel };
}
