import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { writeLog } from '../../support/darshan/darshan-writer.ts';

/**
 * Writes a Darshan log with counters and DXT segments of many processes, each of which writes small blocks of a shared file
 * and of one of its own, and reads them again. Versions of the modules are those that other tools read, too.
 *
 * Usage: darshan-segments.mjs FILE RANKS SEGMENTS_A_RANK
 */
const [, , location, ranks, segments] = process.argv;
const [HEAD_BYTES, SEGMENT_BYTES, RECORD_BYTES, BLOCK] = [104, 32, 704, 4096];
const [POSIX, DXT_POSIX] = [1, 10];
const SHARED = 0x1234_5678n;
/** Places of POSIX counters: opens, reads, writes, bytes read, bytes written, small reads, small writes. */
const COUNTERS = [0, 3, 4, 14, 15, 46, 56] as const;
const [FIRST_TIME, READ_TIME, WRITE_TIME] = [69, 77, 78];
const each = Math.floor(Number(segments) / 4);
const ownFile = (rank: number): bigint => BigInt.asUintN(64, BigInt(rank + 1) * 0x9e37_79b9_7f4a_7c15n);

function duration(i: number): number {
  return 1e-5 * (1 + (i % 13));
}

function traced(file: bigint, rank: number): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + 2 * each * SEGMENT_BYTES);
  bytes.writeBigUInt64LE(file, 0);
  bytes.writeBigInt64LE(BigInt(rank), 8);
  bytes.write(`nid${String(rank >> 6).padStart(5, '0')}`, 24);
  bytes.writeBigInt64LE(BigInt(each), 88);
  bytes.writeBigInt64LE(BigInt(each), 96);
  for (let i = 0; i < 2 * each; i++) {
    const at = HEAD_BYTES + i * SEGMENT_BYTES;
    const start = (rank % 97) / 1e4 + i / 1e3 + (file === SHARED ? 0 : 5e-4);
    const place = file === SHARED ? (i % each) * Number(ranks) + rank : i % each;
    bytes.writeBigInt64LE(BigInt(place * BLOCK), at);
    bytes.writeBigInt64LE(BigInt(BLOCK), at + 8);
    bytes.writeDoubleLE(start, at + 16);
    bytes.writeDoubleLE(start + duration(i), at + 24);
  }
  return bytes;
}

function counted(file: bigint, rank: number): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES);
  bytes.writeBigUInt64LE(file, 0);
  bytes.writeBigInt64LE(BigInt(rank), 8);
  const values = [1, each, each, each * BLOCK, each * BLOCK, each, each];
  COUNTERS.forEach((counter, i) => bytes.writeBigInt64LE(BigInt(values[i]!), 16 + counter * 8));
  for (let time = FIRST_TIME; time < READ_TIME; time++)
    bytes.writeDoubleLE(rank / 1e6 + 2 * each * 1e-3, 16 + time * 8);
  for (const time of [READ_TIME, WRITE_TIME]) bytes.writeDoubleLE(each * 7e-5, 16 + time * 8);
  return bytes;
}

const names: [id: bigint, name: string][] = [[SHARED, '/scratch/run/shared.dat']];
const packed: Buffer[] = [];
const counters: Buffer[] = [];
for (let rank = 0; rank < Number(ranks); rank++) {
  const own = ownFile(rank);
  names.push([own, `/scratch/run/part.${rank}.dat`]);
  packed.push(deflateSync(Buffer.concat([traced(SHARED, rank), traced(own, rank)]), { level: 1 }));
  counters.push(counted(SHARED, rank), counted(own, rank));
}
const modules = [
  { slot: POSIX, version: 4, streams: [Buffer.concat(counters)] },
  { slot: DXT_POSIX, version: 1, streams: [], packed },
];
writeFileSync(location!, writeLog({ names, processes: Number(ranks), modules }));
