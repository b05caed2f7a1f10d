import { constants, type Dirent, type Stats } from 'node:fs';
import { access, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { editorFiles, isLocation } from './editor-files.ts';
import type { FileStatus, FolderEntry, MachineFiles } from './machine.ts';
import { reasonOf, RegularFile } from './regular-file.ts';

/** The files of the operating system. */
const systemFiles: MachineFiles = {
  open: (file) => RegularFile.open(file),
  async status(file) {
    const status = await stat(file).catch(inWords);
    const { size, mtimeMs, dev, ino } = status;
    return { kind: kindOf(status), size, modified: mtimeMs / 1000, identity: `${dev}:${ino}` };
  },
  async list(folder) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(inWords);
    return entries.map((entry): FolderEntry => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? 'link' : kindOf(entry),
    }));
  },
  isReadable: (file) =>
    access(file, constants.R_OK).then(
      () => true,
      () => false,
    ),
  text: (file) => readFile(file, 'utf8'),
  absolute: (file) => path.resolve(file),
  real: (file) => realpath(file),
};

/** Files of the operating system, and those that only an editor reaches. */
export const nodeFiles: MachineFiles = {
  open: (file) => filesOf(file).open(file),
  status: (file) => filesOf(file).status(file),
  list: (folder) => filesOf(folder).list(folder),
  isReadable: (file) => filesOf(file).isReadable(file),
  text: (file) => filesOf(file).text(file),
  absolute: (file) => filesOf(file).absolute(file),
  real: (file) => filesOf(file).real(file),
};

function filesOf(path: string): MachineFiles {
  return isLocation(path) ? editorFiles : systemFiles;
}

function kindOf(what: Stats | Dirent): FileStatus['kind'] {
  if (what.isFile()) return 'file';
  return what.isDirectory() ? 'folder' : 'other';
}

function inWords(error: unknown): never {
  throw new Error(reasonOf(error), { cause: error });
}
