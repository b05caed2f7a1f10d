import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deflateSync } from 'node:zlib';
import { CaptureFile } from '../../../../test/support/recorder/capture-writer.ts';
import { memoryFile } from '../../../../test/support/memory-file.ts';
import { expectSound } from '../../../../test/support/sound-trace.ts';
import { contentOf } from '../../../../test/support/trace-content.ts';
import type { Trace } from '../../../trace/trace.ts';
import { readCapture } from '../capture-reader.ts';
import { fileHeader, MERGED_VERSION } from '../chunks.ts';
import { memberHeader, wholeWords } from './merged-files.ts';

/** A process that writes a number of times. */
function processFile(pid: number, writes: number): Uint8Array {
  const file = new CaptureFile({ pid });
  file.call('POSIX', 'open', 'plr', [`data-${pid}`, 0o1101, 3], [0, 5]);
  for (let i = 1; i <= writes; i++) file.call('POSIX', 'write', 'fnr', [3, 8, 8], [100 * i, 100 * i + 50]);
  return file.bytes();
}

function merged(...files: readonly Uint8Array[]): Uint8Array {
  const parts = files.flatMap((bytes, i) => {
    const packed = deflateSync(bytes);
    const room = new Uint8Array(wholeWords(packed.length));
    room.set(packed);
    return [memberHeader(`p-${i}.iorec`, packed.length, i), room];
  });
  return Buffer.concat([fileHeader(MERGED_VERSION), ...parts]);
}

const FILES = [processFile(100, 3), processFile(101, 0), processFile(102, 300)];
const read = (...files: Uint8Array[]): Promise<Trace> =>
  readCapture(files.map((bytes, i) => memoryFile(`p-${i}.iorec`, bytes)));

describe('merged files', () => {
  test('are what they were made of', async () => {
    const apart = await read(...FILES);
    expect(apart.events.length).toBe(306);
    expect(contentOf(await read(merged(...FILES)))).toEqual(contentOf(apart));
    expect((await read(merged(...FILES.slice(0, 2)), FILES[2]!)).events.length).toBe(306);
  });

  test('a process whose header is damaged is told, and left out', async () => {
    const bytes = merged(...FILES);
    bytes[16 + 41]! ^= 1;
    const trace = await read(bytes);
    expectSound(trace);
    expect(trace.events.length).toBe(302);
    expect(trace.damage).toMatchObject([{ where: 'p-0.iorec, byte 16', lost: 'the calls in it' }]);
  });

  test('damage within a process leaves the others', async () => {
    const bytes = merged(...FILES);
    bytes[16 + 56 + 40]! ^= 0x55;
    const trace = await read(bytes);
    expectSound(trace);
    expect(trace.events.length).toBeGreaterThanOrEqual(302);
    expect(trace.damage.length).toBeGreaterThan(0);
  });

  test('whatever is cut off or changed is told, and nothing fails', async () => {
    const whole = merged(...FILES);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 17), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = whole.slice();
        changed[16 + at]! ^= change;
        for (const bytes of [changed, whole.slice(0, 16 + at)]) {
          const trace = await read(processFile(99, 1), bytes);
          expectSound(trace);
          expect(trace.events.length).toBeLessThanOrEqual(308);
        }
      }),
    );
  });

  test('a merged file within a merged file is refused', async () => {
    const trace = await read(FILES[0]!, merged(merged(...FILES)));
    expect(trace.events.length).toBe(4);
    expect(trace.damage).toMatchObject([{ what: expect.stringContaining('is a part of') as string }]);
  });
});
