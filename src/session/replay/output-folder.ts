import fs from 'node:fs';
import path from 'node:path';
import { ReplayError } from '../../replay/run/replay-error.ts';
import { messageOf } from '../../base/error-message.ts';

/** Says that a folder was made by us, and what stands in it. */
const MARKER = '.iolens-replay';
/** Names that a replay is written under; a marker that names others is none of ours. */
const OURS = /^(rank-\d+\.iolog|replay\.(fio|xml|dot)|prepare\.sh)$/;
/** Folders that a replay makes its files in. */
const FOLDERS = ['run'] as const;

/**
 * A folder that a replay is written to: one that is new, empty, or was made here before. Nothing is written outside of it,
 * nothing in it is deleted that was not written here.
 */
export class OutputFolder {
  private readonly written: string[] = [];

  private constructor(readonly path: string) {}

  /** @throws ReplayError in words for the user when the folder cannot be used. */
  static open(folder: string): OutputFolder {
    try {
      fs.mkdirSync(folder, { recursive: true });
      const real = fs.realpathSync.native(folder);
      const names = fs.readdirSync(real);
      if (names.length > 0) {
        if (!names.includes(MARKER))
          throw new ReplayError(`${folder} is not empty, and no replay was written to it before: name a new folder`);
        removeEarlier(real);
      }
      const output = new OutputFolder(real);
      output.mark();
      return output;
    } catch (error) {
      if (error instanceof ReplayError) throw error;
      throw new ReplayError(`${folder}: ${messageOf(error)}`);
    }
  }

  /** Writes a text piece by piece. @returns its bytes. */
  write(name: string, pieces: Iterable<string>, executable = false): number {
    this.written.push(name);
    this.mark();
    const file = fs.openSync(path.join(this.path, name), 'wx', executable ? 0o777 : 0o666);
    try {
      let bytes = 0;
      for (const piece of pieces) bytes += fs.writeSync(file, piece);
      return bytes;
    } finally {
      fs.closeSync(file);
    }
  }

  /** An empty folder for the files of a run; what an earlier run left there is gone. */
  emptyFolder(): string {
    this.removeFolder();
    return path.join(this.path, FOLDERS[0]);
  }

  removeFolder(): void {
    fs.rmSync(path.join(this.path, FOLDERS[0]), { recursive: true, force: true });
  }

  private mark(): void {
    const file = path.join(this.path, MARKER);
    fs.rmSync(file, { force: true });
    fs.writeFileSync(file, `${JSON.stringify({ files: this.written })}\n`, { flag: 'wx' });
  }
}

/** Removes what an earlier replay wrote. `rm` takes links away, and does not follow them. */
function removeEarlier(folder: string): void {
  let marked: unknown;
  try {
    marked = JSON.parse(fs.readFileSync(path.join(folder, MARKER), 'utf8'));
  } catch {
    marked = undefined;
  }
  const files = typeof marked === 'object' && marked !== null && 'files' in marked ? marked.files : undefined;
  if (!Array.isArray(files) || !files.every((name) => typeof name === 'string' && OURS.test(name)))
    throw new ReplayError(`${path.join(folder, MARKER)} is damaged: name a new folder`);
  for (const name of files as string[]) fs.rmSync(path.join(folder, name), { force: true });
  for (const name of FOLDERS) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
}
