import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { writeLog } from '../../support/darshan/darshan-writer.ts';

/**
 * Writes a Darshan log with DXT segments of many processes, each of which writes small blocks of a shared file and of one of
 * its own, and reads some of them again.
 *
 * Usage: darshan-segments.mjs FILE RANKS SEGMENTS_A_RANK
 */
const [, , location, ranks, segments] = process.argv;
const [HEAD_BYTES, SEGMENT_BYTES, SHARED] = [104, 40, 0x1234_5678n];
const each = Math.floor(Number(segments) / 4);
const ownFile = (rank: number): bigint => BigInt.asUintN(64, BigInt(rank + 1) * 0x9e37_79b9_7f4a_7c15n);

function record(file: bigint, rank: number): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + 2 * each * SEGMENT_BYTES);
  bytes.writeBigUInt64LE(file, 0);
  bytes.writeBigInt64LE(BigInt(rank), 8);
  bytes.write(`nid${String(rank >> 6).padStart(5, '0')}`, 24);
  bytes.writeBigInt64LE(BigInt(each), 88);
  bytes.writeBigInt64LE(BigInt(each), 96);
  for (let i = 0; i < 2 * each; i++) {
    const at = HEAD_BYTES + i * SEGMENT_BYTES;
    const start = (rank % 97) / 1e4 + i / 1e3 + (file === SHARED ? 0 : 5e-4);
    bytes.writeBigInt64LE(BigInt(((i % each) * (file === SHARED ? Number(ranks) : 1) + rank) * 4096), at);
    bytes.writeBigInt64LE(4096n, at + 8);
    bytes.writeDoubleLE(start, at + 16);
    bytes.writeDoubleLE(start + 1e-5 * (1 + (i % 13)), at + 24);
  }
  return bytes;
}

const names: [id: bigint, name: string][] = [[SHARED, '/scratch/run/shared.dat']];
const packed: Buffer[] = [];
for (let rank = 0; rank < Number(ranks); rank++) {
  names.push([ownFile(rank), `/scratch/run/part.${rank}.dat`]);
  packed.push(deflateSync(Buffer.concat([record(SHARED, rank), record(ownFile(rank), rank)]), { level: 1 }));
}
const DXT_POSIX = { slot: 10, version: 2, streams: [], packed };
writeFileSync(location!, writeLog({ names, processes: Number(ranks), modules: [DXT_POSIX] }));
