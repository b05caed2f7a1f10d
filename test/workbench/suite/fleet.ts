/** A store of many logs: taking recordings in, its editor, and the root causes of one of its jobs. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { at, features, until, untilTrue, type Suite } from './host.ts';

const logs = at('logs');
const store = at('store');

export const FLEET: Suite = {
  async 'a folder is taken into a store by a task, and the store opens with its answers'() {
    const all = await features();
    const tasks: string[] = [];
    const listening = vscode.tasks.onDidStartTask(({ execution }) => tasks.push(execution.task.definition.type));
    await all.feature.store.ingest(logs, [logs], store);
    listening.dispose();
    assert.deepEqual(tasks, ['iolens.ingest']);
    const drawn = (part: string): number | undefined => all.feature.store.shownOf(store)?.drawn.get(part);
    await untilTrue(() => drawn('question:top-read-applications') !== undefined, 'the first answer of the dashboard');
    const { summary } = all.feature.store.shownOf(store)!;
    assert.equal(summary.tables.find(({ table }) => table === 'job')?.rows, 2);
    assert.ok(drawn('question:top-read-applications')! > 0);
  },

  async 'a job of the store leads to its recording and to its root causes'() {
    await vscode.commands.executeCommand('iolens.openStore', store);
    const all = await features();
    const { summary } = await until(() => all.feature.store.shownOf(store), 'the store, opened from its folder');
    const { fleet } = all.recordings.session;
    const { rows, columns } = await fleet.query(summary.id, "SELECT log FROM job WHERE application = 'badmpi'", 10);
    assert.deepEqual([rows.length, columns.map(({ name }) => name)], [2, ['log']]);
    const { job, recording } = await fleet.job(summary.id, String(rows[0]![0]));
    assert.equal(job['processes'], 4);
    await vscode.commands.executeCommand('iolens.openRecording', vscode.Uri.file(recording!));
    assert.equal(all.recordings.current?.info.format, 'darshan');
    await vscode.commands.executeCommand('iolens.showCauses');
    assert.ok((await until(() => all.feature.causes.shown, 'the root causes')) > 0);
  },

  async 'a folder that is no store is said to be none'() {
    const all = await features();
    let isSaid = false;
    const said = all.feature.store.open(at('.vscode')).then(() => {
      isSaid = true;
    });
    // The question is answered by nobody: it is taken away, whenever it comes, and nothing opens.
    await untilTrue(() => {
      void vscode.commands.executeCommand('notifications.clearAll');
      return isSaid;
    }, 'the question is gone');
    await said;
    assert.equal(all.feature.store.shownOf(at('.vscode')), undefined);
  },
};
