import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../base/error-message.ts';
import type { SourceEdit } from '../analysis/fixes/fix.ts';
import { sourceEdits } from '../export/fixes/chosen-fixes.ts';
import type { EditDocument } from '../export/fixes/fixes-document.ts';
import { editedText } from '../export/report/edited-text.ts';
import { UsageError } from './arguments.ts';

/** A source of the working folder with what is to be changed in it. */
export interface SourceToFix {
  /** Links followed. */
  readonly file: string;
  /** Below the working folder. */
  readonly name: string;
  readonly text: string;
  readonly edits: readonly SourceEdit[];
}

/**
 * Reads the sources that fixes change.
 * @param folder nothing outside of it is changed.
 * @throws UsageError when one lies elsewhere, or cannot be changed without harm.
 */
export function sourcesToFix(edits: ReadonlyMap<string, readonly EditDocument[]>, folder: string): SourceToFix[] {
  const root = fs.realpathSync.native(folder);
  return [...edits].map(([named, changes]) => {
    const file = realPath(named);
    const name = path.relative(root, file);
    if (name === '' || name === '..' || name.startsWith(`..${path.sep}`) || path.isAbsolute(name))
      throw new UsageError(`${named} lies outside ${root}: run iolens in the folder of the sources`);
    const text = textOf(file);
    return { file, name, text, edits: sourceEdits(text, changes) };
  });
}

function realPath(file: string): string {
  try {
    return fs.realpathSync.native(file);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** A text that is not UTF-8 would come back as another one. */
function textOf(file: string): string {
  const bytes = fs.readFileSync(file);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes))
    throw new UsageError(`${file} is not UTF-8 text: changing it would also change other characters in it`);
  return text;
}

/** The text after the edits. */
export function fixedText({ text, edits }: SourceToFix): string {
  return editedText(text, edits);
}

/**
 * Puts each new text in the place of the old one, which stands until the new one is written. Nothing is changed when one of
 * them cannot be written.
 * @throws UsageError in words for the user.
 */
export function writeFixed(sources: readonly SourceToFix[]): void {
  const written: { temporary: string; file: string }[] = [];
  try {
    for (const source of sources) {
      const { file } = source;
      fs.accessSync(file, fs.constants.W_OK);
      const temporary = path.join(path.dirname(file), `.${path.basename(file)}.iolens-${process.pid}`);
      written.push({ temporary, file });
      writeLike(file, temporary, fixedText(source));
    }
    for (const { temporary, file } of written) fs.renameSync(temporary, file);
  } catch (error) {
    for (const { temporary } of written) fs.rmSync(temporary, { force: true });
    throw new UsageError(`nothing was changed: ${messageOf(error)}`);
  }
}

/** Owner and mode are the old file's. */
function writeLike(file: string, temporary: string, text: string): void {
  const { mode, uid, gid } = fs.statSync(file);
  const descriptor = fs.openSync(temporary, 'wx', mode & 0o777);
  try {
    fs.writeFileSync(descriptor, text);
    const own = fs.fstatSync(descriptor);
    if (own.uid !== uid || own.gid !== gid) fs.fchownSync(descriptor, uid, gid);
    fs.fchmodSync(descriptor, mode & 0o7777);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
