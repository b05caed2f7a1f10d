import { execFileSync } from 'node:child_process';
import { deflateSync } from 'node:zlib';

/** Writes the parts of a Darshan log as the format describes them, for what no real log at hand holds. */
export class Words {
  private readonly parts: Buffer[] = [];

  constructor(private readonly littleEndian = true) {}

  /** Integers of 64 bits. */
  int(...values: readonly (number | bigint)[]): this {
    for (const value of values) {
      const word = Buffer.alloc(8);
      const bits = BigInt.asUintN(64, BigInt(value));
      if (this.littleEndian) word.writeBigUInt64LE(bits);
      else word.writeBigUInt64BE(bits);
      this.parts.push(word);
    }
    return this;
  }

  float(...values: readonly number[]): this {
    for (const value of values) {
      const word = Buffer.alloc(8);
      if (this.littleEndian) word.writeDoubleLE(value);
      else word.writeDoubleBE(value);
      this.parts.push(word);
    }
    return this;
  }

  /** Integers of 32 bits. */
  short(...values: readonly number[]): this {
    for (const value of values) {
      const word = Buffer.alloc(4);
      if (this.littleEndian) word.writeInt32LE(value);
      else word.writeInt32BE(value);
      this.parts.push(word);
    }
    return this;
  }

  /** Text in a field of so many bytes, filled up with NUL. */
  text(text: string, bytes: number): this {
    const field = Buffer.alloc(bytes);
    field.write(text);
    this.parts.push(field);
    return this;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }
}

export interface WrittenModule {
  /** Number of the module in this version of the format. */
  readonly slot: number;
  readonly version: number;
  /** Unpacked bytes; each becomes a stream of its own. */
  readonly streams: readonly Uint8Array[];
  /** Streams that are packed already stand behind them. */
  readonly packed?: readonly Buffer[];
  /** What the header says instead of the truth. */
  readonly offset?: number;
  readonly length?: number;
}

export interface WrittenLog {
  readonly version?: string;
  readonly littleEndian?: boolean;
  readonly packing?: 'zlib' | 'bzip2' | 'none';
  /** What the header says instead. */
  readonly packingByte?: number;
  readonly flags?: bigint;
  readonly command?: string;
  readonly processes?: number;
  readonly mounts?: readonly (readonly [point: string, type: string])[];
  readonly names?: readonly (readonly [id: bigint, name: string])[];
  readonly modules?: readonly WrittenModule[];
  /** Texts of the two tables of the variant with call stacks. */
  readonly tables?: readonly [posix: string, mpiIo: string];
}

const PACKINGS = ['zlib', 'bzip2', 'none'] as const;

export function writeLog(log: WrittenLog): Buffer {
  const { version = '3.41', littleEndian = true, packing = 'zlib', modules = [] } = log;
  const isWide = Number(version.split('.')[1]) >= 41 || Number(version.split('.')[0]) > 3;
  const pack = (bytes: Uint8Array): Buffer => packed(bytes, packing);
  const job = pack(jobBytes(log, littleEndian, isWide));
  const names = Buffer.concat((log.names ?? []).map((name) => nameBytes(name, littleEndian, version)));
  const nameRegion = names.length === 0 ? Buffer.alloc(0) : pack(names);
  const regions = modules.map(({ streams, packed: more = [] }) => Buffer.concat([...streams.map(pack), ...more]));
  const slots = isWide ? 64 : 16;
  const tables = Buffer.concat((log.tables ?? []).map((text) => new Words().text(text, 4096).bytes));
  const headerBytes = (isWide ? 1328 : 360) + tables.length;
  const map = Array.from({ length: slots }, (): [number, number, number] => [0, 0, 0]);
  let at = headerBytes + job.length + nameRegion.length;
  modules.forEach((module, index) => {
    const { length } = regions[index]!;
    map[module.slot] = [module.offset ?? at, module.length ?? length, module.version];
    at += length;
  });
  const header = new Words(littleEndian).text(version, 8).int(6567223);
  const packingByte = String.fromCharCode(log.packingByte ?? PACKINGS.indexOf(packing));
  if (isWide) header.text(packingByte, 8).int(log.flags ?? 0n);
  else header.text(packingByte, 4).short(Number(log.flags ?? 0n));
  header.int(nameRegion.length === 0 ? 0 : headerBytes + job.length, nameRegion.length);
  for (const [offset, length] of map) header.int(offset, length);
  header.short(...map.map(([, , moduleVersion]) => moduleVersion));
  return Buffer.concat([header.bytes, tables, job, nameRegion, ...regions]);
}

function packed(bytes: Uint8Array, packing: 'zlib' | 'bzip2' | 'none'): Buffer {
  if (packing === 'none') return Buffer.from(bytes);
  return packing === 'zlib' ? deflateSync(bytes) : execFileSync('bzip2', ['-c'], { input: bytes });
}

function jobBytes(log: WrittenLog, littleEndian: boolean, isWide: boolean): Buffer {
  const { command = './program', processes = 4, mounts = [['/', 'ext4']] } = log;
  const words = new Words(littleEndian).int(1000);
  if (isWide) words.int(1_700_000_000, 500_000_000, 1_700_000_010, 750_000_000, processes, 42);
  else words.int(1_700_000_000, 1_700_000_010, processes, 42);
  const text = [command, ...mounts.map(([point, type]) => `${type}\t${point}`)].join('\n');
  return words.text('lib_ver=3.5.0\nh=no\n', 1024).text(text, Buffer.byteLength(text) + 1).bytes;
}

function nameBytes([id, name]: readonly [bigint, string], littleEndian: boolean, version: string): Buffer {
  const length = Buffer.byteLength(name);
  const words = new Words(littleEndian).int(id);
  if (version === '3.00') return words.short(length).text(name, length).bytes;
  return words.text(name, length + 1).bytes;
}
