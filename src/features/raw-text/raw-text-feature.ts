import type * as vscode from 'vscode';
import type { StackLineFrame } from '../answers/stack-lines.ts';
import { pathOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import { openRequest } from '../editor/settings.ts';
import { learnedRules } from '../recordings/source-locating.ts';

/** What open texts of tracers ask a session for; what they show without one is there from the editor's start. */
export class RawTextFeature {
  constructor(private readonly services: Services) {}

  /** The source frames behind the lines of a stack in an open text. */
  stackLines(document: vscode.TextDocument, lines: readonly string[]): Promise<StackLineFrame[][]> {
    const { recordings, state } = this.services;
    const file = pathOf(document.uri);
    const open = recordings.all().find(({ paths }) => paths.some((at) => file === at || file.startsWith(`${at}/`)));
    return recordings.session.lines.stackFrames({
      lines,
      request: openRequest([file], learnedRules(state)),
      ...(open !== undefined && { recording: open.id }),
    });
  }
}
