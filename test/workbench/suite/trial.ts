/** A fix is tried: the program is built and run with and without it, and the view says what that showed. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  cursor,
  features,
  findings,
  folder,
  openDemo,
  source,
  until,
  untilTrue,
  webviewTabs,
  type Suite,
} from './host.ts';

const COMMANDS = { build: 'gcc -g -O2 -o heat heat.c', run: 'mkdir -p results && ./heat results' };

async function withCommands(work: () => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration('iolens.try', folder);
  const set = async (of: (name: keyof typeof COMMANDS) => string | undefined): Promise<void> => {
    for (const name of ['build', 'run'] as const)
      await settings.update(name, of(name), vscode.ConfigurationTarget.WorkspaceFolder);
  };
  await set((name) => COMMANDS[name]);
  try {
    await work();
  } finally {
    await set(() => undefined);
  }
}

export const TRIAL: Suite = {
  async 'a fix is tried, its squiggle says so, and keeping it leads to the changed call'() {
    await openDemo();
    const document = await vscode.workspace.openTextDocument(source);
    const before = document.getText();
    await vscode.window.showTextDocument(document);
    await withCommands(async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        source,
        new vscode.Range(31, 8, 31, 8),
        vscode.CodeActionKind.QuickFix.value,
      );
      const action = actions.find(({ title }) => title.startsWith('Try: Keep the file open'))!;
      await vscode.commands.executeCommand(action.command!.command, ...(action.command!.arguments as unknown[]));
    });
    const { feature } = await features();
    const { trial } = await until(
      () => (feature.fixes.trial?.runs === undefined ? undefined : feature.fixes.trial),
      'the view draws the runs',
    );
    assert.equal(feature.fixes.trial!.runs, 5);
    const { subject, markdown } = trial;
    assert.match(subject.verdict, /^keeps results/);
    assert.deepEqual(
      subject.commands.map(([, command]) => command),
      Object.values(COMMANDS),
    );
    assert.match(subject.diff, /^--- a\/heat\.c\n\+\+\+ b\/heat\.c\n/);
    assert.ok(
      subject.faults.some(({ fault }) => fault === 'short reads and writes'),
      JSON.stringify(subject.faults),
    );
    assert.match(markdown, /iolens fix heat\.strace\.gz L02-1 /);
    await untilTrue(
      () => findings().some(({ message }) => /\ntried: .* → .*, results equal/.test(message)),
      'the squiggle says that it was tried',
    );
    assert.equal(document.getText(), before, 'nothing is changed by a trial');
    assert.equal(await trial.keep(), '');
    assert.match(document.getText(), /static int fd = -1;/);
    assert.match(document.lineAt(vscode.window.activeTextEditor!.selection.active.line).text, /fd/);
    assert.match(cursor(), /^heat\.c:3\d$/);
    assert.match(await trial.keep(), /changed meanwhile/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(webviewTabs('iolens.trial').length, 1);
  },
};
