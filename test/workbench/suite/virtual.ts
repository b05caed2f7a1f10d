/** Recordings of a file system that lives in the editor, such as that of a virtual workspace. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { VirtualFiles } from '../virtual-files.ts';
import { at, cursor, features, findingLines, recording, source, until, untilTrue, type Suite } from './host.ts';

const SCHEME = 'iolens-memory';
const virtual = (name: string): vscode.Uri => vscode.Uri.from({ scheme: SCHEME, path: `/runs/${name}` });

/** Opens copies of files there, while `look` is under way. */
async function withVirtualFiles(files: readonly vscode.Uri[], look: () => Promise<void>): Promise<void> {
  const contents = new Map<string, Uint8Array>();
  for (const uri of files)
    contents.set(virtual(uri.path.split('/').at(-1)!).path, await vscode.workspace.fs.readFile(uri));
  const registration = vscode.workspace.registerFileSystemProvider(SCHEME, new VirtualFiles(contents));
  try {
    await look();
  } finally {
    registration.dispose();
  }
}

export const VIRTUAL: Suite = {
  async 'a recording of a virtual file system opens, with lines of sources that are here'() {
    await withVirtualFiles([recording], async () => {
      await vscode.commands.executeCommand('iolens.openRecording', virtual('heat.strace.gz'));
      const { current } = (await features()).recordings;
      assert.deepEqual(current?.paths, [`${SCHEME}:///runs/heat.strace.gz`]);
      assert.ok(findingLines(source).includes(22));
      await untilTrue(() => cursor() === 'heat.c:22', 'the costliest line in the editor');
    });
  },
  async 'a Darshan log of a virtual file system opens as a report'() {
    await withVirtualFiles([at('badmpi_4ranks.darshan')], async () => {
      const log = virtual('badmpi_4ranks.darshan');
      await vscode.commands.executeCommand('vscode.open', log);
      const { feature } = await features();
      const shown = await until(() => feature.report.shownOf(log) ?? feature.report.failureOf(log), 'the report');
      assert.equal(typeof shown, 'object', JSON.stringify(shown));
    });
  },
};
