import * as vscode from 'vscode';
import type { Recorder } from '../editor/programs.ts';
import { launchConfigurations, type FoundConfiguration } from './launch-configurations.ts';
import { asText, readLaunch, type LaunchProgram } from './launch-program.ts';
import { programWord, shellSyntax, type ShellSyntax } from './shell-syntax.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import { splitCommand } from '../editor/variables.ts';
import { mayRecord } from './may-record.ts';
import { launchVariables } from '../editor/workspace-variables.ts';

const LAST_COMMAND = 'iolens.lastCommand';
const LAST_CONFIGURATION = 'iolens.lastConfiguration';

/** Asks for a program, records it in a terminal, and opens the recording when it has ended. */
export async function recordProgram(tasks: Recorder, state: vscode.Memento): Promise<void> {
  if (!mayRecord()) return;
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('I/O Lens: open a folder first: the program runs there and its recording goes there.'),
    );
    return;
  }
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Record a Program’s I/O'),
    prompt: vscode.l10n.t(
      'Program and arguments. You are asked about what needs a shell (pipes, redirections, variables).',
    ),
    placeHolder: './app --steps 100 input.dat',
    value: state.get<string>(LAST_COMMAND, ''),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === '') return;
  await state.update(LAST_COMMAND, text);
  const command = await commandOf(text);
  if (command !== undefined) await tasks.record({ ...command, cwd: folder.uri.fsPath, env: {} }, folder);
}

/**
 * What a line of the user's starts. A shell runs it only on his word: it is started as it is, and only he can know what
 * else the line does.
 * @returns undefined when he does not want it.
 */
async function commandOf(text: string): Promise<Pick<LaunchProgram, 'program' | 'args' | 'name'> | undefined> {
  const syntax = shellSyntax(text);
  const how = syntax === undefined ? 'plain' : await askAboutShell(text, syntax);
  if (how === 'shell') return { program: '/bin/sh', args: ['-c', text], name: programWord(text) };
  const [program, ...args] = splitCommand(text);
  return how === undefined || program === undefined ? undefined : { program, args };
}

async function askAboutShell(text: string, syntax: ShellSyntax): Promise<'shell' | 'plain' | undefined> {
  const inShell = vscode.l10n.t('Run in a Shell');
  const asIs = vscode.l10n.t('Pass as Arguments');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('I/O Lens: {0} needs a shell.', SHELL_WORDS[syntax]()),
    {
      modal: true,
      detail: vscode.l10n.t(
        '{0}\n\n/bin/sh can run this line, and is recorded with what it starts. Otherwise the program gets these characters as arguments.',
        text,
      ),
    },
    inShell,
    asIs,
  );
  if (chosen === undefined) return undefined;
  return chosen === inShell ? 'shell' : 'plain';
}

const SHELL_WORDS: Readonly<Record<ShellSyntax, () => string>> = {
  redirection: () => vscode.l10n.t('a redirection (<, >)'),
  pipe: () => vscode.l10n.t('a pipe (|)'),
  chain: () => vscode.l10n.t('several commands in a line (&&, ||, ;)'),
  background: () => vscode.l10n.t('a program in the background (&)'),
  substitution: () => vscode.l10n.t('the output of a command as an argument'),
  variable: () => vscode.l10n.t('a variable'),
  pattern: () => vscode.l10n.t('a pattern of file names (*, ?, ~)'),
};

/**
 * Records the program of a launch configuration. The editor does not tell which one is selected in its debug view: with
 * several the user is asked, and the last choice stands first.
 *
 * @param wanted name of the configuration, for other extensions, key bindings and tests.
 */
export async function recordLaunch(
  tasks: Recorder,
  state: vscode.Memento,
  wanted?: unknown,
): Promise<OpenRecording | undefined> {
  if (!mayRecord()) return undefined;
  const found = launchConfigurations();
  if (found.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'I/O Lens: there is no launch configuration of a compiled program (cppdbg, lldb, gdb) in .vscode/launch.json. "Record a Program…" takes a command line.',
      ),
    );
    return undefined;
  }
  const chosen = found.find(({ configuration }) => configuration['name'] === wanted) ?? (await ask(found, state));
  if (chosen === undefined) return undefined;
  const { configuration, folder } = chosen;
  const name = nameOf(chosen);
  await state.update(LAST_CONFIGURATION, name);
  const { program, problems, notes } = await readLaunch(configuration, folder.uri.fsPath, launchVariables(folder));
  if (program === undefined) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('I/O Lens: "{0}" cannot be recorded: {1}.', name, problems.join('; ')),
    );
    return undefined;
  }
  if (notes.length > 0)
    void vscode.window.showInformationMessage(
      vscode.l10n.t('I/O Lens records "{0}" without the debugger: {1}.', name, notes.join('; ')),
    );
  return tasks.record(program, folder);
}

async function ask(
  found: readonly FoundConfiguration[],
  state: vscode.Memento,
): Promise<FoundConfiguration | undefined> {
  if (found.length === 1) return found[0];
  const last = state.get<string>(LAST_CONFIGURATION);
  const items = found.map((entry) => ({
    label: nameOf(entry),
    description: asText(entry.configuration['program'] ?? entry.configuration['target']),
    entry,
  }));
  items.sort((a, b) => Number(b.label === last) - Number(a.label === last));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Record a Launch Configuration'),
    placeHolder: vscode.l10n.t('The configuration whose program is recorded'),
  });
  return picked?.entry;
}

function nameOf({ configuration }: FoundConfiguration): string {
  return asText(configuration['name'] ?? configuration['type']);
}
