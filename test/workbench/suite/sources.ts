/** Sources that moved: edits, files that are not at their recorded paths, files that were edited since, and what is lacking. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import {
  at,
  cursor,
  features,
  findingLines,
  findings,
  openDemo,
  openDemoAgain,
  recording,
  source,
  untilTrue,
  type Suite,
} from './host.ts';

const DEMO = [22, 32, 35];
const below = (lines: number): number[] => DEMO.map((line) => line + lines);

/** The editor in a browser saves by itself. */
async function saveByHand(): Promise<void> {
  await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Workspace);
}

async function insert(line: number, character: number, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(source, new vscode.Position(line - 1, character), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

async function findingsOn(lines: readonly number[], what: string): Promise<void> {
  const wanted = lines.join();
  await untilTrue(
    () => findingLines().join() === wanted,
    `${what}: findings on ${wanted}, not ${findingLines().join()}`,
  );
}

async function revert(): Promise<void> {
  await vscode.window.showTextDocument(source);
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

export const SOURCES: Suite = {
  async 'lines that edits moved stay moved when another recording opens, and come back with the text'() {
    await saveByHand();
    const first = await openDemo();
    await vscode.window.showTextDocument(source);
    await insert(1, 0, '// line\n'.repeat(10));
    await findingsOn(below(10), 'after the edit');
    await openDemoAgain();
    await findingsOn(below(10), 'of the second recording');
    await (await features()).recordings.choose(first);
    await findingsOn(below(10), 'of the first recording');
    await vscode.commands.executeCommand('iolens.openLine', source.fsPath, 22, first.id);
    assert.equal(cursor(), 'heat.c:32');
    await revert();
    await findingsOn(DEMO, 'after reverting');
  },

  async 'so do lines that were moved and saved'() {
    const before = readFileSync(source.fsPath);
    const { atime, mtime } = statSync(source.fsPath);
    try {
      await openDemo();
      await vscode.window.showTextDocument(source);
      await insert(1, 0, '// line\n'.repeat(10));
      await vscode.workspace.save(source);
      await openDemoAgain();
      await findingsOn(below(10), 'of the second recording');
    } finally {
      writeFileSync(source.fsPath, before);
      utimesSync(source.fsPath, atime, mtime);
      await revert();
    }
  },

  async 'Enter inside the indentation of a line takes its finding along'() {
    await saveByHand();
    await openDemo();
    await vscode.window.showTextDocument(source);
    await insert(22, 4, '\n    ');
    await findingsOn(below(1), 'after Enter');
    await vscode.commands.executeCommand('undo');
    await findingsOn(DEMO, 'after undoing');
  },

  async 'what was not saved when its editor is closed is forgotten'() {
    await saveByHand();
    await openDemo();
    await vscode.window.showTextDocument(source);
    await insert(1, 0, '// line\n');
    await findingsOn(below(1), 'after the edit');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await findingsOn(DEMO, 'after closing');
  },

  async 'a recording that is closed at once leaves nothing behind'() {
    const { recordings } = await features();
    const opened = (await recordings.add([recording.fsPath]))!;
    await recordings.remove(opened);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(findings(), []);
  },

  async 'a source that was edited after the recording is said to be, on each of its findings'() {
    const { atime, mtime } = statSync(source.fsPath);
    utimesSync(source.fsPath, atime, new Date(Date.now() + 60_000));
    try {
      await openDemo();
      for (const { message } of findings())
        assert.match(message, /\nheat\.c was edited after the recording; lines may be off\.$/);
    } finally {
      utimesSync(source.fsPath, atime, mtime);
    }
  },

  async 'a source that could be two files: one answer finds it and is remembered until it is forgotten'() {
    const other = at('other/heat.c');
    await vscode.workspace.fs.copy(source, other);
    const made = at('elsewhere.strace');
    const call = '7 1795252180.926168 write(3</scratch/out>, "x"..., 1) = 1 <0.000100>\n';
    const stack = ' > /gone/app(write_line+0x10) [0x1120] /gone/build/heat.c:22\n';
    writeFileSync(made.fsPath, (call + stack).repeat(64));
    const { recordings, feature } = await features();
    try {
      const opened = (await recordings.add([made.fsPath]))!;
      const [missing] = opened.analysis.symbols.sources;
      assert.equal(missing!.status, 'unclear');
      assert.deepEqual([...missing!.candidates].sort(), [source.fsPath, other.fsPath].sort());
      await findingsOn([], 'before the answer');
      const names = (): unknown[] =>
        feature.findings.tree
          .getChildren({ kind: 'lacks', recording: recordings.current! })
          .map((row) => row.kind === 'lack' && row.lack.name);
      assert.ok(names().includes('sources'), names().join());

      await feature.recordings.sources.learn('/gone/build/heat.c', source.fsPath);
      await findingsOn([22], 'after the answer');
      assert.ok(!names().includes('sources'), names().join());
      await recordings.remove(recordings.current!);
      await recordings.add([made.fsPath]);
      await findingsOn([22], 'of the next recording');

      await feature.recordings.sources.keep([]);
      await findingsOn([], 'after forgetting');
    } finally {
      await feature.recordings.sources.keep([]);
      await vscode.workspace.fs.delete(at('other'), { recursive: true });
    }
  },

  async 'what a recording lacks stands below its findings, with the way to get it'() {
    const bare = at('bare.strace');
    const line = '1 write(3, "x"..., 1) = 1\n';
    writeFileSync(bare.fsPath, line.repeat(64));
    const { recordings, feature } = await features();
    const opened = (await recordings.add([bare.fsPath]))!;
    const rows = feature.findings.tree.getChildren({ kind: 'recording', recording: opened });
    assert.equal(rows.at(-1)!.kind, 'lacks');
    const texts = feature.findings.tree
      .getChildren(rows.at(-1))
      .map((row) => feature.findings.tree.getTreeItem(row).tooltip as string);
    for (const option of ['-k', '-T', '-y', '-ttt'])
      assert.ok(
        texts.some((text) => text.includes(`strace ${option}`)),
        texts.join('\n'),
      );
    assert.equal((await openDemo()).info.lacks.length, 0);
  },

  async 'a program is recorded with a note of its build'() {
    const { feature } = await features();
    const program = { program: './small', args: ['noted.dat'], cwd: at().fsPath, env: {} };
    const folder = vscode.workspace.workspaceFolders![0]!;
    const made = (await feature.record.recorder.record(program, folder))!;
    const note = JSON.parse(readFileSync(`${made.paths[0]!}/recording.iolens.json`, 'utf8')) as {
      buildIds: Record<string, string>;
    };
    assert.deepEqual(Object.keys(note.buildIds), [at('small').fsPath]);
    const module = made.analysis.symbols.modules.find(({ file }) => file === at('small').fsPath)!;
    assert.equal(module.sameBuild, true);
  },
};
