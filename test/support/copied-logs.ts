import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { DarshanLog } from '../../src/readers/darshan/darshan-log.ts';
import type { LogHeader } from '../../src/readers/darshan/log-header.ts';
import { PackedBytes } from '../../src/session/reading/compression/unpack.ts';
import { MemorySource } from '../../src/session/machine/local-source.ts';
import type { Packing } from '../../src/trace/byte-source.ts';
import { DamageLog } from '../../src/trace/damage.ts';

/** What a copy says of its job instead. */
export interface CopiedJob {
  readonly jobId: number | bigint;
  /** Seconds that the job starts and ends later. */
  readonly later?: number;
}

/** Places of the job's words of 8 bytes, and of the header's map (formats/darshan.md): logs of 3.41, and older ones. */
const WIDE = { seconds: [1, 3], jobId: 6, names: 32, regions: 48, slots: 64 } as const;
const NARROW = { seconds: [1, 2], jobId: 4, names: 24, regions: 40, slots: 16 } as const;

/** A log whose job region can be written anew. */
export class CopiedLog {
  private constructor(
    private readonly bytes: Buffer,
    private readonly header: LogHeader,
    private readonly region: { readonly offset: number; readonly length: number },
    private readonly packing: Packing,
    private readonly job: Buffer,
  ) {}

  static async of(bytes: Buffer): Promise<CopiedLog> {
    const log = await DarshanLog.open(new PackedBytes(MemorySource.of(bytes)), 'a log to be copied', new DamageLog());
    const { offset, length } = log.map.jobRegion;
    const job = unpacked(bytes.subarray(offset, offset + length), log.packing);
    return new CopiedLog(bytes, log.header, log.map.jobRegion, log.packing, job);
  }

  /** The same log of another job: everything but the job's number and times is as it was. */
  as({ jobId, later = 0 }: CopiedJob): Buffer {
    const { minor, littleEndian } = this.header;
    const layout = minor >= 41 ? WIDE : NARROW;
    const job = Buffer.from(this.job);
    const view = new DataView(job.buffer, job.byteOffset, job.length);
    view.setBigInt64(layout.jobId * 8, BigInt(jobId), littleEndian);
    for (const word of layout.seconds) {
      const seconds = view.getBigInt64(word * 8, littleEndian);
      if (seconds > 0n) view.setBigInt64(word * 8, seconds + BigInt(later), littleEndian);
    }
    const { offset, length } = this.region;
    const stored = packed(job, this.packing);
    const copy = Buffer.concat([this.bytes.subarray(0, offset), stored, this.bytes.subarray(offset + length)]);
    this.moveRegions(copy, layout, stored.length - length);
    return copy;
  }

  /** What stands behind the job has moved. */
  private moveRegions(copy: Buffer, { names, regions, slots }: typeof WIDE | typeof NARROW, by: number): void {
    const view = new DataView(copy.buffer, copy.byteOffset, copy.length);
    const { littleEndian } = this.header;
    for (const at of [names, ...Array.from({ length: slots }, (_, slot) => regions + slot * 16)]) {
      const offset = view.getBigUint64(at, littleEndian);
      if (offset > 0n) view.setBigUint64(at, offset + BigInt(by), littleEndian);
    }
  }
}

/**
 * Copies logs under fresh job numbers, a thousand to a folder.
 * @param later seconds that each copy starts after the one before.
 * @returns the copies' paths.
 */
export async function copyLogs(
  logs: readonly string[],
  folder: string,
  count: number,
  { firstJob = 1_000_000, later = 60 }: { readonly firstJob?: number; readonly later?: number } = {},
): Promise<string[]> {
  const originals = await Promise.all(logs.map((log) => CopiedLog.of(readFileSync(log))));
  return Array.from({ length: count }, (_, index) => {
    const inner = path.join(folder, String(Math.floor(index / 1000)));
    if (index % 1000 === 0) mkdirSync(inner, { recursive: true });
    const from = index % logs.length;
    const file = path.join(inner, `${path.basename(logs[from]!, '.darshan')}_id${firstJob + index}.darshan`);
    writeFileSync(file, originals[from]!.as({ jobId: firstJob + index, later: index * later }));
    return file;
  });
}

function unpacked(bytes: Buffer, packing: Packing): Buffer {
  if (packing === 'none') return Buffer.from(bytes);
  return packing === 'zlib' ? inflateSync(bytes) : execFileSync('bzip2', ['-dc'], { input: bytes });
}

function packed(bytes: Buffer, packing: Packing): Buffer {
  if (packing === 'none') return bytes;
  return packing === 'zlib' ? deflateSync(bytes) : execFileSync('bzip2', ['-c'], { input: bytes });
}
