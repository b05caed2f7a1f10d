import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';
import { LAYERS } from '../../src/trace/calls.ts';
import { NONE } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { Words, writeLog, type WrittenLog } from '../support/darshan/darshan-writer.ts';
import { memoryFile } from '../support/memory-file.ts';

/** What GNU addr2line made of the addresses that the fork's own tool printed (the README beside the logs). */
interface Expected {
  readonly pie: boolean;
  readonly segments: number;
  readonly stored_mapping: Partial<Readonly<Record<'POSIX' | 'MPIIO', Readonly<Record<string, string>>>>>;
  readonly sites: readonly {
    readonly module: 'DXT_POSIX' | 'DXT_MPIIO';
    readonly op: 'read' | 'write';
    readonly file: string;
    readonly segments: number;
    readonly bytes: number;
    readonly stack: readonly string[];
  }[];
}

interface Site {
  module: string;
  op: string;
  file: string;
  segments: number;
  bytes: number;
  /** Frames of the executable in front of its entry code. */
  frames: number;
}

/** Events that have layer, operation, file and stack in common. */
function sitesOf(trace: Trace): Site[] {
  const { events, stacks } = trace;
  const sites = new Map<string, Site>();
  for (let row = 0; row < events.length; row++) {
    const module = LAYERS[events.value('layer', row)] === 'POSIX' ? 'DXT_POSIX' : 'DXT_MPIIO';
    const op = trace.calls.names[events.value('call', row)]!.replace('MPI_File_', '');
    const file = trace.files.at(events.value('file', row)).path;
    const stack = events.value('stack', row);
    const key = [module, op, file, stack].join();
    const ours = stack === NONE ? [] : stacks.framesOf(stack).filter((frame) => stacks.frame(frame).module !== '');
    const site = sites.get(key) ?? { module, op, file, segments: 0, bytes: 0, frames: ours.length - 1 };
    site.segments++;
    site.bytes += events.value('bytes', row);
    sites.set(key, site);
  }
  return [...sites.values()];
}

const inOrder = (sites: readonly Site[]): Site[] =>
  [...sites].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const folder = corpus('darshan-stack');
const logs = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.expected.json'));

test.skipIf(folder !== undefined)(absent('darshan-stack'), () => expect(folder).toBeUndefined());

describe.skipIf(folder === undefined).each(logs)('%s', (name) => {
  const expected = JSON.parse(readFileSync(path.join(folder!, name), 'utf8')) as Expected;
  const log = path.join(folder!, name.replace('.expected.json', '.darshan'));
  const read = (): Promise<Trace> => readDarshan([new LocalRecordingFile(log)]);

  test('each call of the program has one stack, in all processes', async () => {
    const trace = await read();
    expect(trace.events.length).toBe(expected.segments);
    expect(trace.damage).toEqual([]);
    expect(trace.capabilities.stacks).toBe(true);
    const sites = expected.sites.map(({ module, op, file, segments, bytes, stack }) => {
      return { module, op, file, segments, bytes, frames: stack.length };
    });
    expect(inOrder(sitesOf(trace))).toEqual(inOrder(sites));
    const executable = trace.stacks.modules.find(trace.program)!;
    expect(trace.stacks.moduleForms.get(executable)).toBe(expected.pie ? 'behind-start' : 'address');
    expect(trace.stacks.modules.names.toSorted()).toEqual(['', trace.program]);
  });

  test('what the log says of its addresses is kept', async () => {
    const { counters, stacks } = await read();
    const text = (table: ReadonlyMap<number, string>): Record<string, string> =>
      Object.fromEntries([...table].map(([address, line]) => [`0x${address.toString(16)}`, line]));
    const { POSIX = {}, MPIIO = {} } = expected.stored_mapping;
    expect(text(counters!.lineTables!.POSIX)).toEqual(POSIX);
    expect(text(counters!.lineTables!['MPI-IO'])).toEqual(MPIIO);
    for (let index = 0; index < stacks.frames; index++) {
      const { module, value, sourceFile, sourceLine } = stacks.frame(index);
      const known = /^(.+\.c):(\d+)/.exec(
        module === '' || expected.pie ? '' : (POSIX[`0x${value.toString(16)}`] ?? ''),
      );
      expect([sourceFile, sourceLine]).toEqual(known === null ? ['', 0] : [known[1], Number(known[2])]);
    }
  });
});

describe('shapes of the variant with stacks', () => {
  const START = 0x401181;
  const LIBRARY = 0x7f00_0000_1000;

  function segment(words: Words, start: number, frames: readonly number[] | undefined): Words {
    words.int(start, 10).float(start, start + 0.5);
    // What stands behind the frames is garbage.
    words.int(...Array.from({ length: 60 }, (_, i) => frames?.[i] ?? 0x3fa0_0000_0000 + i));
    return words.short(frames === undefined ? 0 : 1, frames?.length ?? 77);
  }
  const record = (rank: number, ...stacks: readonly (readonly number[] | undefined)[]): Buffer => {
    const words = new Words().int(7, rank, 0).text('nid1', 64).int(stacks.length, 0);
    stacks.forEach((frames, i) => segment(words, i + 1, frames));
    return words.bytes;
  };
  const log = (streams: readonly Uint8Array[], more: WrittenLog = {}): WrittenLog => {
    const tables = ['', ''] as const;
    return { tables, command: './a', names: [[7n, '/data/a']], modules: [{ slot: 10, version: 1, streams }], ...more };
  };
  const read = (written: WrittenLog): Promise<Trace> => readDarshan([memoryFile('a.darshan', writeLog(written))]);
  const frames = (trace: Trace, row: number): [string, number][] => {
    const stack = trace.events.value('stack', row);
    return stack === NONE
      ? []
      : trace.stacks
          .framesOf(stack)
          .map((frame) => [trace.stacks.frame(frame).module, trace.stacks.frame(frame).value]);
  };

  test.each(['none', 'zlib', 'bzip2'] as const)('packed by %s, with and without texts of lines', async (packing) => {
    const stack = [LIBRARY + 5, LIBRARY, 0x401200, LIBRARY + 9, START];
    for (const tables of [['', ''] as const, ['0x401200, /a.c:3 (discriminator 2)\n0x401181, ??:?\n', ''] as const]) {
      const trace = await read(log([record(0, stack, undefined)], { packing, tables }));
      expect(trace.damage).toEqual([]);
      expect(frames(trace, 0)).toEqual([
        ['', 0],
        ['./a', 0x401200],
        ['', 0],
        ['./a', START],
      ]);
      expect(frames(trace, 1)).toEqual([]);
      expect(trace.stacks.sourceFiles.names.includes('/a.c')).toBe(tables[0] !== '');
    }
  });

  test('position-independent executables: frames are the same wherever a process was loaded', async () => {
    const loaded = (base: number): number[] => [LIBRARY, base + 0x1200, base + 0x1181];
    const streams = [record(0, loaded(0x5555_0000_0000)), record(1, loaded(0x5612_3456_7000))];
    const trace = await read(log(streams));
    const relative = [
      ['', 0],
      ['./a', 0x7f],
      ['./a', 0],
    ];
    expect([frames(trace, 0), frames(trace, 1)]).toEqual([relative, relative]);
  });

  test('another thread ends in a library; the entry code of its process is that of the main thread', async () => {
    const main = [LIBRARY, 0x401300, START];
    const thread = [LIBRARY, 0x401400, LIBRARY + 77];
    const trace = await read(log([record(0, thread, main)]));
    expect(frames(trace, 0)).toEqual([
      ['', 0],
      ['./a', 0x401400],
      ['', 0],
    ]);
  });

  test('a stack of sixty frames may lack its outermost ones', async () => {
    const deep = [LIBRARY, ...Array.from({ length: 59 }, () => 0x401500)];
    const trace = await read(log([record(0, deep)]));
    expect(frames(trace, 0)).toHaveLength(60);
    expect(frames(trace, 0)[59]).toEqual(['./a', 0x401500]);
  });

  test('segments of a process in a file that are not in order keep their stacks', async () => {
    const words = new Words().int(7, 0, 0).text('nid1', 64).int(1, 1);
    segment(words, 5, [0x401600, START]);
    segment(words, 2, [0x401700, START]);
    const trace = await read(log([words.bytes]));
    expect(frames(trace, 0)[0]).toEqual(['./a', 0x401700]);
    expect(frames(trace, 1)[0]).toEqual(['./a', 0x401600]);
  });

  test('the ordinary header with long segments, and the long header with ordinary ones', async () => {
    const stack = [0x401600, START];
    const { names, modules = [] } = log([record(0, stack, stack, stack)]);
    expect(frames(await read({ command: './a', names: names!, modules }), 2)[0]).toEqual(['./a', 0x401600]);
    const short = new Words().int(7, 0, 0).text('nid1', 64).int(3, 0);
    for (const start of [1, 2, 3]) short.int(start, 10).float(start, start);
    const trace = await read(log([short.bytes]));
    expect(trace.counters!.segments[0]!.write).toEqual({ count: 3, bytes: 30 });
    expect(trace.damage).toEqual([]);
  });
});
