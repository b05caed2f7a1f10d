import { getOrCreate } from '../base/grouping.ts';
import { IntegerColumn } from './columns.ts';
import { NONE } from './events.ts';
import type { FileIndex, HandleIndex, StreamIndex } from './indices.ts';

/** What a descriptor leads to. Only `regular` things have a path in the file system. */
export type FileKind = 'regular' | 'pipe' | 'socket' | 'anonymous';

interface TraceFile {
  /** As recorded; for things without a path the kernel's name for them, such as `pipe:[1234]`. */
  readonly path: string;
  /** The host whose file system the path belongs to, or '' when unknown or shared by all hosts. */
  readonly host: string;
  readonly kind: FileKind;
}

/** Files are paths **on a host**: `/tmp/x` of two hosts is two files, unless the path is known to be shared. */
export class FileTable {
  readonly files: TraceFile[] = [];
  /** By host and path. */
  private readonly indices = new Map<string, Map<string, FileIndex>>();

  /** @param sharedPrefixes folders that are the same file system on every host, such as `/scratch`. */
  constructor(private readonly sharedPrefixes: readonly string[] = []) {}

  /** The files that there are now; what is added here or there shows in one of both only. */
  snapshot(): FileTable {
    const now = new FileTable(this.sharedPrefixes);
    for (const [index, file] of this.files.entries()) {
      now.files.push(file);
      now.ofHost(file.host).set(file.path, index);
    }
    return now;
  }

  get length(): number {
    return this.files.length;
  }

  intern(host: string, path: string): FileIndex {
    const owner = this.isShared(path) ? '' : host;
    const ofHost = this.ofHost(owner);
    let index = ofHost.get(path);
    if (index === undefined) {
      index = this.files.push({ path, host: owner, kind: kindOf(path) }) - 1;
      ofHost.set(path, index);
    }
    return index;
  }

  /** @param host as the table has it: '' of a path that all share. */
  find(host: string, path: string): FileIndex | undefined {
    return this.indices.get(host)?.get(path);
  }

  at(index: FileIndex): TraceFile {
    return this.files[index]!;
  }

  private ofHost(host: string): Map<string, FileIndex> {
    return getOrCreate(this.indices, host, () => new Map<string, FileIndex>());
  }

  private isShared(path: string): boolean {
    return this.sharedPrefixes.some((prefix) => path === prefix || path.startsWith(prefix.replace(/\/*$/, '/')));
  }
}

function kindOf(path: string): FileKind {
  if (path.startsWith('/')) return 'regular';
  if (path.startsWith('pipe:')) return 'pipe';
  if (path.startsWith('anon_inode:')) return 'anonymous';
  if (/^<STD(IN|OUT|ERR)>$/.test(path)) return 'anonymous';
  return /^[A-Za-z0-9_-]+:\[/.test(path) ? 'socket' : 'regular';
}

/** Bits of `HandleTable.flags` (IoHandleFlag of OTF2). */
export const HANDLE_FLAGS = {
  /** It was there before the program began: standard input, output and error. */
  preCreated: 1,
  /** All processes of its communicator act through proxies. */
  allProxy: 2,
  /** A stream without a buffer worth the name: it writes each call (standard error) or each line at once, or has few bytes. */
  writesThrough: 4,
} as const;

/** What some formats know of a handle. */
export interface HandleTraits {
  readonly layer?: number;
  readonly communicator?: number;
  readonly flags?: number;
}

/**
 * The handles of a trace. A handle of the system call layer is an *open file description*: what one `open` made, shared
 * by dup and fork, with one offset.
 */
export class HandleTable {
  /** Index into `Trace.files`, or NONE. */
  readonly file = new IntegerColumn<FileIndex>();
  /** Stream that opened it (or was seen to use it first); NONE when it is defined and nobody used it. */
  readonly stream = new IntegerColumn<StreamIndex>();
  /** Handle of the layer above that it belongs to, or NONE. */
  readonly parent = new IntegerColumn<HandleIndex>();
  /** Index into LAYERS of the paradigm that it belongs to, or NONE when the format does not say. */
  readonly layer = new IntegerColumn();
  /** Index into `Trace.definitions.communicators` of the processes that opened it together, or NONE. */
  readonly communicator = new IntegerColumn();
  /** Bits of HANDLE_FLAGS. */
  readonly flags = new IntegerColumn();
  /** How often the file's name had been removed or given to another file before: same path, other contents. */
  readonly incarnation = new IntegerColumn();
  private readonly incarnations = new Map<FileIndex, number>();

  /** The handles that there are now; nothing may be added to it. */
  snapshot(): HandleTable {
    const now = new HandleTable();
    now.file.become(this.file);
    now.stream.become(this.stream);
    // A handle may be found out later to belong to one that came after it.
    now.parent.become(this.parent);
    now.parent.values = now.parent.values.slice(0, now.parent.length);
    now.layer.become(this.layer);
    now.communicator.become(this.communicator);
    now.flags.become(this.flags);
    now.incarnation.become(this.incarnation);
    return now;
  }

  get length(): number {
    return this.file.length;
  }

  /** The file's name was removed, or leads to another file from now on. */
  replaced(file: FileIndex): void {
    this.incarnations.set(file, (this.incarnations.get(file) ?? 0) + 1);
  }

  add(file: FileIndex, stream: StreamIndex, parent: HandleIndex = NONE, more: HandleTraits = {}): HandleIndex {
    this.stream.push(stream);
    this.parent.push(parent);
    this.layer.push(more.layer ?? NONE);
    this.communicator.push(more.communicator ?? NONE);
    this.flags.push(more.flags ?? 0);
    this.incarnation.push(this.incarnations.get(file) ?? 0);
    return this.file.push(file);
  }
}
