/** Writes OTF2 archives in memory, in both byte orders and any size of chunks: what the library's writer does not do. */

const UNDEFINED = 0xffff_ffff;
const END_OF_FILE_BYTES = 2;
const HEADER_BYTES = 18;

/** Fields of a record. */
export class Fields {
  bytes = new Uint8Array(64);
  length = 0;

  constructor(readonly littleEndian: boolean) {}

  u8(value: number): this {
    this.room(1);
    this.bytes[this.length++] = value;
    return this;
  }

  /** `count` bytes of a number that may be wider than a double holds. */
  fixed(value: number | bigint, count: number): this {
    this.room(count);
    let rest = BigInt.asUintN(count * 8, BigInt(value));
    for (let i = 0; i < count; i++, rest >>= 8n) {
      this.bytes[this.length + (this.littleEndian ? i : count - 1 - i)] = Number(rest & 0xffn);
    }
    this.length += count;
    return this;
  }

  /** A compressed number of up to four bytes, or undefined when it is all ones. */
  c32(value: number): this {
    return value === UNDEFINED ? this.u8(0xff) : this.compressed(value);
  }

  c64(value: number | bigint): this {
    return BigInt(value) === 0xffff_ffff_ffff_ffffn ? this.u8(0xff) : this.compressed(value);
  }

  i64(value: number): this {
    return value < 0 ? this.u8(8).fixed(value, 8) : this.compressed(value);
  }

  text(text: string): this {
    for (const byte of new TextEncoder().encode(text)) this.u8(byte);
    return this.u8(0);
  }

  private compressed(value: number | bigint): this {
    let count = 0;
    if (typeof value === 'number') for (let rest = value; rest >= 1; rest = Math.floor(rest / 256)) count++;
    else for (let rest = value; rest > 0n; rest >>= 8n) count++;
    this.u8(count);
    this.room(count);
    if (typeof value === 'bigint') return this.fixed(value, count);
    let rest = value;
    for (let i = 0; i < count; i++, rest = Math.floor(rest / 256)) {
      this.bytes[this.length + (this.littleEndian ? i : count - 1 - i)] = rest % 256;
    }
    this.length += count;
    return this;
  }

  private room(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    wider.set(this.bytes);
    this.bytes = wider;
  }
}

/** A file of records, cut into chunks. */
export class ChunkedFile {
  events = 0;
  records = 0;
  protected readonly fields: Fields;
  private readonly chunks: Uint8Array[] = [];
  private chunk!: Uint8Array;
  private at = 0;
  private firstEvent = 1;

  constructor(
    private readonly littleEndian: boolean,
    private readonly chunkBytes: number,
    private readonly hasEvents: boolean,
  ) {
    this.fields = new Fields(littleEndian);
    this.beginChunk();
  }

  /** @param hasLength whether the length of the payload stands in front of it. @param form `FF` and eight bytes. */
  record(type: number, write: (fields: Fields) => void, hasLength = true, form: 'short' | 'long' = 'short'): void {
    const { fields } = this;
    fields.length = 0;
    write(fields);
    const head = fields.length > 254 || form === 'long' ? 10 : 2;
    this.makeRoom(head + fields.length);
    this.records++;
    this.chunk[this.at++] = type;
    if (hasLength && head === 2) this.chunk[this.at++] = fields.length;
    else if (hasLength) {
      this.chunk[this.at++] = 0xff;
      this.chunk.set(new Fields(this.littleEndian).fixed(fields.length, 8).bytes.subarray(0, 8), this.at);
      this.at += 8;
    }
    this.chunk.set(fields.bytes.subarray(0, fields.length), this.at);
    this.at += fields.length;
  }

  finish(): Uint8Array {
    this.chunk[this.at] = 2;
    this.chunk[this.at + 1] = 1;
    this.endChunk();
    const last = this.chunk.subarray(0, this.at + END_OF_FILE_BYTES);
    const bytes = new Uint8Array(this.chunks.reduce((sum, { length }) => sum + length, last.length));
    [...this.chunks, last].forEach((chunk, i) => bytes.set(chunk, i * this.chunkBytes));
    return bytes;
  }

  /** @returns whether a new chunk was begun. */
  protected makeRoom(bytes: number): boolean {
    // A time and the attributes before an event stand in its chunk.
    if (this.at + bytes + 64 <= this.chunkBytes) return false;
    this.endChunk();
    this.chunks.push(this.chunk);
    this.beginChunk();
    return true;
  }

  private beginChunk(): void {
    this.chunk = new Uint8Array(this.chunkBytes);
    this.chunk[0] = 3;
    this.chunk[1] = this.littleEndian ? 0x42 : 0x23;
    this.firstEvent = this.events + 1;
    this.at = HEADER_BYTES;
  }

  private endChunk(): void {
    const numbers = new Fields(this.littleEndian);
    numbers.fixed(this.hasEvents ? this.firstEvent : 1, 8).fixed(this.hasEvents ? this.events : 0, 8);
    this.chunk.set(numbers.bytes.subarray(0, 16), 2);
  }
}

/** The events of one location. */
export class EventWriter extends ChunkedFile {
  private now = 0n;
  private written = -1n;

  constructor(littleEndian: boolean, chunkBytes: number) {
    super(littleEndian, chunkBytes, true);
  }

  /** The time of the following events, in ticks. */
  time(ticks: number | bigint): this {
    this.now = BigInt(ticks);
    return this;
  }

  event(type: number, write: (fields: Fields) => void, hasLength = true, attributes?: (fields: Fields) => void): this {
    if (this.makeRoom(256)) this.written = -1n;
    if (this.now !== this.written) {
      this.record(5, (fields) => fields.fixed(this.now, 8), false);
      this.written = this.now;
    }
    if (attributes !== undefined) this.record(6, attributes);
    this.record(type, write, hasLength);
    this.events++;
    return this;
  }

  enter(region: number): this {
    return this.event(12, (fields) => fields.c32(region), false);
  }

  leave(region: number): this {
    return this.event(13, (fields) => fields.c32(region), false);
  }

  create(handle: number, access: number, creation: number, status: number): this {
    return this.event(69, (fields) => fields.c32(handle).u8(access).c32(creation).c32(status));
  }

  destroy(handle: number): this {
    return this.event(70, (fields) => fields.c32(handle));
  }

  seek(handle: number, offset: number): this {
    return this.event(72, (fields) => fields.c32(handle).i64(offset).u8(0).c64(offset));
  }

  /** @param offset is written as the attribute 0. */
  begin(
    handle: number,
    mode: 'read' | 'write' | 'flush',
    flags: number,
    bytes: number,
    matching: number | bigint,
    offset?: number,
  ): this {
    const number = ['read', 'write', 'flush'].indexOf(mode);
    const attributes = (fields: Fields): unknown => fields.c32(1).c32(0).u8(4).c64(offset!);
    return this.event(
      75,
      (fields) => fields.c32(handle).u8(number).c32(flags).c64(bytes).c64(matching),
      true,
      offset === undefined ? undefined : attributes,
    );
  }

  complete(handle: number, bytes: number, matching: number | bigint): this {
    return this.event(78, (fields) => fields.c32(handle).c64(bytes).c64(matching));
  }
}

export interface ArchiveOptions {
  readonly littleEndian?: boolean;
  readonly chunkBytes?: number;
  readonly ticksPerSecond?: number;
  readonly globalOffset?: bigint;
  readonly realtime?: bigint;
}

/** An archive that grows by definitions and events. */
export class ArchiveWriter {
  readonly definitions: ChunkedFile;
  readonly locals = new Map<string, ChunkedFile>();
  readonly littleEndian: boolean;
  readonly chunkBytes: number;
  private readonly strings = new Map<string, number>();
  private readonly locations: { id: bigint; name: string; group: number; events: EventWriter }[] = [];

  constructor(readonly options: ArchiveOptions = {}) {
    this.littleEndian = options.littleEndian ?? true;
    this.chunkBytes = options.chunkBytes ?? 1 << 20;
    this.definitions = new ChunkedFile(this.littleEndian, 4 << 20, false);
    const { ticksPerSecond = 1e9, globalOffset = 0n, realtime = 1_700_000_000_000_000_000n } = options;
    this.define(5, (fields) => fields.c64(ticksPerSecond).c64(globalOffset).c64(1e9).c64(realtime));
  }

  define(type: number, write: (fields: Fields) => void): this {
    this.definitions.record(type, write);
    return this;
  }

  string(text: string): number {
    let id = this.strings.get(text);
    if (id === undefined) {
      id = this.strings.size;
      this.strings.set(text, id);
      this.define(10, (fields) => fields.c32(id!).text(text));
    }
    return id;
  }

  /** Machine, node, one group for each process, and the list of all locations that communicate. */
  processes(count: number): this {
    const [machine, name, node, host] = ['machine', 'cluster', 'node', 'n0001'].map((text) => this.string(text));
    this.define(12, (fields) => fields.c32(0).c32(name!).c32(machine!).c32(UNDEFINED));
    this.define(12, (fields) => fields.c32(1).c32(host!).c32(node!).c32(0));
    for (let rank = 0; rank < count; rank++) {
      const group = this.string(`MPI Rank ${rank}`);
      this.define(13, (fields) => fields.c32(rank).c32(group).u8(1).c32(1).c32(UNDEFINED));
    }
    const [empty, mpi] = [this.string(''), this.string('MPI')];
    this.define(6, (fields) => fields.u8(4).c32(mpi).u8(0));
    const members = (fields: Fields, ids: readonly (number | bigint)[]): Fields => {
      fields.c32(ids.length);
      for (const id of ids) fields.c64(id);
      return fields;
    };
    const ranks = Array.from({ length: count }, (_, rank) => rank);
    const ids = ranks.map((rank) => BigInt(rank) << 32n);
    this.define(18, (fields) => members(fields.c32(0).c32(empty).u8(0), ids).u8(4).u8(4).c32(0));
    this.define(18, (fields) => members(fields.c32(1).c32(empty).u8(0), ranks).u8(5).u8(4).c32(0));
    const world = this.string('MPI_COMM_WORLD');
    this.define(22, (fields) => fields.c32(0).c32(world).c32(1).c32(UNDEFINED).c32(0));
    return this;
  }

  /** The paradigms POSIX (0), MPI-IO (1) and HDF5 (2), and the attribute 0 for offsets. */
  paradigms(): this {
    ['POSIX', 'MPI-IO', 'HDF5', 'ISOC'].forEach((name, id) => {
      const text = this.string(name);
      const isParallel = name === 'MPI-IO' || name === 'HDF5' ? 1 : 0;
      this.define(8, (fields) => fields.u8(id).c32(text).c32(text).u8(isParallel).c32(0).u8(0));
    });
    const offset = this.string('Offset');
    return this.define(11, (fields) => fields.c32(0).c32(offset).u8(4).c32(offset));
  }

  /** @param role 1 function, 27 I/O, 38 metadata of I/O, 15 barrier, 28 messages. @param paradigm 0 unknown, 1 user, 4 MPI. */
  region(id: number, name: string, role = 1, paradigm = 1, file = '', line = 0): this {
    const [text, source] = [this.string(name), this.string(file)];
    return this.define(15, (fields) =>
      fields.c32(id).c32(text).c32(text).u8(0).c32(source).c32(line).c32(line).c32(text).u8(role).u8(paradigm).c32(0),
    );
  }

  file(id: number, path: string, scope = 0): this {
    const text = this.string(path);
    return this.define(38, (fields) => fields.c32(id).c32(text).c32(scope));
  }

  handle(id: number, file: number, paradigm: number, parent = UNDEFINED, communicator = UNDEFINED): this {
    const empty = this.string('');
    return this.define(40, (fields) =>
      fields.c32(id).c32(empty).c32(file).u8(paradigm).c32(0).c32(communicator).c32(parent),
    );
  }

  /** The events of a location of a process. */
  location(id: bigint, group: number, name = 'Master thread'): EventWriter {
    const events = new EventWriter(this.littleEndian, this.chunkBytes);
    this.locations.push({ id, name, group, events });
    return events;
  }

  /** The definitions of a location. */
  local(id: bigint): ChunkedFile {
    const file = this.locals.get(String(id)) ?? new ChunkedFile(this.littleEndian, 4 << 20, false);
    this.locals.set(String(id), file);
    return file;
  }

  /** All files by their names. */
  finish(): Map<string, Uint8Array> {
    for (const { id, name, group, events } of this.locations) {
      const text = this.string(name);
      this.define(14, (fields) => fields.c64(id).c32(text).u8(1).c64(events.events).c32(group));
    }
    const files = new Map<string, Uint8Array>([
      ['traces.otf2', this.anchor()],
      ['traces.def', this.definitions.finish()],
    ]);
    for (const [id, local] of this.locals) files.set(`traces/${id}.def`, local.finish());
    for (const { id, events } of this.locations) files.set(`traces/${id}.evt`, events.finish());
    return files;
  }

  private anchor(): Uint8Array {
    const fields = new Fields(this.littleEndian);
    fields
      .u8(3)
      .u8(this.littleEndian ? 0x42 : 0x23)
      .text('OTF2');
    fields.u8(3).u8(2).u8(3).u8(0).u8(2);
    fields.fixed(this.chunkBytes, 8).fixed(4 << 20, 8);
    fields.u8(1).u8(1).fixed(this.locations.length, 8).fixed(this.definitions.records, 8);
    fields.text('cluster').text('test').text('made');
    fields.fixed(0, 4).fixed(1, 8).fixed(0, 4).fixed(0, 4);
    fields.u8(2).u8(1).u8(0);
    return fields.bytes.slice(0, fields.length);
  }
}
