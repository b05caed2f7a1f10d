/** Recording with the recorder library and with real strace: from the command, from tasks.json, from launch.json. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { runFigures } from '../../../src/export/analysis/run-figures.ts';
import {
  at,
  closeAll,
  cursor,
  features,
  findings,
  folder,
  until,
  untilTrue,
  withRecorder,
  type Suite,
} from './host.ts';

const small = { program: './small', args: ['small.dat'], cwd: folder.uri.fsPath, env: {} };

/** Where a recording goes that was given no name. */
const named = (program: string, ending: string): RegExp =>
  new RegExp(`/\\.iolens/recordings/${program}-\\d{4}-\\d\\d-\\d\\d-\\d{6}(-\\d)?\\.${ending}$`);

async function recordTasks(): Promise<vscode.Task[]> {
  return vscode.tasks.fetchTasks({ type: 'iolens.record' });
}

function writeConfiguration(name: string, content: object): void {
  mkdirSync(at('.vscode').fsPath, { recursive: true });
  writeFileSync(at('.vscode', name).fsPath, JSON.stringify(content));
}

/** A task that is run from memory has the name of the first time: what that recorded stays. */
async function runAgain(task: string): Promise<void> {
  const { feature } = await features();
  const outputs: string[] = [];
  for (let run = 0; run < 2; run++) {
    const recorded = new Promise<string>((resolve) => {
      const told = feature.record.recorder.onDidRecord(({ recording }) => {
        told.dispose();
        resolve(recording.paths[0]!);
      });
    });
    // As a person does it: a task that an extension fetches and executes is asked for anew, which tells another story.
    if (run === 0) await vscode.commands.executeCommand('workbench.action.tasks.runTask', task);
    else await vscode.commands.executeCommand('workbench.action.tasks.reRunTask');
    outputs.push(await recorded);
  }
  assert.equal(outputs[0], outputs[1], 'the same task, the same name');
  for (const kept of [outputs[1]!, outputs[1]!.replace(/\.iolens$/, '-2.iolens')])
    assert.ok(
      readdirSync(kept).some((name) => name.endsWith('.iorec')),
      kept,
    );
}

export const RECORDING: Suite = {
  async 'a program is recorded with real strace and opened'() {
    const { feature } = await features();
    const opened = (await withRecorder('strace', () => feature.record.recorder.record(small, folder)))!;
    assert.match(opened.paths[0]!, named('small', 'strace'));
    const writes = opened.analysis.insights.find(({ trigger }) => trigger === 'posix-small-writes')!;
    assert.equal(writes.evidence['count'], 500);
    assert.equal(writes.sites[0]!.line, 11);
    await untilTrue(() => findings(at('small.c')).length > 0, 'squiggles in small.c');
  },

  async 'a program is recorded by the library, which is compiled at its first use, and opened'() {
    const { feature } = await features();
    const opened = (await feature.record.recorder.record(small, folder))!;
    assert.match(opened.paths[0]!, named('small', 'iolens'));
    assert.match(opened.name, /^small \d\d-\d\d \d\d:\d\d:\d\d$/, 'without its folder');
    assert.equal(readFileSync(at('.iolens', 'recordings', '.gitignore').fsPath, 'utf8'), '*\n');
    assert.notEqual(opened.live, true, 'the program has ended');
    const writes = opened.analysis.insights.find(({ trigger }) => trigger === 'posix-small-writes')!;
    assert.equal(writes.evidence['count'], 500);
    assert.equal(writes.sites[0]!.line, 11);
    const names = readdirSync(opened.paths[0]!);
    assert.ok(names.includes('recording.iolens.json'), names.join(', '));
    await untilTrue(() => findings(at('small.c')).length > 0, 'squiggles in small.c');
  },

  async 'a recording that ends says what it shows, and leads on'() {
    const { recordings, feature } = await features();
    const first = (await feature.record.recorder.record(small, folder))!;
    const opened = (await feature.record.recorder.record(small, folder))!;
    const told = feature.record.told!;
    assert.match(told.text, /^small: /);
    const figures = runFigures(opened.analysis.run!)!;
    assert.ok(told.text.includes(figures.length), `${told.text} has ${figures.length}`);
    const titles = told.next.map(({ title }) => title);
    assert.deepEqual(titles, ['Worst Line', 'Compare', 'Summary', 'Timeline']);
    await told.next[0]!.go();
    assert.match(cursor(), /^small\.c:\d+$/);
    await told.next[1]!.go();
    const { comparison } = await features();
    const { base, new: changed } = await until(() => comparison.current, 'the comparison');
    assert.deepEqual([base[0], changed[0]], [first, recordings.current]);
    const rows = feature.findings.tree.getChildren();
    assert.ok(rows[0]!.kind === 'recording' && rows[0]!.recording.id === opened.id, 'the new one stands on top');
  },

  async 'a line with redirections runs in a shell, which is recorded with what it starts'() {
    const { feature } = await features();
    const line = { program: '/bin/sh', args: ['-c', './small shell.dat > said.txt && echo over'], name: './small' };
    const opened = (await feature.record.recorder.record({ ...small, ...line }, folder))!;
    assert.match(opened.paths[0]!, named('small', 'iolens'));
    assert.ok(opened.sites.some(({ line, events }) => line === 11 && events === 500));
    assert.ok(existsSync(at('said.txt').fsPath));
  },

  async 'recordings of the workspace are listed, compared, renamed and deleted'() {
    const { recordings, comparison, feature } = await features();
    const { recent } = feature.recordings;
    await feature.record.recorder.record(small, folder);
    await withRecorder('strace', () => feature.record.recorder.record(small, folder));
    await closeAll();
    const all = await recent.list();
    const [last, before] = all;
    assert.equal(last!.ending, '.strace');
    assert.deepEqual(recent.before(last!, all), before);
    assert.ok(recent.newest(all).length <= 10);
    await recent.compare(before!, last!);
    await until(() => comparison.current, 'the comparison');
    await recent.rename(last!, 'kept');
    assert.equal(recordings.current?.name, 'kept.strace', 'it is open under its new name');
    assert.ok(existsSync(at('.iolens', 'recordings', 'kept.strace.iolens.json').fsPath), 'with what lies beside it');
    const kept = (await recent.list()).find(({ name }) => name === 'kept')!;
    await recent.remove(kept);
    assert.equal(recordings.withPaths([kept.uri.fsPath]), undefined);
    const left = readdirSync(at('.iolens', 'recordings').fsPath);
    assert.ok(!left.some((name) => name.startsWith('kept')), left.join(', '));
  },

  async 'a program that runs is stopped, and what it did is there'() {
    const { recordings, feature } = await features();
    rmSync(at('go-on').fsPath, { force: true });
    const steady = { program: './steady', args: [], cwd: folder.uri.fsPath, env: {} };
    const ending = feature.record.recorder.record(steady, folder);
    await untilTrue(() => recordings.current?.live === true, 'the running program');
    await vscode.commands.executeCommand('iolens.stopProgram');
    const ended = (await ending)!;
    assert.notEqual(ended.live, true);
    assert.ok(ended.info.events > 400);
    assert.match(feature.record.told!.text, /Ended early: .*killed/);
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
      assert.match(opened.paths[0]!, named('small', 'strace'));
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
      assert.match(recordings.current!.paths[0]!, named('small', 'iolens'));
      await vscode.workspace.fs.stat(at('a.dat'));
      await runAgain('I/O Lens: Small');
      const before = recordings.all().length;
      // What only the debugger can resolve is said, and nothing runs.
      await vscode.commands.executeCommand('iolens.recordLaunch', 'Asks');
      assert.equal(recordings.all().length, before);
    } finally {
      rmSync(at('.vscode', 'launch.json').fsPath);
    }
  },
};
