/** The timeline: it opens, is drawn, follows the selection, and goes with its recording. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { cursorOn, features, openDemo, source, until, untilTrue, webviewTabs, type Suite } from './host.ts';

const timelineTabs = (): number => webviewTabs('iolens.timeline').length;

export const TIMELINE: Suite = {
  async 'the timeline is drawn, moves between columns, and closes with its recording'() {
    await openDemo();
    await vscode.commands.executeCommand('iolens.showTimeline');
    const all = await features();
    const shown = await until(() => all.feature.timeline.shown, 'a timeline on the screen');
    assert.ok(shown.rows >= 1);
    assert.ok(shown.firstPaintMs! > 0);
    assert.equal(timelineTabs(), 1);
    await vscode.commands.executeCommand('iolens.showTimeline');
    assert.equal(timelineTabs(), 1, 'there is one at a time');
    await vscode.commands.executeCommand('iolens.closeRecording');
    await untilTrue(() => timelineTabs() === 0, 'the timeline is closed');
    assert.equal(all.feature.timeline.shown, undefined);
  },

  async 'a source line is shown among all others: it is selected'() {
    await openDemo();
    await cursorOn(22);
    await vscode.commands.executeCommand('iolens.showInTimeline');
    const all = await features();
    await until(() => all.feature.timeline.shown, 'a timeline on the screen');
    assert.deepEqual(all.selection.current, [{ kind: 'line', file: source.fsPath, line: 22 }]);
    all.selection.clear();
  },
};
