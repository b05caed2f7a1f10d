import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CALLS, eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { NONE } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { MessageTable } from '../../trace/messages.ts';
import type { Trace } from '../../trace/trace.ts';
import { expandPatterns, pathIn, valueIn } from './expand-patterns.ts';
import { findLoops } from './find-loops.ts';
import { findSiteLoops } from './site-loops.ts';
import type { Pattern } from './pattern.ts';
import { rounds } from '../../../test/support/rounds.ts';

const [READ, WRITE, OPEN, CLOSE] = [0, 1, 2, 3];

/** One stream that writes requests of these sizes to a file whose offsets are not known. */
function writes(sizes: readonly number[]): Trace {
  return eventTrace([{}], ['/f'], sizes.length, (event, row) => {
    Object.assign(event, { start: row * 10, duration: 5, call: WRITE, file: 0, bytes: sizes[row]! });
  });
}

/** An outline as the paper prints it: `34:[ 1: read 10000 ]`, numbers that count as base+step. */
function outline(patterns: readonly Pattern[]): string {
  return patterns
    .map((pattern) => {
      if (pattern.kind === 'loop') return `${String(pattern.count)}:[ ${outline(pattern.body)} ]`;
      const times = pattern.count === 1 ? '' : `${String(pattern.count)}:`;
      const show = (number: { base: number; steps: readonly number[] } | undefined, mark: string): string =>
        number === undefined ? '' : `${mark}${[number.base, ...number.steps].join('+')}`;
      if (pattern.kind === 'synchronisation') return `${times}${pattern.operation}${show(pattern.peer, ' ')}`;
      return `${times}${CALLS[pattern.call]![0]}${show(pattern.requested, ' ')}${show(pattern.offset, ' @')}`;
    })
    .join(' ; ');
}

const loopsOf = (trace: Trace, options = {}): string => outline(findLoops(trace, options)[0]!.patterns);

test('of many calls the first of each stream are looked at', () => {
  const trace = eventTrace([{}, {}], ['/f'], 30, (event, row) => {
    Object.assign(event, { start: row * 10, duration: 5, call: WRITE, file: 0, bytes: 8, stream: row < 20 ? 0 : 1 });
  });
  const lengths = (mostCalls: number): number[] => findLoops(trace, { mostCalls }).map(({ length }) => length);
  expect([lengths(8), lengths(100)]).toEqual([[4], [20, 10]]);
});

describe('the figures of the paper', () => {
  test('figure 3: a loop takes the call that an earlier one could have too, and holds a known pattern', () => {
    const sequence = writes([1, 2, 1, 2, 1, 2, 3, 1, 2, 3]);
    expect(loopsOf(sequence)).toBe('2:[ write 1 ; write 2 ] ; 2:[ write 1 ; write 2 ; write 3 ]');
  });

  test('figure 6: mpiformatdb reads and writes buffers of 10,000 bytes', () => {
    const calls: Partial<MadeEvent>[] = [
      { call: OPEN, handle: 0, bytes: 0, requested: NaN },
      { call: READ, handle: 0, bytes: 10000 },
      { call: OPEN, handle: 1, file: 1, bytes: 0, requested: NaN },
    ];
    const blocks = [88_598_402, 96_528_234].flatMap((offset) => [
      { call: 5, handle: 0, bytes: 0, requested: NaN, offset },
      ...Array.from({ length: 34 }, () => [
        { call: READ, handle: 0, bytes: 10000 },
        { call: WRITE, handle: 1, file: 1, bytes: 10000 },
      ]).flat(),
      { call: READ, handle: 0, bytes: 8234 },
      { call: WRITE, handle: 1, file: 1, bytes: 8234 },
      { call: READ, handle: 0, bytes: 0, requested: 0 },
    ]);
    const all = [...calls, ...blocks];
    const none = { offset: NaN, requested: undefined, file: 0 };
    const lines = 1_534_943;
    const paths = ['/drosoph.nt', '/tmp/reorder0zJDIo'];
    const trace = eventTrace([{}], paths, all.length + lines - 1, (event, row) => {
      if (row < 2 || row > lines) Object.assign(event, none, all[row < 2 ? row : row - lines + 1]);
    });
    const block = (offset: number): string =>
      `statx @${String(offset)} ; 34:[ read 10000 ; write 10000 ] ; read 8234 ; write 8234 ; read 0`;
    expect(loopsOf(trace)).toBe(`openat ; 1534943:read 10000 ; openat ; ${block(88_598_402)} ; ${block(96_528_234)}`);
  });

  /** The reads and messages of process 0 that serve as many others. */
  function semtex(peers: number): Trace {
    const reads = [8191, 1_432_160, 1_440_000, 1_440_000, 1_440_000];
    for (let i = 0; i < peers * 4; i++) reads.push(1_440_000);
    const trace = eventTrace(
      Array.from({ length: peers + 1 }, (_, rank) => ({ rank })),
      ['/TMF_Nz1024.rst'],
      reads.length + 1,
      (event, row) => {
        const isOpen = row === 0;
        Object.assign(event, { start: row * 10, duration: 5, call: isOpen ? OPEN : READ, file: 0, handle: 0 });
        Object.assign(event, { bytes: isOpen ? 0 : reads[row - 1]!, requested: isOpen ? NaN : undefined });
      },
    );
    const messages = new MessageTable();
    for (let i = 0; i < peers * 4; i++) {
      const start = (6 + i) * 10 + 7;
      const peer = 1 + Math.floor(i / 4);
      messages.add({
        kind: 'send',
        stream: 0,
        start,
        end: start + 1,
        peer,
        communicator: NONE,
        tag: 0,
        sentBytes: 1,
        receivedBytes: 0,
        operation: '',
      });
    }
    const handles = new HandleTable();
    handles.add(0, 0);
    return { ...trace, handles, messages };
  }
  const beginning = 'openat ; read 8191 ; read 1432160 ; 3:read 1440000';

  test('figure 7: Semtex hands out its input, a loop for each peer', () => {
    const loops = [1, 2, 3, 4].map((peer) => `4:[ read 1440000 ; send ${String(peer)} ]`).join(' ; ');
    expect(loopsOf(semtex(4), { loopVariables: false })).toBe(`${beginning} ; ${loops}`);
  });

  test('figure 8: the peer counts with a loop around these', () => {
    expect(loopsOf(semtex(4))).toBe(`${beginning} ; 4:[ 4:[ read 1440000 ; send 1+1+0 ] ]`);
    expect(loopsOf(semtex(255))).toBe(`${beginning} ; 255:[ 4:[ read 1440000 ; send 1+1+0 ] ]`);
  });
});

describe('numbers that count', () => {
  const at = (offsets: readonly number[]): Trace =>
    eventTrace([{}], ['/f'], offsets.length, (event, row) => {
      Object.assign(event, { call: WRITE, file: 0, bytes: 10, offset: offsets[row]! });
    });

  test('nested loops have a step each', () => {
    const offsets = [];
    for (let i = 0; i < 5; i++) for (let j = 0; j < 4; j++) offsets.push(7 + i * 1000 + j * 640);
    expect(loopsOf(at(offsets))).toBe('5:[ 4:[ write 10 @7+1000+640 ] ]');
  });

  test('two are no line', () => expect(loopsOf(at([0, 640]))).toBe('write 10 @0 ; write 10 @640'));

  test('what follows from the call before is no argument, what a seek or pread says is', () => {
    const events: Partial<MadeEvent>[] = [{ call: OPEN, bytes: 0, requested: NaN }];
    for (let i = 0; i < 4; i++) events.push({ call: READ, bytes: 100, offset: i * 100 });
    events.push({ call: READ, bytes: 100, offset: 1000 }, { call: READ, bytes: 100, offset: 1100 });
    const trace = eventTrace([{}], ['/f'], events.length, (event, row) => {
      Object.assign(event, { file: 0, handle: 0, offset: NaN, requested: undefined }, events[row]);
    });
    const handles = new HandleTable();
    handles.add(0, 0);
    expect(loopsOf({ ...trace, handles })).toBe('openat ; 4:read 100 ; read 100 @1000 ; read 100');
  });

  test('paths count by their digits, and descriptors are used again', () => {
    const files = new FileTable();
    for (let i = 8; i < 12; i++) files.intern('', `/out/v2/step.${String(i).padStart(4, '0')}.dat`);
    const handles = new HandleTable();
    for (let i = 0; i < 4; i++) handles.add(i, 0);
    const trace = eventTrace([{}], [], 12, (event, row) => {
      const turn = Math.floor(row / 3);
      const call = [OPEN, WRITE, CLOSE][row % 3]!;
      Object.assign(event, {
        call,
        file: turn,
        handle: turn,
        bytes: call === WRITE ? 5 : 0,
        requested: call === WRITE ? 5 : NaN,
      });
    });
    const [{ patterns } = { patterns: [] }] = findLoops({ ...trace, files, handles });
    expect(outline(patterns)).toBe('4:[ openat ; write 5 ; close ]');
    const paths = Array.from(expandPatterns(patterns), ({ pattern, iterations }) => {
      if (pattern.kind !== 'call' || typeof pattern.file === 'number') throw new Error('the path does not count');
      expect(pattern.slot).toBe(0);
      return pathIn(pattern.file, iterations);
    });
    expect(paths).toEqual(
      [8, 9, 10, 11].flatMap((i) => Array<string>(3).fill(`/out/v2/step.${String(i).padStart(4, '0')}.dat`)),
    );
  });
});

describe('paths with two numbers', () => {
  const filesOf = (paths: readonly string[]): FileTable => {
    const files = new FileTable();
    for (const path of paths) files.intern('', path);
    return files;
  };

  function patternsOf(paths: readonly string[]): readonly Pattern[] {
    const files = filesOf(paths);
    const trace = eventTrace([{}], [], paths.length, (event, row) => {
      Object.assign(event, { call: OPEN, file: files.intern('', paths[row]!), bytes: 0, requested: NaN });
    });
    return findLoops({ ...trace, files })[0]?.patterns ?? [];
  }

  const pathsIn = (patterns: readonly Pattern[], paths: readonly string[]): string[] =>
    Array.from(expandPatterns(patterns), ({ pattern, iterations }) => {
      if (pattern.kind !== 'call') throw new Error('a call was expected');
      return typeof pattern.file === 'number' ? filesOf(paths).at(pattern.file).path : pathIn(pattern.file, iterations);
    });

  const grid = (steps: number, parts: number): string[] =>
    Array.from({ length: steps * parts }, (_, at) => {
      const step = String(Math.floor(at / parts)).padStart(3, '0');
      return `/w/run7/step${step}/var${String(at % parts)}.dat`;
    });

  test('are loops in loops', () => {
    const paths = grid(100, 12);
    const patterns = patternsOf(paths);
    expect(outline(patterns)).toBe('100:[ 12:[ openat ] ]');
    expect(pathsIn(patterns, paths)).toEqual(paths);
  });

  test('come out as they went in, whatever they are', () => {
    const number = fc.oneof(
      fc.nat({ max: 12 }).map(String),
      fc.nat({ max: 12 }).map((n) => String(n).padStart(3, '0')),
    );
    const path = fc.tuple(number, number, number).map(([a, b, c]) => `/w/r${a}/step${b}/var${c}.dat`);
    const some = fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).map((size) => grid(...size)),
      fc.array(path, { maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 4 }), (parts) => {
        const paths = parts.flat();
        expect(pathsIn(patternsOf(paths), paths)).toEqual(paths);
      }),
      { numRuns: rounds(300) },
    );
  });
});

describe('streams that do the same', () => {
  test('are one pattern where the folder is that of their rank, and the file counts', () => {
    const files = new FileTable();
    const streams = [0, 1, 2, 3].map((rank) => ({ rank }));
    const made = eventTrace(streams, [], 4 * 10, (event, row) => {
      const [stream, step] = [row % 4, Math.floor(row / 4)];
      const path = `/out/rank${String(stream)}/step.${String(step).padStart(3, '0')}`;
      Object.assign(event, { stream, call: OPEN, file: files.intern('', path), bytes: 0, requested: NaN });
    });
    const found = findLoops({ ...made, files });
    expect(found).toMatchObject([{ streams: [0, 1, 2, 3], length: 10, size: 2 }]);
    const [loop] = found[0]!.patterns;
    expect(loop?.kind === 'loop' && loop.body).toMatchObject([
      {
        file: {
          outer: { before: '/out/rank', number: { base: 0, steps: [], perStream: 1 }, digits: 1 },
          ...{ before: '/step.', number: { base: 0, steps: [1] }, digits: 3, after: '' },
        },
      },
    ]);
  });

  test('are one pattern, with what grows from rank to rank', () => {
    const files = new FileTable();
    for (let rank = 0; rank < 4; rank++) files.intern('', `/out/part.${String(rank)}`);
    files.intern('', '/out/shared');
    const streams = [2, 0, 3, 1].map((rank) => ({ rank }));
    const made = eventTrace(streams, [], 4 * 20, (event, row) => {
      const stream = row % 4;
      const rank = streams[stream]!.rank;
      const turn = Math.floor(row / 8);
      Object.assign(event, { stream, call: WRITE, bytes: 8, duration: 3 });
      const isShared = row % 8 < 4;
      Object.assign(event, { file: isShared ? 4 : rank, offset: isShared ? rank * 1000 + turn * 4000 : turn * 8 });
    });
    const found = findLoops({ ...made, files });
    expect(found).toMatchObject([{ streams: [0, 1, 2, 3], numbers: [2, 0, 3, 1], length: 20, size: 3 }]);
    const [loop] = found[0]!.patterns;
    expect(loop).toMatchObject({ kind: 'loop', count: 10, events: 80, bytes: 640, timeNs: 240 });
    expect(loop?.kind === 'loop' && loop.body).toMatchObject([
      { file: 4, offset: { base: 2000, steps: [4000], perStream: 1000 } },
      { file: { before: '/out/part.', number: { base: 2, steps: [], perStream: 1 } }, offset: { base: 0, steps: [8] } },
    ]);
  });

  test('are told apart from those that do the same with other numbers', () => {
    const made = eventTrace(
      [0, 1, 2, 3, 4].map((rank) => ({ rank })),
      ['/f'],
      25,
      (event, row) => {
        const stream = Math.floor(row / 5);
        Object.assign(event, {
          stream,
          call: READ,
          file: 0,
          bytes: 10,
          offset: [0, 100, 7, 300, 2][stream]! + (row % 5) * 50,
        });
      },
    );
    expect(findLoops(made).map(({ streams }) => streams)).toEqual([[0, 1, 3], [2], [4]]);
  });
});

describe('nothing is lost', () => {
  /** Sizes and offsets that patterns stand for, and the events, bytes and time of all their calls. */
  function expanded(trace: Trace, options = {}): { calls: number[][]; sums: number[] } {
    const [found] = findLoops(trace, options);
    const patterns = found?.patterns ?? [];
    const calls = Array.from(expandPatterns(patterns), ({ pattern, iterations }) => {
      if (pattern.kind !== 'call') throw new Error('a call was expected');
      return [pattern.call, valueIn(pattern.requested!, iterations), valueIn(pattern.offset!, iterations)];
    });
    const sums = [0, 0, 0];
    for (const pattern of patterns) {
      if (pattern.kind === 'synchronisation') continue;
      sums[0]! += pattern.events;
      sums[1]! += pattern.bytes;
      sums[2]! += pattern.timeNs;
    }
    expect(found?.length ?? 0).toBe(calls.length);
    return { calls, sums };
  }

  function expectWhole(calls: readonly (readonly [call: number, size: number, offset: number])[]): void {
    const trace = eventTrace([{}], ['/f'], calls.length, (event, row) => {
      const [call, bytes, offset] = calls[row]!;
      Object.assign(event, { call, bytes, offset, file: 0, start: row, duration: row % 7 });
    });
    const sum = (of: (row: number) => number): number => calls.reduce((all, _, row) => all + of(row), 0);
    for (const loopVariables of [true, false]) {
      expect(expanded(trace, { loopVariables })).toEqual({
        calls,
        sums: [calls.length, sum((row) => calls[row]![1]), sum((row) => row % 7)],
      });
    }
  }

  const leaf = fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(1, 2, 640), fc.constantFrom(0, 1, 5000));
  type Leaf = [number, number, number];
  const { nest } = fc.letrec<{ nest: Leaf[] }>((tie) => ({
    nest: fc.oneof(
      { maxDepth: 4 },
      leaf.map((one): Leaf[] => [one]),
      fc.array(tie('nest'), { maxLength: 3 }).map((parts) => parts.flat()),
      fc
        .tuple(tie('nest'), fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 0, 640, 2 ** 40))
        .map(([body, count, step]) =>
          Array.from({ length: count }, (_, i) =>
            body.map(([call, size, offset]): Leaf => [call, size, offset + i * step]),
          ).flat(),
        ),
    ),
  }));

  test('of loops in loops whose offsets count', () =>
    fc.assert(fc.property(nest, expectWhole), { numRuns: rounds(500) }));

  test('of any sequence', () =>
    fc.assert(fc.property(fc.array(leaf, { maxLength: 60 }), expectWhole), { numRuns: rounds(500) }));
});

/** How often the name of a call is looked up while the loops of so many call sites, each with a line of one body, are found. */
function lookUpsFor(sites: number): number {
  const trace = eventTrace([{}], ['/f'], sites * 5, (event, row) => {
    const site = row % sites;
    Object.assign(event, {
      start: row * 10,
      duration: 5,
      call: WRITE,
      file: 0,
      bytes: site + 1,
      stack: site,
      offset: row * 1000,
    });
  });
  let lookUps = 0;
  const names = new Proxy(trace.calls.names, {
    get: (target, name) => {
      lookUps++;
      return Reflect.get(target, name) as unknown;
    },
  });
  const calls = Object.create(trace.calls, { names: { value: names } }) as Trace['calls'];
  const siteOfNode = Int32Array.from({ length: sites }, (_, site) => site);
  expect(findSiteLoops({ ...trace, calls }, { siteOfNode }).size).toBe(sites);
  return lookUps;
}

test('a body with the calls of many sites is gone through once, not once for each of them', () => {
  expect(lookUpsFor(80)).toBeLessThan(2.5 * lookUpsFor(40));
});
