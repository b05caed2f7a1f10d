import * as vscode from 'vscode';
import type { Features } from './features.ts';
import type * as Questions from './language-model-questions.ts';

/**
 * Lets a chat agent in the editor use the findings. The tools only read what is open in the editor, or a recording in the
 * workspace after the user agreed; nothing is sent anywhere by the extension itself.
 */
export function activateLanguageModelTools(features: () => Promise<Features>): vscode.Disposable {
  // Loaded when an agent asks: an editor that only starts pays nothing.
  const tool = <Input>(
    name: string,
    ask: (questions: typeof Questions, features: Features, input: Input) => Promise<vscode.LanguageModelToolResult>,
    prepare?: (input: Input) => vscode.PreparedToolInvocation,
  ): vscode.Disposable =>
    vscode.lm.registerTool<Input>(name, {
      invoke: async ({ input }) => ask(await import('./language-model-questions.ts'), await features(), input),
      ...(prepare && { prepareInvocation: ({ input }) => prepare(input) }),
    });
  return vscode.Disposable.from(
    tool<Questions.OpenInput>(
      'iolens_open_recording',
      ({ openRecording }, all, input) => openRecording(all, input),
      ({ path }) => ({
        invocationMessage: vscode.l10n.t('Opening the recording {0}', path),
        confirmationMessages: {
          title: vscode.l10n.t('Open a recording with I/O Lens'),
          message: vscode.l10n.t('The agent wants to read the recording {0}.', path),
        },
      }),
    ),
    tool<Questions.InsightsInput>('iolens_list_insights', ({ listInsights }, all, input) => listInsights(all, input)),
    tool<Questions.LineInput>('iolens_explain_line', ({ explainLine }, all, input) => explainLine(all, input)),
    tool<Questions.EventsInput>('iolens_show_events', ({ showEvents }, all, input) => showEvents(all, input)),
  );
}
