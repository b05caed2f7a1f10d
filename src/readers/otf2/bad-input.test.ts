import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { corpus } from '../../../test/support/corpus.ts';
import { archiveBytes, archiveOf } from '../../../test/support/otf2/otf2-archives.ts';
import { ArchiveWriter } from '../../../test/support/otf2/otf2-writer.ts';
import { expectSound } from '../../../test/support/sound-trace.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { archiveFiles } from './otf2-folder.ts';
import { readOtf2 } from './otf2-reader.ts';
import { rounds } from '../../../test/support/rounds.ts';

/** Where the anchor says how files are stored: behind mark, name and versions of the format, and two sizes of chunks. */
const SUBSTRATE = 2 + 5 + 5 + 16;

type Files = Map<string, Uint8Array>;

const read = (files: Files): Promise<Trace> => readOtf2(archiveOf(files));
const damageOf = ({ damage }: Trace): string[] => damage.map(({ where, what, lost }) => `${where}: ${what} (${lost})`);

/** One process that opens, writes and closes a file. */
function small(change: (writer: ArchiveWriter) => void = () => undefined): Files {
  const writer = new ArchiveWriter().processes(1).paradigms();
  writer
    .region(0, 'main', 1, 1, 'made.c', 3)
    .region(1, 'open', 38, 0)
    .region(2, 'write', 27, 0)
    .region(3, 'close', 38, 0);
  writer.file(0, '/scratch/a').handle(0, 0, 0);
  const events = writer.location(0n, 0);
  events.time(10).enter(0).enter(1).create(0, 1, 3, 0).time(20).leave(1);
  events.time(30).enter(2).begin(0, 'write', 0, 100, 0).time(50).complete(0, 100, 0).leave(2);
  events.time(60).enter(3).destroy(0).time(70).leave(3).leave(0);
  change(writer);
  return writer.finish();
}

describe('archives that are damaged', () => {
  let archives: Files[] = [];
  beforeAll(async () => {
    const names = ['meta_locks', 'aio_nonblocking', 'collective_write_agg'];
    archives = await Promise.all(names.map((name) => archiveBytes(corpus(`otf2/${name}`)!)));
  });

  test('claims more events than there is memory for: they are read as they are, and the claim is said', async () => {
    const claimed = await read(
      small((writer) =>
        writer.define(14, (f) =>
          f
            .c64(5n)
            .c32(0)
            .u8(1)
            .c64(1n << 60n)
            .c32(0),
        ),
      ),
    );
    const honest = await read(small());
    expect(claimed.functions!.length).toBe(honest.functions!.length);
    expect(claimed.events.length).toBe(honest.events.length);
    expect(damageOf(claimed).join('\n')).toContain(`${2 ** 60} events`);
  });

  test('cut anywhere: what stands before is kept, and what is missing is said', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.nat(), fc.nat(), async (which, file, at) => {
        const files = new Map(archives[which]);
        const names = [...files.keys()];
        const name = names[file % names.length]!;
        const bytes = files.get(name)!;
        const kept = at % bytes.length;
        files.set(name, bytes.subarray(0, kept));
        const trace = await read(files).catch((error: unknown) => error);
        if (trace instanceof UnreadableRecordingError) {
          expect(name).toMatch(/^traces\.(otf2|def)$/);
          return;
        }
        if (trace instanceof Error) throw trace;
        expectSound(trace as Trace);
        // Of the anchor the last fields are not needed, and of the others the mark behind the end mark.
        if (name !== 'traces.otf2' && kept < bytes.length - 1) expect((trace as Trace).damage).not.toEqual([]);
      }),
      { numRuns: rounds(150) },
    );
  }, 60_000);

  test('bytes changed anywhere: nothing breaks, and the trace is sound', async () => {
    const flip = fc.record({ file: fc.nat(), at: fc.nat(), bit: fc.nat(7) });
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.array(flip, { minLength: 1, maxLength: 4 }), async (which, flips) => {
        const files = new Map(archives[which]);
        const names = [...files.keys()];
        for (const { file, at, bit } of flips) {
          const name = names[file % names.length]!;
          const bytes = files.get(name)!.slice();
          bytes[at % bytes.length]! ^= 1 << bit;
          files.set(name, bytes);
        }
        const trace = await read(files).catch((error: unknown) => error);
        if (trace instanceof UnreadableRecordingError) return;
        if (trace instanceof Error) throw trace;
        expectSound(trace as Trace);
      }),
      { numRuns: rounds(300) },
    );
  }, 60_000);
});

describe('what is missing or wrong', () => {
  test('a small archive is sound', async () => {
    const trace = await read(small());
    expect(trace.damage).toEqual([]);
    expectSound(trace);
    expect(trace.events.length).toBe(3);
  });

  test('a location without a file', async () => {
    const files = small();
    files.delete('traces/0.evt');
    expect(damageOf(await read(files))).toEqual([
      'traces/0.evt: it is missing; 12 events of MPI Rank 0, Master thread are defined (all of them)',
    ]);
  });

  test('a file of a location that is not defined', async () => {
    const files = small();
    files.set('traces/77.evt', files.get('traces/0.evt')!);
    expect(damageOf(await read(files))).toEqual(['traces/77.evt: location 77 is not defined (its events)']);
  });

  test('no global definitions', async () => {
    const files = small();
    files.delete('traces.def');
    await expect(read(files)).rejects.toThrow('traces.def is missing');
  });

  test.each([
    ['SION containers', SUBSTRATE, 2, 'SION'],
    ['files packed with zlib', SUBSTRATE + 1, 2, 'zlib'],
  ])('%s are refused in words', async (_, at, value, words) => {
    const files = small();
    const anchor = files.get('traces.otf2')!.slice();
    anchor[at] = value;
    files.set('traces.otf2', anchor);
    await expect(read(files)).rejects.toThrow(words);
  });

  test('references to nothing: the call is kept, and so is what is known of it', async () => {
    const files = small((writer) => {
      writer.handle(9, 5, 3);
      const events = writer.location(1n << 33n, 0, 'thread');
      events.time(15).enter(40).begin(8, 'write', 0, 7, 1).time(16).complete(8, 7, 1).leave(40);
    });
    const trace = await read(files);
    expectSound(trace);
    const row = trace.events.length - 1;
    expect([trace.events.value('handle', row), trace.events.value('bytes', row)]).toEqual([NONE, 7]);
    expect(trace.functions!.functions.map(({ name }) => name)).toContain('region 40 (not defined)');
    const words = damageOf(trace).join('\n');
    expect(words).toContain('file 5 is used and not defined');
    expect(words).toContain('region 40 is used and not defined');
    expect(words).toContain('I/O handle 8 is used and not defined');
  });

  test('begin without complete, complete without begin, leave without enter, enter without leave', async () => {
    const files = small((writer) => {
      const events = writer.location(5n, 0, 'thread');
      events.time(100).leave(2).enter(0).enter(2).begin(0, 'write', 0, 9, 1).time(120).leave(2).complete(0, 5, 99);
    });
    const trace = await read(files);
    expectSound(trace);
    const row = trace.events.length - 1;
    expect(trace.events.value('flags', row) & EVENT_FLAGS.neverReturned).toBeTruthy();
    expect(trace.events.value('duration', row)).toBeNaN();
    expect(damageOf(trace)).toEqual([
      expect.stringContaining('write is left and was not entered (this call)'),
      expect.stringContaining('the events end inside 1 functions (main)'),
      expect.stringContaining('1 I/O operations are begun and not complete'),
      expect.stringContaining('1 I/O operations are complete and not begun'),
    ]);
  });

  test('functions that are left in the wrong order', async () => {
    const trace = await read(
      small((writer) => {
        writer.location(5n, 0).time(100).enter(0).enter(2).enter(3).time(130).leave(0);
      }),
    );
    expectSound(trace);
    expect(damageOf(trace)).toEqual([expect.stringContaining('main is left while 2 functions inside are not')]);
  });

  test('a clock that goes back: the events keep their order', async () => {
    const trace = await read(
      small((writer) => {
        writer.location(5n, 0).time(100).enter(0).time(40).enter(2).time(110).leave(2).leave(0);
      }),
    );
    expectSound(trace);
    expect(damageOf(trace)).toEqual([expect.stringContaining('the time goes back by 60 ns')]);
    expect(trace.events.value('start', 3)).toBe(100);
  });

  test('a time that cannot be costs only itself', async () => {
    const trace = await read(
      small((writer) => {
        const events = writer.location(5n, 0).time(100).enter(0);
        events
          .time(2n ** 62n)
          .enter(2)
          .time(110)
          .leave(2)
          .leave(0);
      }),
    );
    expectSound(trace);
    expect(damageOf(trace)).toEqual([expect.stringContaining('a time far behind the end of the recording')]);
    expect([trace.events.value('start', 3), trace.events.value('duration', 3)]).toEqual([100, 10]);
  });

  test('events before the beginning that the archive names move the beginning', async () => {
    const writer = new ArchiveWriter({ globalOffset: 1000n, realtime: 5_000_000_000n }).processes(1).paradigms();
    writer.region(1, 'write', 27, 0);
    writer.location(0n, 0).time(400).enter(1).time(1500).leave(1);
    const trace = await read(writer.finish());
    expect(trace.damage).toEqual([]);
    expect([trace.events.value('start', 0), trace.events.value('duration', 0)]).toEqual([0, 1100]);
    expect(trace.startTime).toBeCloseTo(5 - 600e-9, 9);
    expect(trace.durationNs).toBe(1100);
  });

  test('a chunk that is lost costs its own events only', async () => {
    const writer = new ArchiveWriter({ chunkBytes: 256 << 10 }).processes(1).paradigms();
    writer.region(0, 'main', 1, 1).region(1, 'write', 27, 0).file(0, '/scratch/a').handle(0, 0, 0);
    const events = writer.location(0n, 0);
    for (let step = 0; step < 30_000; step++) {
      events
        .time(step * 10)
        .enter(1)
        .begin(0, 'write', 0, 1, 0);
      events
        .time(step * 10 + 5)
        .complete(0, 1, 0)
        .leave(1);
    }
    const files = writer.finish();
    const bytes = files.get('traces/0.evt')!.slice();
    expect(bytes.length).toBeGreaterThan(3 * (256 << 10));
    bytes[256 << 10] = 0xee;
    files.set('traces/0.evt', bytes);
    const trace = await read(files);
    expectSound(trace);
    expect(trace.events.length).toBeLessThan(30_000 - 5000);
    expect(trace.events.length).toBeGreaterThan(15_000);
    expect(trace.events.value('line', trace.events.length - 1)).toBe(4 * 30_000 - 3);
    expect(damageOf(trace)[0]).toContain('traces/0.evt, byte 262144: the bytes ee 42, where a chunk begins with 03');
  });

  test('lengths that lie cost no memory', async () => {
    const files = small((writer) => {
      // A group of four billion members, a mapping table of as many, attributes likewise.
      writer.define(18, (fields) => fields.c32(77).c32(0).u8(0).c32(0xffff_fffe));
      writer.local(0n).record(5, (fields) =>
        fields
          .u8(3)
          .c64(2n ** 60n)
          .u8(0),
      );
      const events = writer.location(5n, 0);
      events.time(100);
      events.event(
        12,
        (fields) => fields.c32(0),
        false,
        (fields) => fields.c32(0xffff_fffe).c32(0).u8(4),
      );
      events.leave(0);
    });
    const trace = await read(files);
    expectSound(trace);
    expect(damageOf(trace).filter((text) => text.includes('is shorter than its fields'))).toHaveLength(3);
  });

  test('a file that cannot be opened is named; without the definitions of a process the others are read', async () => {
    const files = await archiveBytes(corpus('otf2/meta_locks')!);
    const refused = (name: string): Promise<Trace> =>
      readOtf2(
        archiveOf(files).map((file) =>
          file.name === name ? { ...file, openAt: () => Promise.reject(new Error('permission denied')) } : file,
        ),
      );
    for (const name of ['traces.otf2', 'traces.def']) {
      await expect(refused(name)).rejects.toThrow(
        new UnreadableRecordingError(`${name} cannot be read: permission denied`),
      );
    }
    const local = [...files.keys()].find((name) => /^traces\/\d+\.def$/.test(name))!;
    const trace = await refused(local);
    expectSound(trace);
    expect(damageOf(trace)).toContain(
      `${local}: permission denied (what it defines; the events may be given wrong names)`,
    );
  });

  test('several archives in one folder are not mixed', async () => {
    const names = ['a.otf2', 'a.def', 'b.otf2', 'b.def', 'other.txt'];
    const list = (folder: string): Promise<string[]> => Promise.resolve([`10.evt`, `${folder}.txt`, '10.def', 'x.evt']);
    await expect(archiveFiles(names, list, '')).rejects.toThrow('2 OTF2 archives in one folder (a.otf2, b.otf2)');
    expect(await archiveFiles(names, list, 'b.otf2')).toEqual(['b.otf2', 'b.def', 'b/10.evt', 'b/10.def']);
    expect(await archiveFiles(['x.strace'], list, '')).toBeUndefined();
  });
});
