import type { ByteSource } from '../trace/byte-source.ts';

/** A loadable part of an ELF file (PT_LOAD). */
export interface Segment {
  readonly offset: number;
  readonly address: number;
  /** Bytes in the file. */
  readonly size: number;
  readonly executable: boolean;
}

export interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  /** Bytes in the file (compressed, where it is). */
  readonly size: number;
  readonly link: number;
  readonly entrySize: number;
}

/** A function symbol. */
export interface ElfSymbol {
  readonly name: string;
  readonly address: number;
  readonly size: number;
}

const MACHINE_LIMITS = { segments: 4096, sections: 65536, strings: 1 << 28, symbols: 1 << 29 };
const SEGMENT_LOAD = 1;
const NO_BITS = 8;
const SYMBOL_TABLE = 2;
const DYNAMIC_SYMBOLS = 11;

/** Something that is no ELF file, or a broken one; the message says what was expected. */
export class ElfError extends Error {
  override name = 'ElfError';
}

/**
 * The parts of an ELF file that symbols need (System V ABI, chapters 4 and 5). Every number read from the file is checked
 * against its size before anything is allocated.
 */
export class ElfFile {
  private constructor(
    private readonly reading: Reading,
    /** The processor that the code is for (`e_machine`). */
    readonly machine: number,
    /** The address at which a program begins. */
    readonly entry: number,
    readonly segments: readonly Segment[],
    readonly sections: readonly Section[],
  ) {}

  /** @throws ElfError when the file is no ELF file or its headers are broken. */
  static async open(source: ByteSource): Promise<ElfFile> {
    const head = await bytesAt(source, 0, Math.min(64, source.size));
    if (head.length < 52 || head[0] !== 0x7f || head[1] !== 0x45 || head[2] !== 0x4c || head[3] !== 0x46) {
      throw new ElfError('it is no ELF file');
    }
    const wide = head[4] === 2;
    const littleEndian = head[5] !== 2;
    const view = new Fields(head, littleEndian, wide);
    const at = wide
      ? { programs: view.word(32), sections: view.word(40), counts: 54 }
      : { programs: view.word(28), sections: view.word(32), counts: 42 };
    const programSize = view.u16(at.counts);
    const programCount = view.u16(at.counts + 2);
    const sectionSize = view.u16(at.counts + 4);
    const sectionCount = view.u16(at.counts + 6);
    const nameIndex = view.u16(at.counts + 8);
    const read = { source, littleEndian, wide };
    const segments = await readSegments(read, at.programs, programSize, programCount);
    const sections = await readSections(read, at.sections, sectionSize, sectionCount, nameIndex);
    return new ElfFile(read, view.u16(18), view.word(24), segments, sections);
  }

  section(name: string): Section | undefined {
    return this.sections.find((section) => section.name === name);
  }

  /** A section's bytes as they stand in the file. */
  bytes(section: Section): Promise<Uint8Array> {
    if (section.type === NO_BITS) return Promise.resolve(new Uint8Array());
    return bytesAt(this.reading.source, section.offset, section.size);
  }

  /** Reads a section's bytes from `from` on into `target`. */
  async readInto(section: Section, from: number, target: Uint8Array): Promise<void> {
    const length = await this.reading.source.read(section.offset + from, target);
    if (length < target.length) throw new ElfError(`section ${section.name} is cut off`);
  }

  get littleEndian(): boolean {
    return this.reading.littleEndian;
  }

  get hasWideFields(): boolean {
    return this.reading.wide;
  }

  /** The build id as hexadecimal digits, '' when there is none. */
  async buildId(): Promise<string> {
    const section = this.section('.note.gnu.build-id');
    if (section === undefined || section.size < 20 || section.size > 256) return '';
    const note = await this.bytes(section);
    const fields = new Fields(note, this.littleEndian, this.hasWideFields);
    const nameSize = fields.u32(0);
    const start = 12 + Math.ceil(nameSize / 4) * 4;
    return hexadecimalDigits(note.subarray(start, start + fields.u32(4)));
  }

  /** `.gnu_debuglink`: name and checksum of the file that holds the debug information. */
  async debugLink(): Promise<{ name: string; checksum: number } | undefined> {
    const section = this.section('.gnu_debuglink');
    if (section === undefined || section.size > 4096) return undefined;
    const bytes = await this.bytes(section);
    const end = bytes.indexOf(0);
    const at = Math.ceil((end + 1) / 4) * 4;
    if (end <= 0 || at + 4 > bytes.length) return undefined;
    const name = new TextDecoder().decode(bytes.subarray(0, end));
    return { name, checksum: new Fields(bytes, this.littleEndian, this.hasWideFields).u32(at) };
  }

  /** `.gnu_debugaltlink`: a file with debug information that several binaries share (made by dwz). */
  async alternateLink(): Promise<{ name: string; buildId: string } | undefined> {
    const section = this.section('.gnu_debugaltlink');
    if (section === undefined || section.size > 4096) return undefined;
    const bytes = await this.bytes(section);
    const end = bytes.indexOf(0);
    if (end <= 0) return undefined;
    return {
      name: new TextDecoder().decode(bytes.subarray(0, end)),
      buildId: hexadecimalDigits(bytes.subarray(end + 1)),
    };
  }

  /** The function symbols of `.symtab` (or of `.dynsym` where that is all there is), by address. */
  async symbols(): Promise<ElfSymbol[]> {
    const tables = [SYMBOL_TABLE, DYNAMIC_SYMBOLS].map((type) =>
      this.sections.find((section) => section.type === type),
    );
    const symbols: ElfSymbol[] = [];
    // One by one: as arguments of a single call the symbols of a large program overflow the stack.
    for (const table of tables)
      if (table !== undefined) for (const symbol of await this.readSymbols(table)) symbols.push(symbol);
    symbols.sort((a, b) => a.address - b.address || b.size - a.size);
    return symbols;
  }

  private async readSymbols(table: Section): Promise<ElfSymbol[]> {
    const strings = this.sections[table.link];
    if (strings === undefined || table.size > MACHINE_LIMITS.symbols || strings.size > MACHINE_LIMITS.strings)
      return [];
    const text = await this.bytes(strings);
    const fields = new Fields(await this.bytes(table), this.littleEndian, this.hasWideFields);
    const size = this.hasWideFields ? 24 : 16;
    const found: ElfSymbol[] = [];
    for (let at = 0; at + size <= fields.length; at += size) {
      const info = fields.u8(at + (this.hasWideFields ? 4 : 12));
      const type = info & 15;
      const section = fields.u16(at + (this.hasWideFields ? 6 : 14));
      const address = fields.word(at + (this.hasWideFields ? 8 : 4));
      // Functions, indirect functions, and untyped global names of assembler code; not the undefined ones.
      if (section === 0 || address === 0 || !(type === 2 || type === 10 || (type === 0 && info >> 4 === 1))) continue;
      const length = this.hasWideFields ? fields.word(at + 16) : fields.u32(at + 8);
      found.push({ name: textAt(text, fields.u32(at)), address, size: length });
    }
    return found;
  }
}

/** Numbers of an ELF structure. Addresses beyond 2^53 (the kernel's) lose their lowest bits; none is looked up here. */
export class Fields {
  private readonly view: DataView;

  constructor(
    bytes: Uint8Array,
    private readonly littleEndian: boolean,
    private readonly wide: boolean,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.view.byteLength;
  }
  u8(at: number): number {
    return this.view.getUint8(at);
  }
  u16(at: number): number {
    return this.view.getUint16(at, this.littleEndian);
  }
  u32(at: number): number {
    return this.view.getUint32(at, this.littleEndian);
  }
  u64(at: number): number {
    const first = this.u32(at);
    const second = this.u32(at + 4);
    return this.littleEndian ? second * 2 ** 32 + first : first * 2 ** 32 + second;
  }
  /** An address-sized number. */
  word(at: number): number {
    return this.wide ? this.u64(at) : this.u32(at);
  }
}

interface Reading {
  readonly source: ByteSource;
  readonly littleEndian: boolean;
  readonly wide: boolean;
}

async function bytesAt(source: ByteSource, position: number, size: number): Promise<Uint8Array> {
  if (position + size > source.size) throw new ElfError('a header points behind the end of the file');
  const bytes = new Uint8Array(size);
  const length = await source.read(position, bytes);
  if (length < size) throw new ElfError('the file ends early');
  return bytes;
}

async function readSegments(reading: Reading, offset: number, size: number, count: number): Promise<Segment[]> {
  const { wide } = reading;
  if (count === 0 || count > MACHINE_LIMITS.segments || size < (wide ? 56 : 32)) return [];
  const fields = new Fields(await bytesAt(reading.source, offset, size * count), reading.littleEndian, wide);
  const segments: Segment[] = [];
  for (let i = 0; i < count; i++) {
    const at = i * size;
    if (fields.u32(at) !== SEGMENT_LOAD) continue;
    segments.push({
      offset: fields.word(at + (wide ? 8 : 4)),
      address: fields.word(at + (wide ? 16 : 8)),
      size: fields.word(at + (wide ? 32 : 16)),
      executable: (fields.u32(at + (wide ? 4 : 24)) & 1) !== 0,
    });
  }
  return segments;
}

async function readSections(
  reading: Reading,
  offset: number,
  size: number,
  count: number,
  nameIndex: number,
): Promise<Section[]> {
  const { wide } = reading;
  if (count === 0 || count > MACHINE_LIMITS.sections || size < (wide ? 64 : 40)) return [];
  const fields = new Fields(await bytesAt(reading.source, offset, size * count), reading.littleEndian, wide);
  const header = (i: number): Omit<Section, 'name'> & { nameAt: number } => {
    const at = i * size;
    return {
      nameAt: fields.u32(at),
      type: fields.u32(at + 4),
      flags: fields.word(at + 8),
      offset: fields.word(at + (wide ? 24 : 16)),
      size: fields.word(at + (wide ? 32 : 20)),
      link: fields.u32(at + (wide ? 40 : 24)),
      entrySize: fields.word(at + (wide ? 56 : 36)),
    };
  };
  if (nameIndex >= count) return [];
  const names = header(nameIndex);
  if (names.size > MACHINE_LIMITS.strings) throw new ElfError('its table of section names is too large');
  const text = await bytesAt(reading.source, names.offset, names.size);
  return Array.from({ length: count }, (_, i) => {
    const { nameAt, ...rest } = header(i);
    return { name: textAt(text, nameAt), ...rest };
  });
}

function textAt(bytes: Uint8Array, from: number): string {
  if (from >= bytes.length) return '';
  const end = bytes.indexOf(0, from);
  return new TextDecoder().decode(bytes.subarray(from, end < 0 ? bytes.length : end));
}

function hexadecimalDigits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
