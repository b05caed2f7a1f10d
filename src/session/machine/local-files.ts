import { addToGroup } from '../../base/grouping.ts';
import { machine } from '#machine';
import { isLocation } from './editor-files.ts';
import { isSourceName } from '../sources/source-names.ts';
import type { SourceTree } from '../../symbols/source-locator.ts';
import type { SymbolFiles } from '../../symbols/symbol-files.ts';
import type { ByteSource } from '../../trace/byte-source.ts';

/** Binaries and debug files of this machine. */
export const localSymbolFiles: SymbolFiles = {
  async open(file: string): Promise<ByteSource | undefined> {
    return machine.files.open(file).catch(() => undefined);
  },
  async modified(file: string): Promise<number | undefined> {
    return machine.files.status(file).then(
      ({ modified }) => modified,
      () => undefined,
    );
  },
};

const NOT_SOURCE = new Set(['node_modules', '.git', '.hg', '.svn', '.cache', '__pycache__', '.venv']);
const MOST_FOLDERS = 20_000;
/** Of an editor's file system, which may be far away. */
const MOST_FAR_FOLDERS = 1_000;

/** The source files of the workspace's folders, listed when a recorded path is first looked for by its name. */
export class WorkspaceSources implements SourceTree {
  private byName: Promise<Map<string, string[]>> | undefined;
  private readonly roots: readonly string[];

  constructor(folders: readonly string[]) {
    this.roots = folders.map((folder) => machine.files.absolute(folder));
  }

  async exists(file: string): Promise<boolean> {
    return machine.files.isReadable(file);
  }

  contains(file: string): boolean {
    return this.roots.some((root) => file.startsWith(root.endsWith('/') ? root : `${root}/`));
  }

  async named(name: string): Promise<readonly string[]> {
    this.byName ??= this.list();
    return (await this.byName).get(name) ?? [];
  }

  private async list(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    const waiting = [...this.roots];
    const most = waiting.some(isLocation) ? MOST_FAR_FOLDERS : MOST_FOLDERS;
    for (let folders = 0; folders < most; folders++) {
      const folder = waiting.pop();
      if (folder === undefined) break;
      const entries = await machine.files.list(folder).catch(() => []);
      for (const entry of entries) {
        const file = `${folder.replace(/\/$/, '')}/${entry.name}`;
        // Links are not followed: they may lead in circles.
        if (entry.kind === 'folder' && !NOT_SOURCE.has(entry.name)) waiting.push(file);
        else if (entry.kind === 'file' && isSourceName(entry.name)) {
          addToGroup(found, entry.name, file);
        }
      }
    }
    return found;
  }
}
