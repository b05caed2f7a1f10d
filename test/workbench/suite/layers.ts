/** Patterns across layers: at the line of the upper call, with a picture in the hover and in a panel. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { at, features, findings, hoverText, lineOf, untilTrue, webviewTabs, type Suite } from './host.ts';

const source = at('latecomer.c');

async function openArchive(): Promise<void> {
  const { recordings } = await features();
  await recordings.add([at('latecomer').fsPath]);
  await untilTrue(() => findings(source).length > 0, 'findings of the archive');
}

const pictureTab = (): vscode.Tab | undefined => webviewTabs('iolens.picture')[0];

export const LAYERS: Suite = {
  async 'who waits for the latecomer stands at the collective call; what is good makes no squiggle'() {
    await openArchive();
    const text = (await vscode.workspace.openTextDocument(source)).getText().split('\n');
    const line = text.findIndex((each) => each.includes('FINDING waits')) + 1;
    const here = findings(source).filter((diagnostic) => lineOf(diagnostic) === line);
    assert.ok(here.some(({ code, message }) => code === 'L24' && message.includes('is last')));
    assert.ok(!findings(source).some(({ code }) => code === 'L23'));
    const hover = await hoverText(line, source);
    assert.ok(hover.includes('L23') && hover.includes('L24'), hover);
    assert.match(hover, /!\[[^\]]+\]\(data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+\|width=520\)/);
    assert.ok(hover.includes('command:iolens.showPicture'));
  },

  async 'the picture of a finding opens in one panel, from a hover or a row'() {
    await openArchive();
    const { recordings } = await features();
    const { id, analysis } = recordings.current!;
    await vscode.commands.executeCommand('iolens.showPicture', { recording: id, code: 'L24' });
    await untilTrue(() => pictureTab()?.label === 'Picture of L24', 'the picture of the waits');
    const insight = analysis.insights.find(({ code }) => code === 'L23');
    await vscode.commands.executeCommand('iolens.showPicture', { kind: 'insight', insight });
    await untilTrue(() => pictureTab()?.label === 'Picture of L23', 'the picture of the aggregators');
  },
};
