/** What one process did to one file. Times are nanoseconds in reads, writes and metadata calls, as in Darshan's sums. */
export interface ProcessUse {
  reads: number;
  writes: number;
  readBytes: number;
  writtenBytes: number;
  time: number;
  /** End of the furthest read, bytes from the beginning of the file. */
  furthestRead: number;
  /** Bytes of `readBytes` that it had read before. */
  rereadBytes: number;
}

/** Who uses a file: the processes that opened it. */
export interface FileUse {
  readonly readers: ReadonlySet<number>;
  readonly writers: ReadonlySet<number>;
  readonly byProcess: ReadonlyMap<number, Readonly<ProcessUse>>;
}

class MutableFileUse implements FileUse {
  readonly readers = new Set<number>();
  readonly writers = new Set<number>();
  readonly byProcess = new Map<number, ProcessUse>();
}

/** Collects who uses which file. A process is given as the stream that leads it. */
export class FileUses {
  readonly byFile = new Map<number, MutableFileUse>();

  transfer(file: number, process: number, reads: boolean, offset: number, bytes: number, time: number): void {
    const use = this.of(file);
    const own = processUse(use, process);
    own.time += time;
    if (reads) {
      use.readers.add(process);
      own.reads++;
      own.readBytes += bytes;
      if (offset + bytes > own.furthestRead) own.furthestRead = offset + bytes;
    } else {
      use.writers.add(process);
      own.writes++;
      own.writtenBytes += bytes;
    }
  }

  /** A call that moves nothing: open, close, stat, seek, synchronisation. */
  other(file: number, process: number, time: number): void {
    processUse(this.of(file), process).time += time;
  }

  reread(file: number, process: number, bytes: number): void {
    processUse(this.of(file), process).rereadBytes += bytes;
  }

  private of(file: number): MutableFileUse {
    let use = this.byFile.get(file);
    if (use === undefined) {
      use = new MutableFileUse();
      this.byFile.set(file, use);
    }
    return use;
  }
}

function processUse(use: MutableFileUse, process: number): ProcessUse {
  let own = use.byProcess.get(process);
  if (own === undefined) {
    own = { reads: 0, writes: 0, readBytes: 0, writtenBytes: 0, time: 0, furthestRead: 0, rereadBytes: 0 };
    use.byProcess.set(process, own);
  }
  return own;
}
