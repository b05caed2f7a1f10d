import type { GrowingFile } from '../../trace/byte-source.ts';
import { messageOf } from '../../base/error-message.ts';
import type { ReadOptions, Trace } from '../../trace/trace.ts';
import type { GrowingReader } from '../growing-reader.ts';
import { CaptureBuilder } from './capture-builder.ts';
import { MOST_EVENTS, readProcess, unreadable } from './capture-reader.ts';
import { CHUNK_HEADER_BYTES, CHUNK_KIND, chunksOf, FILE_HEADER_BYTES, READ_BYTES } from './chunks.ts';
import { parentsFirst } from './process-order.ts';
import { ProcessReader, type ProcessFile, type Relatives } from './process-reader.ts';

/** Bytes of events of one file that become rows at once. */
const MOST_AT_ONCE = 1 << 24;
/** Readings without anything new after which the calls of a file wait for those of its other threads no more. */
const STILL_AFTER = 4;

/**
 * Files whose definitions stand in memory. Of more, those that are still let go of them, and they are read again when the
 * file goes on; a program may make any number of processes, and hardly one says that it ended.
 */
const MOST_DEFINED = 256;
/** Bytes of a file that are read again for that. */
const MOST_READ_AGAIN = 1 << 22;

type ReadingOptions = Pick<ReadOptions, 'signal' | 'progress'>;

/** A file of which it is known whose calls it holds, and what was read of it. */
interface Part extends ProcessFile {
  readonly file: GrowingFile;
  readonly reader: ProcessReader;
  /** Bytes of its sound chunks: reading goes on behind them. */
  end: number;
  /** Readings that brought nothing new of it. */
  still: number;
  /** False when nothing more is to be had of it. */
  grows: boolean;
  /** What it defined stands in memory. */
  isDefined: boolean;
}

/** Which files come later is not known: any process may have one, and go on with what is open. */
const ANY_RELATIVES: Omit<Relatives, 'inherited'> = { isRecorded: () => true, hasSuccessor: () => true };

/**
 * Reads a recording of the recorder library while it is written: each call of `read` takes in the chunks that are whole
 * now. What `readCapture` sees only in complete files is not kept up (docs/decisions/0140): calls that end in a later
 * chunk are not linked with those that were made inside of them, and rows stand in the order in which they were read.
 */
export class GrowingCapture implements GrowingReader {
  readonly isExact = false;
  private readonly builder: CaptureBuilder;
  private readonly relatives: Relatives = { ...ANY_RELATIVES, inherited: new Map() };
  /** Files that do not say yet whose calls they hold. */
  private unknown: GrowingFile[] = [];
  /** The others, parents in front of their children. */
  private parts: Part[] = [];

  constructor(options: ReadOptions = {}) {
    this.builder = new CaptureBuilder(options);
  }

  /** Calls that are rows. */
  get understood(): number {
    return this.builder.events.length;
  }

  add(files: readonly GrowingFile[]): void {
    this.unknown.push(...files);
  }

  async read(options: ReadingOptions = {}): Promise<boolean> {
    const before = this.understood;
    await this.findProcesses(options);
    const total = this.parts.reduce((sum, { file }) => sum + file.more, 0);
    let done = 0;
    for (const part of this.parts) {
      if (!part.grows) continue;
      const more = part.file.more;
      if (more > 0)
        await this.readPart(part, options, (read) => options.progress?.(Math.min(1, (done + read) / total)));
      else part.still++;
      done += more;
      part.reader.addSoFar(part.still >= STILL_AFTER);
      if (this.understood > MOST_EVENTS)
        this.giveUp(part, 'the recording holds more calls than are kept', 'what comes from here on');
    }
    this.forgetDefinitions();
    return this.understood > before;
  }

  private forgetDefinitions(): void {
    if (this.parts.length <= MOST_DEFINED) return;
    const inMemory = this.parts.filter(({ isDefined }) => isDefined);
    if (inMemory.length <= MOST_DEFINED) return;
    for (const part of inMemory) {
      if (part.still < STILL_AFTER || part.end > MOST_READ_AGAIN || part.reader.waiting > 0) continue;
      part.reader.forget();
      part.isDefined = false;
    }
  }

  /** Reads what a file defined in front of the place where reading goes on. */
  private async recall(part: Part): Promise<void> {
    const { file, reader, end } = part;
    file.goBack(0);
    for await (const chunk of chunksOf(file.stream, () => undefined, Math.min(READ_BYTES, file.more))) {
      if (chunk.position >= end) break;
      if (chunk.kind === CHUNK_KIND.definitions) reader.take(chunk);
    }
    file.goBack(end);
    part.isDefined = true;
  }

  /** Looks into new files whose calls they hold: parents are read in front of their children. */
  private async findProcesses({ signal }: ReadingOptions): Promise<void> {
    const waiting: GrowingFile[] = [];
    const found: Part[] = [];
    const { builder, relatives } = this;
    for (const file of this.unknown) {
      signal?.throwIfAborted();
      if (file.more < FILE_HEADER_BYTES + CHUNK_HEADER_BYTES) {
        waiting.push(file);
        continue;
      }
      try {
        const process = await readProcess(file.stream);
        file.goBack(0);
        if (process === undefined) waiting.push(file);
        else if (process === 'merged')
          builder.damage.add(
            'file',
            file.name,
            'a merged file does not grow: open it without following',
            'the whole file',
          );
        else {
          const reader = new ProcessReader(builder, { file, process }, relatives, {});
          found.push({ file, process, reader, end: 0, still: 0, grows: true, isDefined: true });
        }
      } catch (error) {
        builder.damage.add('file', file.name, messageOf(error), 'the whole file');
      }
    }
    this.unknown = waiting;
    if (found.length > 0) this.parts = parentsFirst([...this.parts, ...found]);
  }

  private async readPart(part: Part, { signal }: ReadingOptions, progress: (read: number) => void): Promise<void> {
    const { file, reader } = part;
    const from = part.end;
    const gap = (position: number, bytes: number, isAtEnd: boolean): void => {
      // What stands at the end may be half of a chunk.
      if (!isAtEnd) reader.addGap(position, bytes, false);
    };
    try {
      if (!part.isDefined) await this.recall(part);
      for await (const chunk of chunksOf(file.stream, gap, Math.min(READ_BYTES, file.more), from)) {
        signal?.throwIfAborted();
        reader.take(chunk);
        part.end = chunk.position + CHUNK_HEADER_BYTES + chunk.payload.length;
        progress(part.end - from);
        if (reader.waiting >= MOST_AT_ONCE) reader.addSoFar(false);
        // Threads that wait for one that says nothing.
        if (reader.waiting >= MOST_AT_ONCE) reader.addSoFar(true);
      }
    } catch (error) {
      signal?.throwIfAborted();
      this.giveUp(part, messageOf(error), 'what could not be read of it');
    } finally {
      file.goBack(part.end);
      await file.stream.close();
    }
    part.still = part.end > from ? 0 : part.still + 1;
  }

  private giveUp(part: Part, what: string, lost: string): void {
    part.grows = false;
    this.builder.damage.add('file', part.file.name, what, lost);
  }

  snapshot(): Trace {
    return this.builder.snapshot(this.parts[0]!.process);
  }

  async finish(): Promise<Trace> {
    for (const { reader } of this.parts) {
      reader.addSoFar(true);
      reader.finish();
    }
    await this.close();
    const [first] = this.parts;
    if (first === undefined) throw unreadable(this.unknown, this.builder);
    return this.builder.build(first.process);
  }

  async close(): Promise<void> {
    for (const { file } of this.parts) await file.stream.close();
  }
}
