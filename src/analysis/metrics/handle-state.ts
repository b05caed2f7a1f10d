import { NONE } from '../../trace/events.ts';
import type { HandleTable } from '../../trace/files.ts';
import { AccessPattern } from './access-pattern.ts';

/** What has to be remembered of each open file between its calls. */
export class HandleState {
  /** Writes since the last synchronisation. */
  readonly unsyncedWrites: Int32Array;
  readonly unsyncedBytes: Float64Array;
  /** Bits of OPEN_MODE that it was opened with, as far as its opening is recorded. */
  readonly openMode: Int32Array;
  /** 1 when it was opened to read only, as far as its opening is recorded; and when it is one of a folder. */
  readonly isReadOnly: Uint8Array;
  readonly isFolder: Uint8Array;
  /** Cell of a seek that waits for the access behind it, or NONE. */
  readonly waitingSeek: Int32Array;
  readonly waitingSeekTime: Float64Array;
  /** Nanoseconds of the seeks of a stream since its last read or write: they fill its buffer for the read that follows. */
  readonly streamSeekTime: Float64Array;
  /** Cell of a seek that had the access behind it, and no other yet, or NONE. */
  readonly servedSeek: Int32Array;
  /** 1 when a seek, whoever made it, has set the offset since the last read or write there. */
  readonly isMoved: Uint8Array;
  /** 1 when a seek stands behind the last read or write, whatever that was. */
  readonly isSought: Uint8Array;
  /** 1 when it goes to the end of the file. */
  readonly seeksToEnd: Uint8Array;
  /** 1 when this open was not the process's first of the file from that place; 2 when it made a stream of what was open. */
  readonly isReopened: Uint8Array;
  /** Descriptors that dup has made of it, and that are open. */
  readonly duplicates: Uint32Array;
  /** 1 when it was read, written, or synchronised, before. */
  readonly isRead: Uint8Array;
  readonly isWritten: Uint8Array;
  readonly isSynchronised: Uint8Array;
  /** Where it was read and written last. */
  readonly readPattern: AccessPattern;
  readonly writePattern: AccessPattern;

  /** @param streams number of processes and threads. */
  constructor(table: HandleTable, streams: number) {
    const handles = table.length;
    this.readPattern = new AccessPattern(table, streams);
    this.writePattern = new AccessPattern(table, streams);
    this.unsyncedWrites = new Int32Array(handles);
    this.unsyncedBytes = new Float64Array(handles);
    this.openMode = new Int32Array(handles);
    this.isReadOnly = new Uint8Array(handles);
    this.isFolder = new Uint8Array(handles);
    this.waitingSeek = new Int32Array(handles).fill(NONE);
    this.waitingSeekTime = new Float64Array(handles);
    this.streamSeekTime = new Float64Array(handles);
    this.servedSeek = new Int32Array(handles).fill(NONE);
    this.isMoved = new Uint8Array(handles);
    this.isSought = new Uint8Array(handles);
    this.seeksToEnd = new Uint8Array(handles);
    this.isReopened = new Uint8Array(handles);
    this.duplicates = new Uint32Array(handles);
    this.isRead = new Uint8Array(handles);
    this.isWritten = new Uint8Array(handles);
    this.isSynchronised = new Uint8Array(handles);
  }
}
