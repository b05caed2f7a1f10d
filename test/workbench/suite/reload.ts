/** What was open comes back after a reload of the window, as far as that can be seen without one. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { KeptOpen } from '../../../src/features/recordings/kept-open.ts';
import { OPEN_STATE, type OpenState } from '../../../src/features/recordings/open-state.ts';
import { at, closeAll, features, openDemo, until, untilTrue, type Suite } from './host.ts';

const later = at('heat-fixed.strace.gz').fsPath;

/** What the extension does when it is loaded, in a window where `state` was kept. */
async function reload(state: OpenState): Promise<void> {
  const all = await features();
  await closeAll();
  await untilTrue(() => all.state.get(OPEN_STATE) === undefined, 'nothing being kept of nothing');
  const given = { ...all.state, get: () => state, update: () => Promise.resolve() } as unknown as vscode.Memento;
  const again = new KeptOpen({ ...all, state: given });
  await again.restored;
  again.dispose();
}

const names = (recordings: readonly { readonly name: string }[]): string[] => recordings.map(({ name }) => name);

export const RELOAD: Suite = {
  async 'recordings, the current one and the comparison come back; what is gone is left out'() {
    const all = await features();
    const { recordings, comparison } = all;
    const first = await openDemo();
    await recordings.add([later]);
    await vscode.commands.executeCommand('iolens.compareRecordings');
    await until(() => comparison.current, 'the comparison');
    await recordings.choose(first);
    const kept = (): OpenState | undefined => all.state.get(OPEN_STATE);
    await untilTrue(() => kept()?.comparison !== undefined && kept()?.current?.[0] === first.paths[0], 'what is kept');
    const state = kept()!;
    await reload({ ...state, recordings: [{ paths: [at('gone.strace').fsPath] }, ...state.recordings] });
    assert.deepEqual(names(recordings.all()), ['heat.strace.gz', 'heat-fixed.strace.gz']);
    assert.equal(recordings.current?.name, 'heat.strace.gz');
    assert.deepEqual(names(comparison.current!.new), ['heat-fixed.strace.gz']);
  },

  async 'what comes back is not current, and a choice that was made meanwhile stays'() {
    const { recordings } = await features();
    const first = await openDemo();
    const second = await recordings.bringBack([later]);
    assert.equal(recordings.current, first);
    await recordings.chooseAgain([later]);
    assert.equal(recordings.current, first, 'the user opened it');
    assert.equal(await recordings.bringBack([later]), second);
    assert.equal(await recordings.bringBack([at('gone.strace').fsPath]), undefined);
  },

  async 'a report that comes back opens its log beside the current recording'() {
    const all = await features();
    const first = await openDemo();
    const log = at('badmpi_4ranks.darshan');
    const panel = vscode.window.createWebviewPanel('iolens.report', 'log', vscode.ViewColumn.Two);
    all.contributions.show('iolens.report', log, panel, true);
    await until(() => all.feature.report.shownOf(log), 'the report');
    assert.equal(all.recordings.current, first);
    panel.dispose();
    await untilTrue(() => all.recordings.all().length === 1, 'the log goes with its report');
  },
};
