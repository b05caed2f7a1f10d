import { NONE } from '../../trace/events.ts';
import type { FileKind, FileTable } from '../../trace/files.ts';
import { UNSEEN } from './arguments.ts';
import { withoutNotes, normalise } from '../open-files/file-paths.ts';
import { unescapeText } from '../text/bytes.ts';
import type { ByteNames } from '../text/byte-names.ts';

/** Turns decorations and path arguments of one file's lines into indices of the trace's files; each text only once. */
export class PathResolver {
  private readonly fileOfName: number[] = [];
  private readonly textOfName: (string | undefined)[] = [];
  private readonly joined = new Map<string, number>();

  constructor(
    private readonly names: ByteNames,
    private readonly files: FileTable,
    private readonly host: string,
  ) {}

  /** The unescaped text of an interned name. */
  text(name: number): string {
    let text = this.textOfName[name];
    if (text === undefined) {
      const bytes = this.names.view(name);
      text = unescapeText(bytes, 0, bytes.length);
      this.textOfName[name] = text;
    }
    return text;
  }

  /** The file that a descriptor's decoration names. */
  decorated(name: number): number {
    if (name === UNSEEN) return NONE;
    const known = this.fileOfName[name];
    if (known !== undefined) return known;
    const file = this.files.intern(this.host, withoutNotes(this.text(name)));
    this.fileOfName[name] = file;
    return file;
  }

  path(file: number): string {
    return this.files.at(file).path;
  }

  kind(file: number): FileKind {
    return this.files.at(file).kind;
  }

  /** Path of the folder that a decoration names, or ''. */
  folder(name: number): string {
    return name === UNSEEN ? '' : withoutNotes(this.text(name));
  }

  /** The file that a path argument names, seen from `folder` ('' when unknown). */
  argument(name: number, folder: string): number {
    if (name === UNSEEN) return NONE;
    const text = this.text(name);
    if (text === '') return NONE;
    const path = text.startsWith('/') || folder === '' ? text : `${folder}/${text}`;
    let file = this.joined.get(path);
    if (file === undefined) {
      file = this.files.intern(this.host, normalise(path));
      this.joined.set(path, file);
    }
    return file;
  }
}
