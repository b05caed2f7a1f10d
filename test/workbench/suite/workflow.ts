/** The folder of a workflow: its view, and the recordings behind its steps. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openStepRecording } from '../../../src/features/workflow/step-recording.ts';
import { at, features, until, untilTrue, type Suite } from './host.ts';

const folder = at('workflow');

export const WORKFLOW: Suite = {
  async 'a folder of jobs is drawn as a workflow, with the dependency that the scheduler did not know'() {
    await vscode.commands.executeCommand('iolens.openWorkflow', folder);
    const all = await features();
    const shown = (): ReturnType<typeof all.feature.workflow.shown> => all.feature.workflow.shown(folder.fsPath);
    await untilTrue(() => shown().drawn !== undefined, 'the workflow on the screen');
    assert.deepEqual([shown().drawn?.jobs, shown().drawn?.mode], [5, 'dependency']);
    const { jobs, dependencies } = shown().document!;
    const between = dependencies.filter(({ from, to }) => jobs[from]!.id === '43' && jobs[to]!.id === '45');
    assert.deepEqual(
      between.map(({ kind }) => kind),
      ['data'],
    );
    const { recording } = jobs[3]!.steps[1]!;
    await openStepRecording(all.recordings, recording, 'findings');
    assert.equal(all.recordings.current?.info.format, 'otf2');
    assert.deepEqual(all.recordings.current.paths, recording);
    await vscode.commands.executeCommand('iolens.openWorkflow', folder);
    await untilTrue(() => shown().drawn !== undefined, 'the same panel, read anew');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await untilTrue(() => shown().document === undefined, 'the panel is gone');
  },

  async 'of a folder without jobs the view says so'() {
    const empty = at('.vscode');
    await vscode.commands.executeCommand('iolens.openWorkflow', empty);
    const all = await features();
    const failure = await until(
      () => all.feature.workflow.shown(empty.fsPath).failure,
      'a word about the empty folder',
    );
    assert.match(failure, /\.vscode/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  },
};
