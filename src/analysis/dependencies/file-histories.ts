import { OPEN_MODE, NONE } from '../../trace/events.ts';
import type { FileTable } from '../../trace/files.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import { ByteUsers, StreamSets } from './byte-users.ts';
import { FILE_EFFECT } from './file-effects.ts';
import type { IoEvents } from './io-events.ts';
import type { Vector } from './knowledge.ts';

const BY_DESCRIPTOR: ReadonlySet<number> = new Set([
  FILE_EFFECT.open,
  FILE_EFFECT.read,
  FILE_EFFECT.write,
  FILE_EFFECT.lock,
  FILE_EFFECT.use,
]);

/** How far a stream had come when something depends on it. */
export interface StreamState {
  readonly calls: number;
  readonly end: number;
  /** What it knew of others then. */
  readonly known: Vector | undefined;
}

/** What a path leads to. */
class FileHistory {
  readonly bytes: ByteUsers;
  /** The last call of each stream on it. */
  uses = new Map<number, StreamState>();
  /** Stream that gave it its name, or took it away; NONE when it was there before. */
  named = NONE;
  /** Stream that locked or unlocked it last. */
  locker = NONE;
  state: 'unknown' | 'there' | 'gone' = 'unknown';
  /** All of its bytes were made by the program. */
  fresh = false;
  size = 0;

  /** @param origin the file that it was when the program began. */
  constructor(
    readonly origin: number,
    sets: StreamSets,
  ) {
    this.bytes = new ByteUsers(sets);
  }
}

/** A file that has to be there before the program begins, with the bytes that it was seen to need. */
export interface NeededFile {
  readonly file: FileIndex;
  readonly bytes: number;
}

/**
 * Who did what to which file so far, in the order in which calls are told. It answers for each call which streams it
 * depends on: those that wrote what it reads, that wrote or read what it overwrites, that made, renamed or removed the
 * name that it uses.
 */
export class FileHistories {
  private readonly histories: (FileHistory | undefined)[] = [];
  private readonly sets = new StreamSets();
  private readonly needed = new Map<number, number>();
  private readonly foldersOf = new Map<number, readonly number[]>();
  /** Files that are no folders: something is done with their bytes. */
  private readonly regular = new Set<number>();
  private readonly madeFolders: ReadonlyMap<string, number>;
  private readonly sources = new Map<number, StreamState>();
  /** The history whose bytes are looked at, and when the call that does so began. */
  private current: FileHistory | undefined;
  private began = 0;
  private readonly found = (stream: StreamIndex): boolean => this.dependsOn(this.current!, stream);

  constructor(
    private readonly events: IoEvents,
    private readonly files: FileTable,
  ) {
    const made = new Map<string, number>();
    for (let k = 0; k < events.length; k++) {
      const effect = events.effect[k]!;
      if (effect === FILE_EFFECT.makeFolder) made.set(files.at(events.file[k]!).path, events.file[k]!);
      const isFolder = effect === FILE_EFFECT.open && (events.argument[k]! & OPEN_MODE.directory) !== 0;
      if (BY_DESCRIPTOR.has(effect) && !isFolder) this.regular.add(events.file[k]!);
    }
    this.madeFolders = made;
  }

  /** Files that were read, or used, without having been made. */
  get neededFiles(): readonly NeededFile[] {
    return Array.from(this.needed, ([file, bytes]) => ({ file, bytes }));
  }

  /**
   * Makes a call part of the history.
   * @returns the streams that it depends on, each with how far it had come; the same map each time.
   */
  tell(k: number): ReadonlyMap<number, StreamState> {
    const { events, sources } = this;
    sources.clear();
    const stream = events.stream[k]!;
    const history = this.of(events.file[k]!);
    this.current = history;
    this.began = events.start[k]!;
    switch (events.effect[k]!) {
      case FILE_EFFECT.read:
        this.read(history, k, stream);
        break;
      case FILE_EFFECT.write:
        this.write(history, k, stream);
        break;
      case FILE_EFFECT.use:
        this.use(history, k);
        break;
      case FILE_EFFECT.lock:
        this.unlessFolder(history, k);
        if (!Number.isNaN(events.argument[k]!)) this.lock(history, stream);
        break;
      default:
        this.changeName(history, k, stream);
    }
    sources.delete(stream);
    return sources;
  }

  /**
   * The present call depends on a stream's last one on a file. When that was still under way their order is not known; but
   * what the stream had waited for before it is over.
   * @returns whether it was still under way.
   */
  private dependsOn(history: FileHistory, stream: StreamIndex): boolean {
    let use = history.uses.get(stream);
    if (use === undefined) return false;
    const isUnderWay = use.end > this.began;
    if (isUnderWay) use = { calls: use.calls - 1, end: this.began, known: use.known };
    const known = this.sources.get(stream);
    if (known === undefined || known.calls < use.calls) this.sources.set(stream, use);
    return isUnderWay;
  }

  /** Notes that a call was made, after its dependencies are known. */
  done(k: number, known: Vector | undefined): void {
    const { events } = this;
    const stream = events.stream[k]!;
    const calls = k - events.first[stream]! + 1;
    const end = events.end[k]!;
    const note = ({ uses }: FileHistory): void => {
      uses.set(stream, { calls, end, known });
    };
    note(this.of(events.file[k]!));
    const effect = events.effect[k]!;
    if (effect === FILE_EFFECT.rename && events.argument[k]! >= 0) note(this.of(events.argument[k]!));
    if (effect !== FILE_EFFECT.read && effect !== FILE_EFFECT.write && effect < FILE_EFFECT.lock)
      for (const folder of this.folders(events.file[k]!)) note(this.of(folder));
  }

  private of(file: FileIndex): FileHistory {
    return (this.histories[file] ??= new FileHistory(file, this.sets));
  }

  private need(history: FileHistory, bytes: number): void {
    const known = this.needed.get(history.origin);
    if (known === undefined || known < bytes) this.needed.set(history.origin, bytes);
    if (bytes > history.size) history.size = bytes;
  }

  /** It is used, so it is there: when nobody made it, it was there before. */
  private mustBeThere(history: FileHistory): void {
    if (history.state === 'there') return;
    history.state = 'there';
    this.need(history, 0);
  }

  /** The same for what may be a folder: the replay makes folders as it needs them. */
  private unlessFolder(history: FileHistory, k: number): void {
    if (history.state === 'unknown' && this.regular.has(this.events.file[k]!)) this.mustBeThere(history);
  }

  private read(history: FileHistory, k: number, stream: StreamIndex): void {
    const { events } = this;
    const bytes = events.bytes[k]!;
    this.usedFirst(history, stream);
    this.mustBeThere(history);
    if (!(bytes > 0)) return;
    const offset = events.offset[k]!;
    if (Number.isNaN(offset)) {
      // Somewhere in the file.
      if (history.size > 0) history.bytes.read(0, history.size, stream, this.found);
      return;
    }
    const unwritten = history.bytes.read(offset, offset + bytes, stream, this.found);
    if (unwritten > 0) this.need(history, unwritten);
  }

  private write(history: FileHistory, k: number, stream: StreamIndex): void {
    const { events } = this;
    const bytes = events.bytes[k]!;
    this.usedFirst(history, stream);
    if (history.state !== 'there') {
      // Some formats record no opens.
      history.state = 'there';
      history.named = stream;
    }
    if (!(bytes > 0)) return;
    // What is appended goes to the end as it is now; elsewhere an unknown place may be any.
    if (Number.isNaN(events.offset[k]!)) {
      if (history.size > 0) history.bytes.write(0, history.size, stream, this.found);
      events.offset[k] = history.size;
    }
    const offset = events.offset[k]!;
    history.bytes.write(offset, offset + bytes, stream, this.found);
    history.size = Math.max(history.size, offset + bytes);
  }

  /** A stream that has not opened the file itself (it inherited it) needs it to be there. */
  private usedFirst(history: FileHistory, stream: StreamIndex): void {
    if (!history.uses.has(stream)) this.madeBy(history);
  }

  /** Locks are taken in the recorded order: whoever waits for a signal while it holds one would wait forever otherwise. */
  private lock(history: FileHistory, stream: StreamIndex): void {
    if (history.locker !== NONE) this.dependsOn(history, history.locker);
    history.locker = stream;
  }

  private use(history: FileHistory, k: number): void {
    const { argument, offset } = this.events;
    this.unlessFolder(history, k);
    // A seek to the end tells how long the file is.
    if (argument[k] === 2 && offset[k]! > history.size && !history.fresh) this.need(history, offset[k]!);
  }

  private changeName(history: FileHistory, k: number, stream: StreamIndex): void {
    const { events } = this;
    for (const folder of this.folders(events.file[k]!)) this.madeBy(this.of(folder));
    switch (events.effect[k]!) {
      case FILE_EFFECT.open:
        this.open(history, k, stream);
        break;
      case FILE_EFFECT.look:
        this.madeBy(history);
        // What failed takes no part: it was there.
        this.unlessFolder(history, k);
        break;
      case FILE_EFFECT.truncate:
        this.madeBy(history);
        this.mustBeThere(history);
        this.cut(history, events.argument[k]! >= 0 ? events.argument[k]! : 0, stream);
        break;
      case FILE_EFFECT.makeFolder:
        this.all(history);
        history.state = 'there';
        history.named = stream;
        break;
      case FILE_EFFECT.removeFolder:
        this.all(history);
        history.state = 'gone';
        history.named = stream;
        break;
      case FILE_EFFECT.remove:
        this.all(history);
        this.mustBeThere(history);
        this.takeName(events.file[k]!, stream);
        break;
      case FILE_EFFECT.rename:
        this.rename(history, k, stream);
        break;
    }
  }

  private open(history: FileHistory, k: number, stream: StreamIndex): void {
    const mode = this.events.argument[k]!;
    const creates = (mode & OPEN_MODE.create) !== 0;
    if (history.state === 'there') this.madeBy(history);
    else if (creates) {
      this.all(history);
      const isNew = history.state === 'gone' || (mode & OPEN_MODE.exclusive) !== 0;
      history.state = 'there';
      history.named = stream;
      if (isNew) this.cut(history, 0, stream);
    } else if (!Number.isNaN(mode) && !(mode & OPEN_MODE.directory)) this.mustBeThere(history);
    if (mode & OPEN_MODE.truncate) this.cut(history, 0, stream);
  }

  /** All from a length on is gone: what is there later was written by the program. */
  private cut(history: FileHistory, length: number, stream: StreamIndex): void {
    history.bytes.write(length, Infinity, stream, this.found);
    if (length === 0) history.fresh = true;
    history.size = length;
  }

  private rename(history: FileHistory, k: number, stream: StreamIndex): void {
    this.all(history);
    this.mustBeThere(history);
    const to = this.events.argument[k]!;
    if (!(to >= 0) || to >= this.files.length) {
      this.takeName(this.events.file[k]!, stream);
      return;
    }
    this.all(this.of(to));
    for (const folder of this.folders(to)) this.madeBy(this.of(folder));
    this.histories[to] = history;
    history.named = stream;
    this.takeName(this.events.file[k]!, stream);
  }

  /** The path no longer leads to anything. */
  private takeName(file: FileIndex, stream: StreamIndex): void {
    const gone = new FileHistory(file, this.sets);
    gone.state = 'gone';
    gone.named = stream;
    this.histories[file] = gone;
  }

  private madeBy(history: FileHistory): void {
    if (history.named !== NONE) this.dependsOn(history, history.named);
  }

  private all(history: FileHistory): void {
    this.madeBy(history);
    for (const stream of history.uses.keys()) this.dependsOn(history, stream);
  }

  /** Folders above a file that the program made. */
  private folders(file: FileIndex): readonly number[] {
    let folders = this.foldersOf.get(file);
    if (folders === undefined) {
      const made: number[] = [];
      if (this.madeFolders.size > 0) {
        const { path } = this.files.at(file);
        for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
          const folder = this.madeFolders.get(path.slice(0, at));
          if (folder !== undefined) made.push(folder);
        }
      }
      folders = made;
      this.foldersOf.set(file, folders);
    }
    return folders;
  }
}
