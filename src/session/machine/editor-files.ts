import type { FileStatus, FolderEntry, MachineFiles, OpenFile } from './machine.ts';

/**
 * Files that only the editor reaches: those of a virtual workspace, and all of them in a browser. A path of such a file is
 * its whole location, `scheme://authority/path`, without escapes (docs/decisions/0082).
 */
export interface EditorFileSystem {
  /** @throws Error in words for the user, as all of these. */
  status(location: string): Promise<FileStatus>;
  list(location: string): Promise<readonly FolderEntry[]>;
  read(location: string): Promise<Uint8Array>;
}

/** Whether a path is the location of a file of the editor's. */
export function isLocation(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}

/** An editor hands files over as a whole. */
const LARGEST_FILE = 1 << 29;
/** Bytes of files that are kept, because they are opened more than once: to be recognised, and to be read. */
const MOST_KEPT = 1 << 28;

interface KeptFile {
  readonly bytes: Uint8Array;
  readonly modified: number;
}

let connected: EditorFileSystem | undefined;

/** Says who knows the editor's files; to be called before the first is asked for. */
export function connectEditorFiles(fileSystem: EditorFileSystem): void {
  connected = fileSystem;
  kept.clear();
}

/** The last ones stand behind. */
const kept = new Map<string, KeptFile>();

export const editorFiles: MachineFiles = {
  async open(file): Promise<OpenFile> {
    const status = await editor().status(file);
    if (status.kind !== 'file') throw new Error(`it is ${status.kind === 'folder' ? 'a folder' : 'a device'}, no file`);
    if (status.size > LARGEST_FILE)
      throw new Error(`it is larger than ${LARGEST_FILE >> 20} MiB, too large for an editor's file system`);
    return opened(await bytesOf(file, status));
  },
  status: (file) => editor().status(file),
  list: (folder) => editor().list(folder),
  isReadable: (file) =>
    editor()
      .status(file)
      .then(
        () => true,
        () => false,
      ),
  text: async (file) => new TextDecoder().decode(await editor().read(file)),
  absolute: (file) => file,
  // The editor says nothing of links, and follows them itself. Ways upwards are none of a location's.
  real: (file) =>
    /(^|\/)\.{1,2}(\/|$)/.test(file) ? Promise.reject(new Error('it leads upwards')) : Promise.resolve(file),
};

function editor(): EditorFileSystem {
  if (connected === undefined) throw new Error('only an editor reaches this file');
  return connected;
}

async function bytesOf(file: string, { size, modified }: FileStatus): Promise<Uint8Array> {
  const known = kept.get(file);
  kept.delete(file);
  const isSame = known?.modified === modified && known.bytes.length === size;
  const bytes = isSame ? known.bytes : await editor().read(file);
  kept.set(file, { bytes, modified });
  let total = 0;
  for (const other of kept.values()) total += other.bytes.length;
  for (const [oldest, other] of kept) {
    if (total <= MOST_KEPT) break;
    kept.delete(oldest);
    total -= other.bytes.length;
  }
  return bytes;
}

function opened(bytes: Uint8Array): OpenFile {
  return {
    size: bytes.length,
    sizeNow: bytes.length,
    read(position, target) {
      const part = bytes.subarray(position, position + target.length);
      target.set(part);
      return Promise.resolve(part.length);
    },
    close: () => Promise.resolve(),
  };
}
