/** Strace documents, and fixes in other languages. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OpenRecording } from '../../../src/features/recordings/recordings.ts';
import { at, features, folder, until, withRecorder, type Suite } from './host.ts';

const text = at('heat.strace');
const BUFFERED = 'Let Python buffer this file: up to 8 KiB are lost if the program is killed';

async function actionsAt(uri: vscode.Uri, part: string): Promise<vscode.CodeAction[]> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { line } = document.positionAt(document.getText().indexOf(part));
  return vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, new vscode.Range(line, 8, line, 8));
}

/** The editor drops what takes longer than three quarters of a second, says that there is nothing, and asks again later. */
async function actionsInTime(uri: vscode.Uri, part: string): Promise<vscode.CodeAction[]> {
  const { recordings } = await features();
  const some = async (): Promise<vscode.CodeAction[] | undefined> => {
    const actions = await actionsAt(uri, part);
    return actions.length === 0 ? undefined : actions;
  };
  return until(some, `fixes at ${part}`, () => {
    const names = recordings.all().map(({ name, analysis }) => [name, analysis.insights.map(({ trigger }) => trigger)]);
    const lines = vscode.languages.getDiagnostics(uri).map(({ range, message }) => [range.start.line, message]);
    return JSON.stringify({ current: recordings.current?.name, recordings: names, lines });
  });
}

/** A frame of the program itself. */
async function ownFrame(): Promise<vscode.Position> {
  const document = await vscode.workspace.openTextDocument(text);
  const found = document.positionAt(document.getText().indexOf(' > /home/hpc/heat/heat('));
  return new vscode.Position(found.line, 10);
}

async function record(program: string, ...args: string[]): Promise<OpenRecording> {
  const { feature } = await features();
  return (await feature.record.recorder.record({ program, args, cwd: folder.uri.fsPath, env: {} }, folder))!;
}

export const LANGUAGES: Suite = {
  async 'a recording opened as text is strace, and its stacks fold'() {
    const document = await vscode.workspace.openTextDocument(text);
    assert.equal(document.languageId, 'strace');
    const ranges = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      text,
    );
    assert.ok(ranges.length > 1000);
    for (const { start, end } of ranges.slice(0, 100)) {
      assert.ok(!document.lineAt(start).text.startsWith(' > '));
      assert.ok(document.lineAt(end).text.startsWith(' > '));
    }
  },

  async 'output of darshan-parser is known by its first line, and its records fold'() {
    const output = at('darshan-output');
    const rows = ['OPENS', 'READS', 'WRITES'].map((name) => `POSIX\t0\t7\tPOSIX_${name}\t1\t/a\t/\text4`);
    const lines = ['# darshan log version: 3.41', '', '# *****', '# POSIX module data', '# *****', '', ...rows];
    await vscode.workspace.fs.writeFile(output, new TextEncoder().encode(lines.join('\n')));
    assert.equal((await vscode.workspace.openTextDocument(output)).languageId, 'darshan-parser');
    const ranges = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      output,
    );
    assert.deepEqual(
      ranges.map(({ start, end }) => [start, end]).sort(([a], [b]) => a! - b!),
      [
        [3, 8],
        [6, 8],
      ],
    );
    await vscode.workspace.fs.delete(output);
  },

  async 'a frame leads to its source line: link, definition and hover'() {
    const position = await ownFrame();
    const definitions = await vscode.commands.executeCommand<vscode.LocationLink[]>(
      'vscode.executeDefinitionProvider',
      text,
      position,
    );
    assert.equal(definitions[0]!.targetUri.fsPath, at('heat.c').fsPath);
    const line = definitions[0]!.targetRange.start.line + 1;
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', text, position);
    const shown = hovers.flatMap(({ contents }) => contents.map((part) => (part as vscode.MarkdownString).value));
    assert.ok(shown.join('\n').includes(`heat\\.c:${line}`), shown.join('\n'));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', text);
    const link = links.find(({ range }) => range.start.line === position.line)!;
    const [uri, place] = JSON.parse(decodeURIComponent(link.target!.query)) as [string, number];
    await vscode.commands.executeCommand('iolens.openFrame', uri, place);
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.fsPath, at('heat.c').fsPath);
    assert.equal(editor.selection.active.line + 1, line);
  },

  async 'the bundled sample opens with its source'() {
    await vscode.commands.executeCommand('iolens.openSample');
    const { recordings } = await features();
    const site = recordings.current!.analysis.insights[0]!.sites[0]!;
    assert.ok(site.isHere && site.line === 22 && site.file.endsWith('/demo/heat/heat.c'), site.file);
    assert.ok(!site.file.startsWith(folder.uri.fsPath));
  },

  async 'a fix in Fortran is shown before it is made'() {
    await record('./steps');
    const flush = (await actionsInTime(at('steps.f90'), 'flush(unit)')).filter(({ edit }) => edit !== undefined);
    const trade = 'Do not flush after each record: up to 8 KiB are lost if the program is killed';
    const titlesOfFlush = flush.map(({ title }) => title);
    assert.ok(titlesOfFlush.includes(trade), JSON.stringify(titlesOfFlush));
    assert.ok(flush.every(({ isPreferred }) => isPreferred !== true));
    await record('./appends');
    const actions = await actionsInTime(at('appends.f90'), 'open(newunit=unit');
    const fix = actions.find(({ title }) =>
      title.startsWith('Open the file before the loop and close it after the loop ('),
    );
    assert.ok(fix !== undefined, `a trade among ${JSON.stringify(actions.map(({ title }) => title))}`);
    assert.ok(actions.every(({ isPreferred }) => isPreferred !== true));
    const preview = actions.find(({ title }) => title === `Preview: ${fix.title}`)!;
    void vscode.commands.executeCommand(preview.command!.command, ...(preview.command!.arguments as unknown[]));
    const diff = await until(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    }, 'a diff');
    assert.equal(diff.original.fsPath, at('appends.f90').fsPath);
    const after = (await vscode.workspace.openTextDocument(diff.modified)).getText();
    assert.match(after, / {4}flush\(unit\)\n {2}end do\n {2}close\(unit\)\nend program/);
    assert.ok(!(await vscode.workspace.openTextDocument(at('appends.f90'))).isDirty);
  },

  async 'fixes in Python are offered while a recording of Python is open'() {
    const script = at('steps.py');
    assert.deepEqual(await actionsAt(script, 'buffering=0'), []);
    // The library would see the script's own lines.
    await withRecorder('strace', () => record('/usr/bin/python3', '-I', '-S', 'steps.py'));
    const titles = async (part: string): Promise<string[]> => (await actionsAt(script, part)).map(({ title }) => title);
    const [title, preview] = await titles('buffering=0');
    assert.equal(title, BUFFERED);
    assert.equal(preview, `Preview: ${title}`);
    assert.deepEqual(await titles('for step'), []);
    // The line that writes has the fix of the line that opened the file.
    assert.equal((await titles('file.write'))[0], BUFFERED);
  },

  async 'where the recorder knows lines of Python, the line that opened the file has its fix too'() {
    const script = at('steps.py');
    const opened = await record('/usr/bin/python3', '-I', '-S', 'steps.py');
    const { sites } = opened.analysis.insights.find(({ trigger }) => trigger === 'posix-small-writes')!;
    assert.deepEqual([sites.length, sites[0]!.line, sites[0]!.file], [1, 3, script.fsPath]);
    const actions = await actionsAt(script, 'buffering=0');
    const [fix, preview, trial] = actions;
    assert.equal(fix!.title, BUFFERED);
    assert.deepEqual([preview!.title, trial!.title], [`Preview: ${fix!.title}`, `Try: ${fix!.title}`]);
    assert.equal(actions.length, 3);
    // The finding's own line has what the finding says, each advice once; the loop has nothing of its own.
    const titles = async (part: string): Promise<string[]> => (await actionsAt(script, part)).map(({ title }) => title);
    const own = (await titles('file.write')).filter((title) => !title.startsWith('Dismiss'));
    assert.equal(own[0], BUFFERED);
    assert.deepEqual(
      own.filter((title) => title.startsWith('Insert an example')),
      [
        'Insert an example: Collect writes in a buffer of 64 KiB (Python)',
        'Insert an example: One call for many records (Python)',
      ],
    );
    assert.deepEqual(await titles('for step'), []);
    await vscode.workspace.applyEdit(fix!.edit!);
    const document = await vscode.workspace.openTextDocument(script);
    assert.equal(document.lineAt(0).text, 'with open("steps.bin", "wb", buffering=8192) as file:');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  },
};
