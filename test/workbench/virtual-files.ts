/**
 * A file system that lives in the editor; and an extension of the tests, which fills it with the files that run-browser.mjs
 * serves.
 */
import * as vscode from 'vscode';

const SCHEME = 'iolens-test';

/** What of a browser is used. */
declare function fetch(address: string): Promise<{ json(): Promise<unknown>; arrayBuffer(): Promise<ArrayBuffer> }>;

export class VirtualFiles implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly files: Map<string, Uint8Array>) {}

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.files.get(uri.path);
    if (file !== undefined) return { type: vscode.FileType.File, ctime: 0, mtime: 1000, size: file.length };
    if (this.below(uri).length === 0) throw vscode.FileSystemError.FileNotFound(uri);
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 1000, size: 0 };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    const entries = new Map<string, vscode.FileType>();
    for (const rest of this.below(uri)) {
      const [name, ...more] = rest.split('/');
      entries.set(name!, more.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
    }
    return [...entries];
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const file = this.files.get(uri.path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.files.set(uri.path, content);
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  createDirectory(): void {
    // A folder is there when a file is in it.
  }

  delete(uri: vscode.Uri): void {
    this.files.delete(uri.path);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.files.set(to.path, this.readFile(from));
    this.files.delete(from.path);
  }

  private below({ path }: vscode.Uri): string[] {
    const prefix = path.endsWith('/') ? path : `${path}/`;
    return [...this.files.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  }
}

export async function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): Promise<void> {
  const at = (name: string): string => `${extensionUri.toString(true)}/files${name}`;
  const names = (await (await fetch(at('/index.json'))).json()) as string[];
  const files = new Map<string, Uint8Array>();
  for (const name of names) files.set(name, new Uint8Array(await (await fetch(at(name))).arrayBuffer()));
  subscriptions.push(vscode.workspace.registerFileSystemProvider(SCHEME, new VirtualFiles(files)));
}
