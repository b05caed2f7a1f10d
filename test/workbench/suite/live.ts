/** Findings while a program still runs. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { OpenRecording } from '../../../src/features/recordings/recordings.ts';
import {
  at,
  features,
  findingLines,
  findings,
  folder,
  lineOf,
  source,
  until,
  untilTrue,
  withRecorder,
  type Suite,
} from './host.ts';

const steady = { program: './steady', args: [], cwd: folder.uri.fsPath, env: {} };
const code = at('steady.c');
const WRITE = 8;

/** What the session says of a recording is what it says of the same files opened now. */
async function assertAsOpenedNow({ id, paths }: OpenRecording): Promise<void> {
  const { recordings } = await features();
  const { session } = recordings;
  const before = await session.findings.analysis([id]);
  const sites = await session.lines.sites(id, 'line');
  const again = (await recordings.add(paths))!;
  assert.notEqual(again.id, id);
  assert.deepEqual(before, await session.findings.analysis([again.id]));
  assert.deepEqual(sites, await session.lines.sites(again.id, 'line'));
}

/** A program that runs has its squiggle already; when it ends nothing is lost. */
async function followWhileItRuns(recorder: 'preload' | 'strace'): Promise<void> {
  const { recordings, feature } = await features();
  const other = await vscode.window.showTextDocument(source);
  rmSync(at('go-on').fsPath, { force: true });
  const ending = withRecorder(recorder, () => feature.record.recorder.record(steady, folder));
  // The program waits for a file: until it is written, everything here is seen while it runs.
  await untilTrue(() => findingLines(code).includes(WRITE), 'the squiggle of the running program');
  const running = recordings.current!;
  assert.equal(running.live, true);
  assert.equal(running.info.format, recorder === 'strace' ? 'strace' : 'iolens');
  assert.match(feature.recordings.statusBar.text ?? '', /● live/);
  assert.deepEqual(running.info.damage, []);
  assert.equal(vscode.window.activeTextEditor, other, 'the focus stays where it was');
  const first = running.info.events;
  await untilTrue(() => recordings.current!.info.events > first, 'more calls of the running program');
  assert.equal(recordings.current!.id, running.id);
  writeFileSync(at('go-on').fsPath, '');
  const ended = (await ending)!;
  assert.equal(ended.id, running.id);
  assert.equal(ended.live, false);
  assert.doesNotMatch(feature.recordings.statusBar.text ?? '', /live/);
  assert.match(findings(code).find((found) => lineOf(found) === WRITE)!.message, /^800 writes of 32 B/);
  await assertAsOpenedNow(ended);
}

export const LIVE: Suite = {
  'a program that strace records has its squiggle while it runs': () => followWhileItRuns('strace'),
  'a program that records itself has its squiggle while it runs': () => followWhileItRuns('preload'),

  async 'with the setting turned off the recording opens when the program has ended'() {
    const { recordings, feature } = await features();
    const settings = vscode.workspace.getConfiguration('iolens');
    await settings.update('live', false, vscode.ConfigurationTarget.Global);
    try {
      writeFileSync(at('go-on').fsPath, '');
      let wasLive = false;
      const listening = recordings.onDidChange(() => (wasLive ||= recordings.current?.live === true));
      const ended = await withRecorder('strace', () => feature.record.recorder.record(steady, folder));
      listening.dispose();
      assert.equal(ended?.live, undefined);
      assert.equal(wasLive, false);
    } finally {
      await settings.update('live', undefined, vscode.ConfigurationTarget.Global);
    }
  },

  async 'an open recording is followed on command, until it is to stop'() {
    const { recordings } = await features();
    const growing = at('growing.strace');
    const text = readFileSync(at('heat.strace').fsPath, 'utf8');
    const half = text.indexOf('\n', text.length / 2) + 1;
    writeFileSync(growing.fsPath, text.slice(0, half));
    const opened = (await recordings.add([growing.fsPath]))!;
    await vscode.commands.executeCommand('iolens.followRecording');
    await untilTrue(() => recordings.current?.live === true, 'the recording is followed');
    appendFileSync(growing.fsPath, text.slice(half));
    const grown = await until(() => {
      const { current } = recordings;
      return current !== undefined && current.info.events > opened.info.events ? current : undefined;
    }, 'what was appended');
    assert.equal(grown.id, opened.id);
    await vscode.commands.executeCommand('iolens.stopFollowing');
    assert.equal(recordings.current!.live, false);
    await assertAsOpenedNow(recordings.current!);
    rmSync(growing.fsPath);
  },

  async 'one that is read again with other settings is followed on'() {
    const { recordings } = await features();
    const growing = at('growing.strace');
    const text = readFileSync(at('heat.strace').fsPath, 'utf8');
    const half = text.indexOf('\n', text.length / 2) + 1;
    writeFileSync(growing.fsPath, text.slice(0, half));
    await recordings.add([growing.fsPath]);
    await vscode.commands.executeCommand('iolens.followRecording');
    await untilTrue(() => recordings.current?.live === true, 'the recording is followed');
    const { id, info } = recordings.current!;
    await recordings.reopen();
    assert.notEqual(recordings.current!.id, id);
    appendFileSync(growing.fsPath, text.slice(half));
    // One call more is the last of the first half: it waited for the next one.
    const goesOn = (): boolean =>
      recordings.current!.live === true && recordings.current!.info.events > info.events + 1;
    await untilTrue(goesOn, 'what was appended');
    rmSync(growing.fsPath);
  },

  async 'one that is gone stays as it was, and is not followed'() {
    const { recordings } = await features();
    const gone = at('growing.strace');
    writeFileSync(gone.fsPath, readFileSync(at('heat.strace').fsPath));
    const opened = (await recordings.add([gone.fsPath]))!;
    await vscode.commands.executeCommand('iolens.followRecording');
    await untilTrue(() => recordings.current?.live === true, 'the recording is followed');
    rmSync(gone.fsPath);
    await vscode.commands.executeCommand('iolens.stopFollowing');
    assert.equal(recordings.current!.live, false);
    assert.equal(recordings.current!.info.events, opened.info.events);
    await vscode.commands.executeCommand('iolens.followRecording');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.equal(recordings.current!.live, false);
    assert.equal(recordings.current!.info.events, opened.info.events);
  },

  async 'one that is closed while it is followed stays closed'() {
    const { recordings } = await features();
    const growing = at('growing.strace');
    writeFileSync(growing.fsPath, readFileSync(at('heat.strace').fsPath));
    await recordings.add([growing.fsPath]);
    await vscode.commands.executeCommand('iolens.followRecording');
    await untilTrue(() => recordings.current?.live === true, 'the recording is followed');
    await recordings.remove(recordings.current!);
    appendFileSync(
      growing.fsPath,
      '99 1795252999.1 close(3) = 0 <0.000001>\n99 1795252999.2 close(4) = 0 <0.000001>\n',
    );
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal(recordings.all().length, 0);
    rmSync(growing.fsPath);
  },
};
