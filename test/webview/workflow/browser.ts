import type { Browser } from 'playwright-core';
import type { WorkflowDocument } from '../../../src/fleet/workflow/workflow-document.ts';
import { WORKFLOW_BODY } from '../../../src/features/workflow/page-body.ts';
import {
  isFromWorkflowView,
  WORKFLOW_PROTOCOL,
  type FromWorkflowView,
  type ToWorkflowView,
} from '../../../src/features/workflow/protocol.ts';
import { openWebview, type WebviewPage } from '../../support/webview-page.ts';

/** The view under the policy of the editor. */
export interface OpenedWorkflow extends Pick<WebviewPage, 'page' | 'close'> {
  /** All messages of the view so far. */
  readonly said: readonly FromWorkflowView[];
  send(message: ToWorkflowView): Promise<void>;
  /** Errors of the page and of its policy, and messages that the editor would not take. */
  readonly problems: readonly string[];
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
  const said: FromWorkflowView[] = [];
  const hear = async (message: unknown, { send, problems }: WebviewPage): Promise<void> => {
    if (!isFromWorkflowView(message)) {
      problems.push(`no message: ${JSON.stringify(message)}`);
      return;
    }
    said.push(message);
    if (message.kind === 'ready' && document !== undefined)
      await send({ kind: 'workflow', protocol: WORKFLOW_PROTOCOL, document });
  };
  const opened = await openWebview(browser, {
    ...options,
    height: 1000,
    script: 'webview/workflow/main.ts',
    style: 'webview/workflow/workflow.css',
    title: 'Workflow',
    body: WORKFLOW_BODY,
    policy: 'img-src blob:',
    hear,
  });
  return { ...opened, said };
}
