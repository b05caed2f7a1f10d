/** Recording with the recorder library and with real strace: from the command, from tasks.json, from launch.json. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { at, features, findings, folder, until, untilTrue, withRecorder, type Suite } from './host.ts';

const small = { program: './small', args: ['small.dat'], cwd: folder.uri.fsPath, env: {} };

async function recordTasks(): Promise<vscode.Task[]> {
  return vscode.tasks.fetchTasks({ type: 'iolens.record' });
}

function writeConfiguration(name: string, content: object): void {
  mkdirSync(at('.vscode').fsPath, { recursive: true });
  writeFileSync(at('.vscode', name).fsPath, JSON.stringify(content));
}

export const RECORDING: Suite = {
  async 'a program is recorded with real strace and opened'() {
    const { feature } = await features();
    const opened = (await withRecorder('strace', () => feature.record.recorder.record(small, folder)))!;
    assert.equal(path.basename(opened.paths[0]!), 'small.strace');
    const writes = opened.analysis.insights.find(({ trigger }) => trigger === 'posix-small-writes')!;
    assert.equal(writes.evidence['count'], 500);
    assert.equal(writes.sites[0]!.line, 11);
    await untilTrue(() => findings(at('small.c')).length > 0, 'squiggles in small.c');
  },

  async 'a program is recorded by the library, which is compiled at its first use, and opened'() {
    const { feature } = await features();
    const opened = (await feature.record.recorder.record(small, folder))!;
    assert.equal(path.basename(opened.paths[0]!), 'small.iolens');
    assert.notEqual(opened.live, true, 'the program has ended');
    const writes = opened.analysis.insights.find(({ trigger }) => trigger === 'posix-small-writes')!;
    assert.equal(writes.evidence['count'], 500);
    assert.equal(writes.sites[0]!.line, 11);
    const names = readdirSync(opened.paths[0]!);
    assert.ok(names.includes('recording.iolens.json'), names.join(', '));
    await untilTrue(() => findings(at('small.c')).length > 0, 'squiggles in small.c');
  },

  async 'a program that is not there is said to be none'() {
    const { recordings, feature } = await features();
    assert.equal(await feature.record.recorder.record({ ...small, program: './absent' }, folder), undefined);
    assert.equal(recordings.all().length, 0);
  },

  async 'a task of tasks.json records, and its recording opens'() {
    const { recordings } = await features();
    const task = {
      label: 'record small',
      type: 'iolens.record',
      program: '${workspaceFolder}/small',
      args: ['made by task.dat'],
      output: '${workspaceFolder}/task.strace',
      env: { GREETING: 'hello' },
    };
    writeConfiguration('tasks.json', { version: '2.0.0', tasks: [task] });
    try {
      const found = await until(
        async () => (await recordTasks()).find(({ name }) => name === 'record small'),
        'the task of tasks.json',
      );
      await vscode.tasks.executeTask(found);
      const isEnded = (): boolean => recordings.current?.name === 'task.strace' && recordings.current.live !== true;
      await untilTrue(isEnded, 'the recording of the task, read to its end');
      assert.ok(recordings.current!.sites.some(({ line, events }) => line === 11 && events === 500));
      await vscode.workspace.fs.stat(at('made by task.dat'));
    } finally {
      rmSync(at('.vscode', 'tasks.json').fsPath);
    }
  },

  async 'tasks that are only offered compile nothing; the one that runs does'() {
    const { recordings } = await features();
    const before = recordings.current;
    const mark = at('compiled').fsPath;
    const compiler = at('slow-cc').fsPath;
    writeFileSync(compiler, `#!/bin/sh\ntouch '${mark}'\nexec cc "$@"\n`, { mode: 0o755 });
    const settings = vscode.workspace.getConfiguration('iolens');
    await settings.update('record.compiler', compiler, vscode.ConfigurationTarget.Global);
    const small = { name: 'Later', type: 'cppdbg', request: 'launch', program: '${workspaceFolder}/small' };
    writeConfiguration('launch.json', { version: '0.2.0', configurations: [{ ...small, args: ['later.dat'] }] });
    try {
      const offered = await until(
        async () => (await recordTasks()).find(({ name }) => name === 'Later'),
        'the task of the launch configuration',
      );
      assert.ok(!existsSync(mark), 'a list of tasks compiled the library');
      await vscode.tasks.executeTask(offered);
      await untilTrue(() => existsSync(mark), 'the library being compiled');
      await untilTrue(() => existsSync(at('later.dat').fsPath), 'the program');
      const isRead = ({ current } = recordings): boolean =>
        current !== undefined && current !== before && current.live !== true;
      await untilTrue(isRead, 'its recording, read to its end');
      assert.ok(recordings.current!.sites.some(({ line }) => line === 11));
    } finally {
      await settings.update('record.compiler', undefined, vscode.ConfigurationTarget.Global);
      rmSync(at('.vscode', 'launch.json').fsPath);
    }
  },

  async 'strace records where the library cannot be had'() {
    const { feature } = await features();
    const settings = vscode.workspace.getConfiguration('iolens');
    await settings.update('record.compiler', '/absent/cc', vscode.ConfigurationTarget.Global);
    try {
      const opened = (await feature.record.recorder.record(small, folder))!;
      assert.match(opened.paths[0]!, /small(-\d)?\.strace$/);
    } finally {
      await settings.update('record.compiler', undefined, vscode.ConfigurationTarget.Global);
    }
  },

  async 'launch configurations are offered as tasks and recorded by name'() {
    const { recordings } = await features();
    const configurations = [
      { name: 'Small', type: 'cppdbg', request: 'launch', program: '${workspaceFolder}/small', args: ['a.dat'] },
      { name: 'Asks', type: 'lldb', request: 'launch', program: '${workspaceFolder}/${input:which}' },
      { name: 'Attach', type: 'cppdbg', request: 'attach', program: '${workspaceFolder}/small' },
      { name: 'Page', type: 'chrome', request: 'launch', url: 'http://localhost' },
    ];
    writeConfiguration('launch.json', { version: '0.2.0', configurations });
    try {
      const names = await until(async () => {
        const names = (await recordTasks()).map(({ name }) => name);
        return names.includes('Small') ? names : undefined;
      }, 'tasks of the launch configurations');
      for (const other of ['Asks', 'Attach', 'Page']) assert.ok(!names.includes(other), names.join(', '));
      await vscode.commands.executeCommand('iolens.recordLaunch', 'Small');
      assert.match(recordings.current!.name, /^small-\d\.iolens$/, 'no recording was written over');
      await vscode.workspace.fs.stat(at('a.dat'));
      const before = recordings.all().length;
      // What only the debugger can resolve is said, and nothing runs.
      await vscode.commands.executeCommand('iolens.recordLaunch', 'Asks');
      assert.equal(recordings.all().length, before);
    } finally {
      rmSync(at('.vscode', 'launch.json').fsPath);
    }
  },
};
