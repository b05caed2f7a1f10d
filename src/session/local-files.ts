import { machine } from '#machine';
import { isLocation } from './editor-files.ts';
import type { SourceTree } from '../symbols/source-locator.ts';
import type { SymbolFiles } from '../symbols/symbol-files.ts';
import type { ByteSource } from '../trace/byte-source.ts';

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

const SOURCE = /\.(c|h|cc|cpp|cxx|hh|hpp|hxx|h\+\+|c\+\+|inl|ipp|tcc|cu|cuh|f|for|f77|f90|f95|f03|f08|py|pyx|rs|go)$/i;
/** Whether a path is named as source files are. */
export function isSourceName(file: string): boolean {
  return SOURCE.test(file);
}

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
        else if (entry.kind === 'file' && SOURCE.test(entry.name)) {
          const known = found.get(entry.name);
          if (known === undefined) found.set(entry.name, [file]);
          else known.push(file);
        }
      }
    }
    return found;
  }
}

/** A source file larger than this is generated: nobody wants its lines. */
const LARGEST_SOURCE = 8 << 20;

/** The lines of those of the files that are here. */
export async function readLines(files: Iterable<string>): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const file of new Set(files)) {
    const status = await machine.files.status(file).catch(() => undefined);
    if (status?.kind !== 'file' || status.size > LARGEST_SOURCE) continue;
    const text = await machine.files.text(file).catch(() => undefined);
    if (text !== undefined) found.set(file, text.split(/\r?\n/));
  }
  return found;
}
