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
};
