import * as vscode from 'vscode';
import type { Contributions } from '../editor/contributions.ts';
import type { Services } from '../editor/services.ts';
import {
  explainLine,
  listInsights,
  openRecording,
  showEvents,
  type EventsInput,
  type InsightsInput,
  type LineInput,
  type OpenInput,
} from './language-model-questions.ts';

/**
 * Lets a chat agent in the editor use the findings. The tools only read what is open in the editor, or a recording in the
 * workspace after the user agreed; nothing is sent anywhere by the extension itself.
 */
export class LanguageModelTools {
  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.tool('iolens_open_recording', this.opening());
    contributions.tool<InsightsInput>('iolens_list_insights', {
      invoke: ({ input }) => listInsights(services, input),
    });
    contributions.tool<LineInput>('iolens_explain_line', { invoke: ({ input }) => explainLine(services, input) });
    contributions.tool<EventsInput>('iolens_show_events', { invoke: ({ input }) => showEvents(services, input) });
  }

  /** The only tool that reads what is not open yet: the user is asked. */
  private opening(): vscode.LanguageModelTool<OpenInput> {
    return {
      invoke: ({ input }) => openRecording(this.services, input),
      prepareInvocation: ({ input: { path } }) => ({
        invocationMessage: vscode.l10n.t('Opening the recording {0}', path),
        confirmationMessages: {
          title: vscode.l10n.t('Open a recording with I/O Lens'),
          message: vscode.l10n.t('The agent wants to read the recording {0}.', path),
        },
      }),
    };
  }
}
