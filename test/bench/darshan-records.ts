import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { writeLog } from '../support/darshan/darshan-writer.ts';

/**
 * Writes a Darshan log with a million POSIX records, each of a file of its own: what a job of 65,536 processes leaves that
 * opens 16 files in each. As in real logs most counters are the same nearly everywhere.
 */
const [, , location, count] = process.argv;
const RECORD_BYTES = 704;
const STREAM_RECORDS = 10_000;
const total = Number(count);
const packed: Buffer[] = [];
for (let first = 0; first < total; first += STREAM_RECORDS) {
  const records = Buffer.alloc(STREAM_RECORDS * RECORD_BYTES);
  for (let i = 0; i < STREAM_RECORDS; i++) {
    const at = i * RECORD_BYTES;
    const number = first + i;
    records.writeBigUInt64LE(identifier(number), at);
    records.writeBigInt64LE(BigInt(Math.floor(number / 16)), at + 8);
    const integer = (index: number, value: number): number =>
      records.writeBigInt64LE(BigInt(value), at + 16 + index * 8);
    integer(0, 1);
    integer(3, 1 + (number % 13));
    integer(14, number * 4096);
    integer(16, number * 4096 - 1);
    for (let float = 0; float < 11; float++) records.writeDoubleLE(number / 1e4 + float, at + 16 + (69 + float) * 8);
  }
  packed.push(deflateSync(records, { level: 1 }));
}
const names = Array.from(
  { length: total },
  (_, i) => [identifier(i), `/scratch/project/run/output/part.${i}.dat`] as const,
);
writeFileSync(
  location!,
  writeLog({ names, processes: 65_536, modules: [{ slot: 1, version: 4, streams: [], packed }] }),
);

/** Identifiers of records are hashes: they do not pack. */
function identifier(number: number): bigint {
  return BigInt.asUintN(64, BigInt(number + 1) * 0x9e3779b97f4a7c15n);
}
