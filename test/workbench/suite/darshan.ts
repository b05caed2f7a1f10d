/** A Darshan log with call stacks: what it shows of a job stands on the lines of the source. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { at, features, findingLines, findings, hoverText, lineOf, untilTrue, type Suite } from './host.ts';

const source = at('badmpi.c');

async function openLog(): Promise<void> {
  await vscode.commands.executeCommand('iolens.openRecording', at('badmpi_4ranks.darshan'));
  await untilTrue(() => findings(source).length > 0, 'findings of the Darshan log');
}

export const DARSHAN: Suite = {
  async 'a Darshan log with stacks puts squiggles on the lines that are marked as bad'() {
    await openLog();
    const text = (await vscode.workspace.openTextDocument(source)).getText().split('\n');
    const bad = text.flatMap((line, i) => (line.includes('/* BAD:') ? [i + 1] : []));
    assert.deepEqual(findingLines(source), bad);
    const codesAt = (line: number): unknown[] =>
      findings(source)
        .filter((diagnostic) => lineOf(diagnostic) === line)
        .map(({ code }) => code);
    assert.ok(codesAt(21).includes('M03'), 'independent writes');
    assert.ok(codesAt(31).includes('M02'), 'independent reads');
    assert.ok(codesAt(44).includes('P10'), 'a header that is written again and again');
    assert.ok(codesAt(58).includes('P18'), 'unequal writes');
  },

  async 'its findings name ranks, and say which binary gave the lines'() {
    await openLog();
    const balance = findings(source).find(({ code }) => code === 'P18')!;
    assert.match(balance.message, /Here: rank 3: 2\.5 MiB; ranks 0-2: 64 KiB each\.$/);
    const hover = await hoverText(21, source);
    assert.ok(hover.includes('ranks 0-3'), hover);
    const { analysis } = (await features()).recordings.current!;
    assert.deepEqual(
      analysis.symbols.modules.map(({ status, file }) => [status, file]),
      [['lines', at('badmpi').fsPath]],
    );
  },

  async 'offsets over time of a file, chosen in the tree or by the selection'() {
    await openLog();
    const all = await features();
    const [recording] = all.recordings.all().slice(-1);
    const { files } = await all.recordings.session.files.list(recording!.id, 'bytes', 5);
    const file = files.find(({ path }) => path.endsWith('shared.dat'))!;
    await vscode.commands.executeCommand('iolens.showOffsets', { kind: 'file', recording, file });
    await untilTrue(() => all.feature.offsets.shown?.accesses === 43, 'the 43 accesses of the file');
    all.selection.select({ kind: 'file', path: file.path.replace('shared', 'header') }, 'files');
    await untilTrue(() => all.feature.offsets.shown?.accesses === 300, 'those of the file that was selected');
    all.selection.clear();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  },
};
