/** Findings in the source: squiggles, hover, quick fixes, dismissal, and several recordings. */
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  cursorOn,
  features,
  findingLines,
  findings,
  hoverText,
  lineOf,
  openDemo,
  openDemoAgain,
  source,
  until,
  untilTrue,
  type Suite,
} from './host.ts';

async function actionsOn(line: number): Promise<vscode.CodeAction[]> {
  return vscode.commands.executeCommand(
    'vscode.executeCodeActionProvider',
    source,
    new vscode.Range(line - 1, 8, line - 1, 8),
  );
}

async function run(action: vscode.CodeAction | undefined): Promise<void> {
  await vscode.commands.executeCommand(action!.command!.command, ...(action!.command!.arguments as unknown[]));
}

function assertHas(text: string, parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `"${part}" is missing in:\n${text}`);
}

export const FINDINGS: Suite = {
  async 'an opened recording puts squiggles on the offending calls'() {
    await openDemo();
    const byLine = new Map(findings().map((diagnostic) => [lineOf(diagnostic), diagnostic]));
    assert.deepEqual(findingLines(), [22, 32, 35]);
    const write = byLine.get(22)!;
    assert.match(
      write.message,
      /^4,096 writes of 100 B from here cost about \S+ ms, \d+ % of the run\. A loop, run 256 times, makes them: 16 iterations of 1 write \(100 B\), each where the last one ended: contiguous\.$/,
    );
    assert.equal(write.code, 'P06');
    assert.equal(write.severity, vscode.DiagnosticSeverity.Warning);
    const text = (await vscode.workspace.openTextDocument(source)).getText(write.range);
    assert.equal(text, 'write(fd, line, 100)');
    const callers = write.relatedInformation!.map(
      ({ location }) => `${path.basename(location.uri.fsPath)}:${location.range.start.line + 1}`,
    );
    assert.deepEqual(callers, ['heat.c:82']);
  },

  async 'the hover shows the evidence, the sizes and ways on'() {
    await openDemo();
    assertHas(await hoverText(22), [
      'Many small writes',
      '4,096',
      '400 KiB',
      '100 B',
      'The tracer itself adds about',
      'Following this would save about',
      'size of writes, calls',
      '≤ 100 B  ████████████████  4,096',
      'command:iolens.showInGraph',
      'command:iolens.showRecordedCalls',
      'command:iolens.walkToCaller',
    ]);
  },

  async 'behind a line with a finding stand its numbers'() {
    await openDemo();
    const { feature } = await features();
    const document = await vscode.workspace.openTextDocument(source);
    const numbers = (line: number): string | undefined =>
      feature.lines.numbers.linesOf(document).find((numbered) => numbered.line === line - 1)?.text;
    assert.match(numbers(22)!, /^\d+ % of the run · 4,096 calls · a repair saves about [\d.]+ .?s$/);
    assert.equal(numbers(42), undefined, 'no finding');
    const settings = vscode.workspace.getConfiguration('iolens');
    try {
      await settings.update('numbersOnLines', 'hot', vscode.ConfigurationTarget.Global);
      assert.match(numbers(42)!, /^[\d.]+ % of the run · 256 calls$/);
      await settings.update('numbersOnLines', 'off', vscode.ConfigurationTarget.Global);
      assert.equal(numbers(22), undefined);
    } finally {
      await settings.update('numbersOnLines', undefined, vscode.ConfigurationTarget.Global);
    }
  },

  async 'the hover of a line without a finding shows what its calls cost'() {
    await openDemo();
    const text = await hoverText(42);
    assertHas(text, ['256 × pread64', '1 MiB', '≤ 10 KiB  ████████████████  256']);
    assert.ok(!text.includes('Many small'), text);
    assert.equal(await hoverText(5), '');
  },

  async 'a quick fix edits the code, and the other findings follow their lines'() {
    await openDemo();
    const document = await vscode.workspace.openTextDocument(source);
    const before = document.getText();
    await vscode.window.showTextDocument(document);
    const fix = (await actionsOn(32)).find(({ title }) => title.startsWith('Keep the file open'))!;
    assert.match(fix.title, /^Keep the file open \(a file that another program removes or replaces .*\)$/);
    assert.notEqual(fix.isPreferred, true, 'what changes more than the speed is never preferred');
    assert.ok(await vscode.workspace.applyEdit(fix.edit!));
    assert.match(document.getText(), /static int fd = -1;\s+if \(fd < 0\)\s+fd = open\(path, O_CREAT \| O_APPEND/);
    const lines = document.getText().split('\n');
    const moved = await until(() => {
      const texts = findings().map((diagnostic) => lines[diagnostic.range.start.line]!.trim());
      // That of the close, below what the fix inserts.
      return findings().some(({ range }) => range.start.line + 1 > 35) ? texts : undefined;
    }, 'the findings below moved with their lines');
    assert.ok(
      moved.some((text) => text.includes('write(fd, line, 100)')),
      moved.join('\n'),
    );
    const { feature } = await features();
    const hot = feature.lines.heat.linesOf(document).map(({ line }) => lines[line]!);
    for (const call of ['write(fd, line, 100', 'pread(fd, table'])
      assert.ok(
        hot.some((text) => text.includes(call)),
        `the heat of ${call} moved, too:\n${hot.join('\n')}`,
      );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(document.getText(), before);
  },

  async 'where only an example is offered, it says why, and the program stays what it was'() {
    await openDemo();
    const document = await vscode.workspace.openTextDocument(source);
    const before = document.getText();
    await vscode.window.showTextDocument(document);
    const actions = await actionsOn(22);
    assert.ok(!actions.some(({ isPreferred }) => isPreferred === true), 'nothing is preferred');
    assert.ok(!actions.some(({ title }) => title.startsWith('Preview: ')), 'nothing repairs the call');
    const [example] = actions;
    assert.match(
      example!.title,
      /^Insert an example: Collect writes in a buffer of 128 KiB \(code not changed: threads, signals .*\)$/,
    );
    assert.ok(await vscode.workspace.applyEdit(example!.edit!));
    const lines = document.getText().split('\n');
    assert.match(lines[21]!, /^ {4}\/\/ I\/O Lens: Collect writes in a buffer of 128 KiB$/);
    assert.match(lines[22]!, /^ {4}\/\/ Check first: threads, signals /);
    assert.equal(lines.filter((line) => !line.startsWith('    // ')).join('\n'), before);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(document.getText(), before);
  },

  async 'a finding is dismissed at its line by a quick fix, and comes back from the list'() {
    await openDemo();
    const { dismissals, feature } = await features();
    const document = (await cursorOn(22)).document;
    const actions = await actionsOn(22);
    const titles = actions.map(({ title }) => title);
    for (const where of ['here', 'in this file', 'everywhere'])
      assert.ok(titles.includes(`Dismiss "Many small writes" ${where}`), titles.join('\n'));
    assert.ok(
      titles[0]!.startsWith('Insert an example: Collect'),
      `changes of the code stand first:\n${titles.join('\n')}`,
    );
    await run(actions.find(({ title }) => title.endsWith('" here')));
    await untilTrue(() => !findingLines().includes(22), 'the squiggle is gone');
    assert.deepEqual(findingLines(), [32, 35]);
    assert.ok(!feature.lines.heat.linesOf(document).some(({ line }) => line === 21), 'the heat is gone');
    await dismissals.restoreRules(dismissals.all());
    await untilTrue(() => findingLines().includes(22), 'the squiggle is back');
    assert.ok(
      feature.lines.heat.linesOf(document).some(({ line }) => line === 21),
      'the heat is back',
    );
  },

  async 'a dismissal in a file holds for all its lines, and for the next recording'() {
    await openDemo();
    await run((await actionsOn(32)).find(({ title }) => title.endsWith('in this file')));
    await untilTrue(() => findingLines().length === 1, 'both lines of the trigger are gone');
    assert.deepEqual(findingLines(), [22]);
    await openDemoAgain();
    assert.deepEqual(findingLines(), [22]);
  },

  async 'a dismissed trigger is gone everywhere, and from the palette the cursor says which'() {
    await openDemo();
    await cursorOn(22);
    await vscode.commands.executeCommand('iolens.dismissTrigger');
    await untilTrue(() => !findingLines().includes(22), 'the finding under the cursor is gone');
    const { dismissals } = await features();
    assert.deepEqual(
      dismissals.all().map(({ scope, trigger }) => `${scope} ${trigger}`),
      ['trigger posix-small-writes'],
    );
  },

  async 'of two recordings of a line the current one speaks, and the hover names the other'() {
    const first = await openDemo();
    const second = await openDemoAgain();
    const { recordings } = await features();
    assert.equal(recordings.current, second);
    assert.equal(findings().filter((finding) => lineOf(finding) === 22).length, 1);
    assert.match(await hoverText(22), /Also in \[heat\\\.strace\\\.gz\].*4,096 calls, 400 KiB/);
    await vscode.commands.executeCommand('iolens.chooseRecording', first.id);
    assert.equal(recordings.current, first);
    assert.match(await hoverText(22), /Also in \[again\\\.strace\\\.gz\]/);
    await recordings.remove(first);
    assert.equal(recordings.current, second, 'the one that is left becomes current');
    assert.deepEqual(findingLines(), [22, 32, 35]);
  },

  async 'a setting shows the findings of all open recordings, and each says whose it is'() {
    await openDemo();
    await openDemoAgain();
    const settings = vscode.workspace.getConfiguration('iolens');
    await settings.update('findingsOf', 'all', vscode.ConfigurationTarget.Global);
    const both = await until(() => {
      const here = findings().filter((finding) => lineOf(finding) === 22);
      return here.length === 2 ? here : undefined;
    }, 'two findings on the line');
    assert.deepEqual(both.map(({ message }) => /\(([^(]*)\)$/.exec(message)?.[1]).sort(), [
      'again.strace.gz',
      'heat.strace.gz',
    ]);
    const titles = (await actionsOn(22)).map(({ title }) => title);
    const examples = titles.filter((title) => title.startsWith('Insert an example: Collect'));
    assert.equal(examples.length, 2, 'each finding has its own');
  },
};
