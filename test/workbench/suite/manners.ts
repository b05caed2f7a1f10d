/** What a guest in somebody's editor does not do: cost time when it is not used, throw, trust what it reads. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { at, cursorOn, extension, features, openDemo, until, type Suite } from './host.ts';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/** Runs a command as the palette does, and closes whatever it asks. */
async function runAndLeave(command: string): Promise<void> {
  let ended = false;
  const running = Promise.resolve(vscode.commands.executeCommand(command)).finally(() => {
    ended = true;
  });
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!ended) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    return ended ? true : undefined;
  }, `${command} ends when its question is closed`);
  await running;
}

export const AT_START: Suite = {
  async 'an editor that only starts loads nothing of it'() {
    assert.equal((await extension().activate()).isLoaded(), false);
    const main = readFileSync(path.join(extension().extensionPath, 'dist/extension.js'), 'utf8');
    assert.ok(!main.includes('worker_threads'), 'the main bundle starts no worker');
  },
};

export const MANNERS: Suite = {
  async 'checking the machine shows what works in a document that cannot be edited'() {
    await vscode.commands.executeCommand('iolens.doctor');
    const { document } = vscode.window.activeTextEditor!;
    assert.equal(document.uri.scheme, 'iolens-doctor');
    assert.match(document.getText(), /^I\/O Lens \d+\.\d+\.\d+ on \w+, kernel[^]*\n\nRecording\n {2}(ok|MISSING)/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === true, false);
  },

  async 'no command throws when it is run from the palette, with nothing open and with a recording'() {
    await features();
    const { commands } = (extension().packageJSON as Manifest).contributes;
    const known = await vscode.commands.getCommands(true);
    for (const { command } of commands) assert.ok(known.includes(command), `${command} is not registered`);
    for (const { command } of commands) await runAndLeave(command);
    await openDemo();
    await cursorOn(5);
    // Closing comes last: the others shall meet a recording.
    const last = 'iolens.closeRecording';
    for (const { command } of commands.filter((other) => other.command !== last)) await runAndLeave(command);
    await runAndLeave(last);
  },

  async 'the log tells the phases of opening'() {
    const { recordings } = await features();
    const lines: string[] = [];
    const log = (recordings as unknown as { log: vscode.LogOutputChannel }).log;
    const info = log.info.bind(log);
    log.info = (message) => {
      lines.push(message);
    };
    try {
      await openDemo();
    } finally {
      log.info = info;
    }
    assert.match(
      lines[0]!,
      /^heat\.strace\.gz: 5150 calls: reading \d+ ms, resolving call stacks \d+ ms, analysing \d+ ms, in all \d+ ms$/,
    );
  },

  async 'opening twice at once is one recording; opening again keeps the graph, and failing keeps the findings'() {
    const all = await features();
    const { recordings } = all;
    const copy = at('again.strace');
    const text = '1 1795252180.926168 write(3</w/a>, "x"..., 1) = 1 <0.000100>\n'.repeat(64);
    writeFileSync(copy.fsPath, text);
    const [first, second] = await Promise.all([recordings.add([copy.fsPath]), recordings.add([copy.fsPath])]);
    assert.equal(first, second);
    assert.equal(recordings.all().length, 1);
    await vscode.commands.executeCommand('iolens.showGraph');
    await until(() => all.feature.graph.shown, 'the graph');
    writeFileSync(copy.fsPath, text.repeat(2));
    await recordings.reopen();
    assert.equal(recordings.all().length, 1);
    assert.equal(recordings.current!.info.events, 128);
    const again = (): typeof all.feature.graph.shown =>
      all.feature.graph.shown?.events === 128 ? all.feature.graph.shown : undefined;
    const graph = await until(again, 'the graph of what was read again');
    assert.equal(graph.nodes.length, 1);
    writeFileSync(copy.fsPath, 'junk');
    assert.equal(await recordings.add([copy.fsPath]), undefined);
    assert.equal(recordings.current!.info.events, 128);
    await recordings.remove(recordings.current!);
  },

  async 'what is no recording is refused in words, and what is hostile stays text'() {
    const all = await features();
    const junk = at('junk.strace');
    writeFileSync(junk.fsPath, Buffer.from([0, 1, 2, 3, 250, 251, 10, 13]));
    assert.equal(await all.recordings.add([junk.fsPath]), undefined);
    const hostile = at('hostile.strace');
    const file = '/tmp/<img src=x onerror=alert(1)>/$(touch pwned)/../../etc';
    const escaped = file.replaceAll('<', '\\74').replaceAll('>', '\\76');
    const line = `1 1795252180.926168 write(3<${escaped}>, "x"..., 1) = 1 <0.000100>\n`;
    writeFileSync(hostile.fsPath, line.repeat(64));
    const opened = (await all.recordings.add([hostile.fsPath]))!;
    assert.equal(opened.info.events, 64);
    assert.equal(opened.analysis.insights[0]!.files[0]!.path, file);
    // No stack, so no source line: the trees show it all the same.
    const site = all.feature.lines.tree.getChildren()[0]!;
    assert.equal(all.feature.lines.tree.getTreeItem(site).label, '(no source line)');
    assert.equal(all.feature.lines.tree.getTreeItem(site).command, undefined);
    await vscode.commands.executeCommand('iolens.showGraph');
    const graph = await until(() => all.feature.graph.shown, 'the graph of the hostile recording');
    assert.equal(graph.nodes[0]!.activity, 'write:/tmp/<img src=x onerror=alert(1)>');
  },
};
