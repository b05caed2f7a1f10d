import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readOtf2 } from '../../src/readers/otf2/otf2-reader.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { archiveOf, readArchive } from '../support/otf2/otf2-archives.ts';
import { printedStories, recordedStories, withoutOwnOffsets } from '../support/otf2/otf2-print.ts';
import { ArchiveWriter } from '../support/otf2/otf2-writer.ts';

const ARCHIVES = [
  'meta_locks',
  'aio_nonblocking',
  'collective_write_agg',
  'data_sieving_read',
  'hl_write_split',
  'btio_full',
  'btio_simple',
];
const hasTool = spawnSync('otf2-print', ['--version']).status === 0;

/** Expects the trace to tell the same as the text. @param ids of the locations, by stream. */
function expectSame(trace: Trace, text: string, ids: readonly string[], ticksOf: (ns: number) => number): void {
  const printed = printedStories(text);
  expect([...printed.keys()].sort()).toEqual([...ids].sort());
  recordedStories(trace, ticksOf).forEach((story, stream) => {
    const other = printed.get(ids[stream]!)!;
    expect(story.functions).toEqual(other.functions);
    expect(withoutOwnOffsets(story.operations, other.operations)).toEqual(other.operations);
    // A record stands where it was made, a row where its function was entered.
    expect(story.handles.toSorted()).toEqual(other.handles.toSorted());
    expect(story.messages).toEqual(other.messages);
    expect(other.functions.length).toBeGreaterThan(0);
  });
}

const idsOf = (trace: Trace): string[] => trace.parts.map(({ name }) => /(\d+)\.evt$/.exec(name)![1]!);

describe.each(ARCHIVES)('%s', (name) => {
  const folder = corpus(`otf2/${name}`);

  test.skipIf(folder === undefined)(
    folder === undefined ? absent(`otf2/${name}`) : 'is read as otf2-print printed it',
    async () => {
      const text = gunzipSync(readFileSync(path.join(folder!, `${name}.print.txt.gz`))).toString();
      const trace = await readArchive(folder!);
      const offset = Number(/Global Offset: (\d+)/.exec(text)![1]);
      expectSame(trace, text, idsOf(trace), (ns) => ns + offset);
    },
  );
});

/** An archive with everything in which a writer may differ: byte order, chunks, mappings, clocks that drift, other ticks. */
function madeArchive(littleEndian: boolean): Map<string, Uint8Array> {
  const writer = new ArchiveWriter({ littleEndian, chunkBytes: 256 << 10, globalOffset: 10n ** 16n });
  writer.processes(2).paradigms();
  writer.region(0, 'main', 1, 1, 'made.c', 3).region(7, 'pwrite', 27, 0).region(300, 'read', 27, 0);
  writer.file(0, '/scratch/a').handle(0, 0, 0).handle(1, 0, 0);
  for (const [rank, id] of [0n, 1n << 40n].entries()) {
    const local = writer.local(id);
    const isSparse = rank === 1;
    local.record(5, (fields) =>
      fields
        .u8(3)
        .c64(isSparse ? 2 : 3)
        .u8(isSparse ? 1 : 0)
        .c64(isSparse ? 1 : 0)
        .c64(isSparse ? 7 : 0)
        .c64(isSparse ? 2 : 7)
        .c64(300)
        .c64(300),
    );
    // Handle 0 of the second process is the archive's handle 1.
    if (isSparse) local.record(5, (fields) => fields.u8(13).c64(1).u8(1).c64(0).c64(1));
    for (const [at, offset] of [
      [0n, 100],
      [1_000_000n, -3000],
      [2_000_001n, 45],
    ] as const) {
      local.record(6, (fields) =>
        fields
          .fixed(10n ** 16n + at, 8)
          .i64(offset)
          .fixed(0, 8),
      );
    }
    const events = writer.location(id, rank);
    let ticks = 10n ** 16n + 5000n;
    events.time(ticks).enter(0);
    for (let step = 0; step < 6000; step++) {
      const isWrite = step % 3 !== 0;
      events.time((ticks += 17n)).enter(isWrite ? 1 : 2);
      events.begin(
        0,
        isWrite ? 'write' : 'read',
        0,
        100 + step,
        0xffff_ffff_ffff_fff0n,
        isWrite ? step * 70_000 : undefined,
      );
      // A record of a type that nobody knows, and one with fields that were added later, in the long form.
      if (step % 50 === 0) events.event(0x0b, (fields) => fields.u8(1));
      events.time((ticks += 333n)).complete(0, 100, 0xffff_ffff_ffff_fff0n);
      events.leave(isWrite ? 1 : 2);
    }
    events.time(ticks + 5n).leave(0);
  }
  return writer.finish();
}

describe.each([
  ['little', true],
  ['big', false],
])('an archive in %s endian that was made here', (_, littleEndian) =>
  test.skipIf(!hasTool)('is to otf2-print what it is to the reader', async () => {
    const files = madeArchive(littleEndian);
    const folder = mkdtempSync(path.join(tmpdir(), 'otf2-'));
    try {
      for (const [name, bytes] of files) {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        writeFileSync(path.join(folder, name), bytes);
      }
      const text = execFileSync('otf2-print', [path.join(folder, 'traces.otf2')], {
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      }).toString();
      const trace = await readOtf2(archiveOf(files));
      expect(trace.damage).toEqual([]);
      // Beyond 2^53 no number is exact: the text's ticks are compared as differences.
      const relative = text.replace(
        /^([A-Z_]+ +\d+ +)(\d{16,})/gm,
        (__, head: string, ticks: string) => `${head}${BigInt(ticks) - 10n ** 16n}`,
      );
      expectSame(trace, relative, idsOf(trace), (ns) => ns);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }),
);
