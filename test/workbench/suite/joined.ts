/** Recordings of one run by several tools, shown as one. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { at, features, folder, type Suite } from './host.ts';

/** A recording of three calls that began at a second of the clock. */
function write(name: string, pid: number, second: number): vscode.Uri {
  const calls = [
    `${pid} ${second}.000100 openat(AT_FDCWD, "/w/a", O_WRONLY|O_CREAT, 0644) = 3</w/a> <0.000020>`,
    `${pid} ${second}.000200 write(3</w/a>, "x"..., 100) = 100 <0.000030>`,
    `${pid} ${second}.000300 close(3</w/a>) = 0 <0.000010>`,
  ];
  const file = at(name);
  writeFileSync(file.fsPath, `${calls.join('\n')}\n`);
  return file;
}

export const JOINED: Suite = {
  async 'a recording that is added is read with the first one, until it is separated'() {
    const { recordings } = await features();
    const first = write('first.strace', 7, 1_700_000_000);
    const other = write('other.strace', 8, 1_700_000_002);
    await recordings.add([first.fsPath]);
    await vscode.commands.executeCommand('iolens.addRecording', undefined, other);
    assert.equal(recordings.all().length, 1);
    assert.equal(recordings.current!.info.events, 6);
    assert.equal(recordings.current!.info.sources![1]!.offsetNs, 2e9);
    // Opened again it is what it was.
    await recordings.remove(recordings.current!);
    await recordings.add([first.fsPath]);
    assert.equal(recordings.current!.info.events, 6);
    await vscode.commands.executeCommand('iolens.separateRecordings');
    assert.equal(recordings.current!.info.events, 3);
    assert.equal(recordings.current!.info.sources, undefined);
  },

  async 'what cannot be added leaves the recording as it was'() {
    const { recordings } = await features();
    const first = write('alone.strace', 7, 1_700_000_000);
    await recordings.add([first.fsPath]);
    await vscode.commands.executeCommand('iolens.addRecording', undefined, vscode.Uri.joinPath(folder.uri, 'absent'));
    assert.equal(recordings.current!.info.events, 3);
    await recordings.add([first.fsPath]);
    assert.equal(recordings.current!.info.events, 3);
  },
};
