// Recordings name files as they like: what they name must not make the editor ask anybody for anything.
import { beforeEach, expect, test, vi } from 'vitest';
import { allowBeside, editorFileSystem } from '../../src/features/editor/editor-file-system.ts';
import { pathOf, uriOf } from '../../src/features/editor/locations.ts';

const asked: string[] = [];
const folders = [{ uri: { scheme: 'vscode-vfs', authority: 'github', path: '/me/app', fsPath: '' } }];

vi.mock('vscode', () => {
  interface Parts {
    readonly scheme: string;
    readonly authority: string;
    readonly path: string;
  }
  const make = (parts: Parts): Parts & { fsPath: string } => ({ ...parts, fsPath: parts.path });
  const ask = ({ scheme, authority, path }: Parts): Promise<unknown> => {
    asked.push(`${scheme}://${authority}${path}`);
    return Promise.resolve({ type: 1, size: 5, mtime: 2000 });
  };
  return {
    Uri: { from: make, file: (path: string) => make({ scheme: 'file', authority: '', path }) },
    FileType: { File: 1, Directory: 2, SymbolicLink: 64 },
    FileSystemError: class extends Error {},
    workspace: {
      get workspaceFolders() {
        return folders;
      },
      fs: { stat: ask, isWritableFileSystem: () => undefined },
    },
  };
});

const extension = uriOf('https://cdn.example/iolens');
beforeEach(() => {
  asked.length = 0;
});

test('files of the workspace, of the extension and beside an opened recording are asked for', async () => {
  const files = editorFileSystem(extension);
  allowBeside(['memfs:///tmp/run/a.strace']);
  const wanted = [
    'vscode-vfs://github/me/app/src/a%20b?.c',
    'https://cdn.example/iolens/demo/heat/heat.c',
    'memfs:///tmp/run/a.strace.iolens.json',
  ];
  for (const location of wanted)
    expect(await files.status(location)).toEqual({ kind: 'file', size: 5, modified: 2, identity: 'unknown' });
  expect(asked).toEqual(wanted);
});

test.each([
  'https://elsewhere.example/track.c',
  'vscode-vfs://github/other/repository/x.c',
  'vscode-vfs://github/me/app-of-somebody/x.c',
  'vscode-vfs://github/me/app/../../other/x.c',
  'memfs:///tmp/x.c',
  '/home/me/x.c',
])('%s is not', async (location) => {
  await expect(editorFileSystem(extension).status(location)).rejects.toThrow(/neither in the workspace/);
  expect(asked).toEqual([]);
});

test('a path leads to its file and back', () => {
  for (const path of ['/home/me/a b#c?.strace', 'memfs:///x/%41#.c', 'vscode-vfs://github+7b/me/ü.c', 'a://x/y'])
    expect(pathOf(uriOf(path))).toBe(path);
  expect(uriOf('/c://x').scheme).toBe('file');
});
