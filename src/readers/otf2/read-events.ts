import type { RecordingFile } from '../../trace/byte-source.ts';
import type { DamageLog } from '../../trace/damage.ts';
import type { Archive } from './archive.ts';
import type { ByteCursor } from './byte-cursor.ts';
import type { LocationClock, Ticks } from './clock.ts';
import { Chunks, type ChunkBuffer, END_OF_CHUNK, END_OF_FILE, payloadLength } from './chunks.ts';
import { LAST_KNOWN_RECORD, type EventRecords } from './event-records.ts';

const TIMESTAMP = 0x05;
const ATTRIBUTES = 0x06;
const FIRST_EVENT = 10;
/**
 * Events of one compressed number that have no length of their own: what stands there is how many bytes the number has,
 * which is the same but for numbers that are undefined (FF). Enter, leave, requests of MPI, tasks of OpenMP.
 */
const WITHOUT_LENGTH = Uint8Array.from({ length: 256 }, (_, type) =>
  [12, 13, 16, 17, 20, 21, 24, 28, 29, 30].includes(type) ? 1 : 0,
);
const [ENTER, LEAVE] = [12, 13];
const UNDEFINED_NUMBER = 0xff;

/** Reads the events of one location, chunk by chunk. */
export class EventFile {
  /** Records of types that nobody knows here, and one of the types. */
  unknownRecords = 0;
  unknownType = 0;
  /** Nanoseconds of the last event. */
  private latest = -Infinity;
  private readonly chunkBytes: number;
  private readonly ticks: Ticks;
  private readonly damage: DamageLog;
  private readonly latestTicks: number;
  private chunks: Chunks | undefined;
  private at = 0;

  constructor(
    private readonly file: RecordingFile,
    archive: Archive,
    private readonly clock: LocationClock,
    private readonly buffer: ChunkBuffer,
  ) {
    this.chunkBytes = archive.anchor.eventChunkBytes;
    this.ticks = archive.ticks;
    this.damage = archive.damage;
    this.latestTicks = archive.ticks.latest;
  }

  /** What stands where the reader is. */
  where(): string {
    return `${this.file.name}, byte ${(this.chunks?.position ?? 0) + this.at}`;
  }

  /** @param progress is told how many bytes are read. */
  async read(records: EventRecords, progress: (bytes: number) => void, signal: AbortSignal | undefined): Promise<void> {
    const source = await this.file.openAt();
    try {
      const chunks = new Chunks(source, this.chunkBytes, this.buffer);
      this.chunks = chunks;
      for (;;) {
        signal?.throwIfAborted();
        const chunk = await chunks.advance();
        this.at = 0;
        if (chunk === false) {
          this.at = chunks.size - chunks.position;
          this.damage.add('cut-line', this.where(), 'no end mark: the events were cut off', 'events behind it');
          return;
        }
        if (typeof chunk === 'string') {
          this.damage.add('region', this.where(), chunk, 'the events of this chunk');
          continue;
        }
        const isEnd = this.readChunk(chunks, records);
        progress(chunks.cursor.bytes.length);
        if (isEnd) return;
      }
    } finally {
      await source.close();
    }
  }

  /** @returns whether the file ends here. */
  private readChunk(chunks: Chunks, records: EventRecords): boolean {
    const before = records.number;
    if (chunks.firstEvent !== before + 1 && chunks.firstEvent > before && chunks.firstEvent < 2 ** 40) {
      records.number = chunks.firstEvent - 1;
    }
    const first = records.number;
    const isEnd = this.readRecords(chunks, records);
    const [count, named] = [records.number - first, chunks.lastEvent - chunks.firstEvent + 1];
    if (count !== named) {
      this.damage.add(
        'region',
        this.where(),
        `${count} events in a chunk that names ${named}`,
        'the others, if there were any',
      );
    }
    return isEnd;
  }

  private readRecords(chunks: Chunks, records: EventRecords): boolean {
    const { cursor } = chunks;
    const { end, bytes } = cursor;
    while (cursor.at < end) {
      const { at } = cursor;
      const type = bytes[at]!;
      this.at = at;
      cursor.at = at + 1;
      if (type === TIMESTAMP) {
        cursor.u64();
        this.setTime(records, this.ticks.since(cursor.high, cursor.low));
        if (!cursor.overrun) continue;
      } else if ((type === ENTER || type === LEAVE) && at + 3 <= end && bytes[at + 1]! <= 1) {
        // Most events: of regions with small numbers.
        const width = bytes[at + 1]!;
        const region = width === 0 ? 0 : bytes[at + 2]!;
        cursor.at = at + 2 + width;
        if (type === ENTER) records.enter(region);
        else records.leave(region);
        continue;
      }
      if (type === END_OF_CHUNK) return false;
      if (type === END_OF_FILE) return true;
      const isBare = WITHOUT_LENGTH[type] === 1;
      const length = isBare ? bareLength(cursor) : payloadLength(cursor);
      const next = cursor.at + length;
      if (cursor.overrun || next > end || type < ATTRIBUTES) {
        const what = `a record of type ${type} with ${length} bytes, where ${end - this.at} are left`;
        this.damage.add('record', this.where(), what, 'the rest of the chunk');
        return false;
      }
      cursor.end = next;
      this.readRecord(type, chunks, records);
      cursor.at = next;
      cursor.end = end;
    }
    return false;
  }

  private readRecord(type: number, { cursor }: Chunks, records: EventRecords): void {
    if (type === ATTRIBUTES) records.attributes(cursor);
    else if (type > LAST_KNOWN_RECORD || type < FIRST_EVENT) {
      this.unknownRecords++;
      this.unknownType = type;
      records.number++;
    } else records.read(type, cursor);
    if (!cursor.overrun) return;
    cursor.overrun = false;
    this.damage.add('record', this.where(), `a record of type ${type} is shorter than its fields`, 'this record');
  }

  private setTime(records: EventRecords, ticks: number): void {
    const now = this.ticks.nanoseconds(this.clock.corrected(ticks));
    if (now >= this.latest && ticks <= this.latestTicks) {
      this.latest = now;
      records.now = now;
      return;
    }
    const isFirst = this.latest === -Infinity;
    const what =
      ticks > this.latestTicks
        ? 'a time far behind the end of the recording'
        : `the time goes back by ${this.latest - now} ns`;
    this.damage.add('clock', this.where(), what, 'nothing: these events get the time of the last one before them');
    records.now = isFirst ? 0 : this.latest;
  }
}

/** Bytes of a compressed number with the one that says how many they are. */
function bareLength({ bytes, at }: ByteCursor): number {
  const count = bytes[at];
  return count === undefined || count === UNDEFINED_NUMBER ? 1 : count + 1;
}
