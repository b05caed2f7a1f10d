import { Decompress } from 'fzstd';
import { DEBUG_SECTIONS, type DebugSection } from '../core/addr2line.ts';
import { ElfError, Fields, type ElfFile, type Section } from './elf.ts';

const COMPRESSED = 0x800;
const ZLIB = 1;
const ZSTD = 2;
/** A section that claims to unpack to more than this is taken for a bomb. */
const LARGEST_SECTION = 2 ** 31;

/**
 * The debug sections of an ELF file, decompressed while they are handed over: only they are read, never the whole file.
 * Compression is that of the ABI (SHF_COMPRESSED with zlib or zstd) or the older `.zdebug_…` of GNU.
 */
export async function debugSections(elf: ElfFile, supplementary = false): Promise<DebugSection[]> {
  const found: DebugSection[] = [];
  for (const name of DEBUG_SECTIONS) {
    const plain = elf.section(name);
    const old = elf.section(name.replace('.debug', '.zdebug'));
    if (plain !== undefined) found.push(await describe(elf, plain, name, supplementary));
    else if (old !== undefined) found.push(await describeOld(elf, old, name, supplementary));
  }
  return found;
}

async function describe(elf: ElfFile, section: Section, name: string, supplementary: boolean): Promise<DebugSection> {
  if ((section.flags & COMPRESSED) === 0) {
    const fill = (target: Uint8Array): Promise<void> => elf.readInto(section, 0, target);
    return { name, size: section.size, supplementary, fill };
  }
  const headerSize = elf.hasWideFields ? 24 : 12;
  const header = new Uint8Array(headerSize);
  await elf.readInto(section, 0, header);
  const fields = new Fields(header, elf.littleEndian, elf.hasWideFields);
  const method = fields.u32(0);
  const size = fields.word(elf.hasWideFields ? 8 : 4);
  if (method !== ZLIB && method !== ZSTD) throw new ElfError(`${section.name} is compressed in an unknown way`);
  return { name, size: checked(section, size), supplementary, fill: unpacker(elf, section, headerSize, method) };
}

/** `ZLIB`, then the size as a big-endian number of 8 bytes, then the data. */
async function describeOld(
  elf: ElfFile,
  section: Section,
  name: string,
  supplementary: boolean,
): Promise<DebugSection> {
  const header = new Uint8Array(12);
  await elf.readInto(section, 0, header);
  if (new TextDecoder().decode(header.subarray(0, 4)) !== 'ZLIB') throw new ElfError(`${section.name} is not readable`);
  const size = checked(section, new Fields(header, false, true).u64(4));
  return { name, size, supplementary, fill: unpacker(elf, section, 12, ZLIB) };
}

function checked(section: Section, size: number): number {
  if (size > LARGEST_SECTION) throw new ElfError(`${section.name} claims to unpack to ${size} bytes`);
  return size;
}

function unpacker(elf: ElfFile, section: Section, from: number, method: number): DebugSection['fill'] {
  return async (target) => {
    const packed = new Uint8Array(section.size - from);
    await elf.readInto(section, from, packed);
    const length = method === ZLIB ? await inflate(packed, target) : unzstandard(packed, target);
    if (length !== target.length)
      throw new ElfError(`${section.name} unpacks to ${length} bytes, not ${target.length}`);
  };
}

/** Writes a piece where it belongs; what is beyond the announced size is not kept, only counted. */
function put(target: Uint8Array, at: number, piece: Uint8Array): number {
  if (at + piece.length <= target.length) target.set(piece, at);
  return at + piece.length;
}

async function inflate(packed: Uint8Array, target: Uint8Array): Promise<number> {
  const plain = new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate'));
  let at = 0;
  for await (const piece of plain) {
    at = put(target, at, piece as Uint8Array);
    if (at > target.length) break;
  }
  return at;
}

function unzstandard(packed: Uint8Array, target: Uint8Array): number {
  let at = 0;
  const decoder = new Decompress((piece) => {
    at = put(target, at, piece);
  });
  decoder.push(packed, true);
  return at;
}
