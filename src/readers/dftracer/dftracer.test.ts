import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { expectSound } from '../../../test/support/sound-trace.ts';
import { LAYERS } from '../../trace/calls.ts';
import { LINKS, NONE, OPEN_MODE, type EventColumn } from '../../trace/events.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { recogniseFormat } from '../registry.ts';
import { looksLikeDfTracer, readDfTracer } from './dftracer-reader.ts';
import { rounds } from '../../../test/support/rounds.ts';

const read = (...contents: (string | Uint8Array)[]): Promise<Trace> =>
  readDfTracer(contents.map((content, i) => memoryFile(`${i}.pfw`, content)));

function column(trace: Trace, call: string, name: EventColumn): number[] {
  const values: number[] = [];
  for (let row = 0; row < trace.events.length; row++) {
    if (trace.calls.names[trace.events.value('call', row)] === call) values.push(trace.events.value(name, row));
  }
  return values;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const sample = (name: string): Uint8Array => gunzipSync(readFileSync(corpus(`others/dftracer/${name}`)!));
const CM1 = 'upstream_cm1-DEFAULT-3537780-preload.pfw.gz';
const upstream = corpus(`others/dftracer/${CM1}`);
const elsewhere = `(else: ${absent('others/dftracer')})`;
const SAMPLES = upstream === undefined ? ['own-4000.pfw.gz'] : ['own-4000.pfw.gz', CM1, 'upstream_test.pfw.gz'];

describe('recordings', () => {
  const lines = (name: string): string[] => Buffer.from(sample(name)).toString().split('\n');
  /** The events of a sample by a parser of JSON, and sums over some of them. */
  const events = (
    name: string,
  ): { name: string; cat: string; ph: string; ts: string; dur: string; args: Record<string, string> }[] =>
    lines(name)
      .map((line) => line.trim())
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as never);

  test.each(SAMPLES)('%s: every event of an I/O layer is a row with its times and bytes', async (name) => {
    const trace = await read(sample(name));
    expectSound(trace);
    expect(trace.damage).toEqual([]);
    const all = events(name).filter(({ ph, cat }) => ph === 'X' && (cat === 'POSIX' || cat === 'STDIO'));
    expect(trace.events.length).toBe(all.length);
    const written = all.filter((event) => event.name === 'write' && Number(event.args['ret']) >= 0);
    expect(total(column(trace, 'write', 'bytes'))).toBe(total(written.map(({ args }) => Number(args['ret']))));
    const firstUs = Math.min(...all.map(({ ts }) => Number(ts)));
    const starts = [...all].sort((a, b) => Number(a.ts) - Number(b.ts)).map(({ ts }) => (Number(ts) - firstUs) * 1000);
    const own = Array.from({ length: trace.events.length }, (_, row) => trace.events.value('start', row));
    expect(own.map((start) => start - own[0]!)).toEqual(starts);
    expect(trace.startTime).toBeGreaterThan(1.6e9);
  });

  test.skipIf(upstream === undefined)(
    `the older generation: numbers in quotes, host and path in full ${elsewhere}`,
    async () => {
      const trace = await read(sample('upstream_test.pfw.gz'));
      expect(trace.streams).toEqual([{ host: 'corona237', pid: 2677792, processId: 1338896, part: 0 }]);
      expect(column(trace, 'read', 'bytes')).toHaveLength(1000);
      const file = trace.files.at(column(trace, 'write', 'file')[0]!);
      expect(file).toMatchObject({ host: 'corona237', path: '/p/lustre1/haridev/dlio_profiler_data/file_0-40.bat' });
      expect(column(trace, 'write', 'offset')).toEqual([0]);
      expect(column(trace, 'write', 'handle')[0]).not.toBe(NONE);
    },
  );

  test.skipIf(upstream === undefined)(`the newer one: hashes, rank and program by metadata ${elsewhere}`, async () => {
    const trace = await read(sample(CM1));
    expect(trace.program).toBe('./cm1.exe');
    expect(trace.streams).toEqual([{ host: 'corona173', pid: 3537780, processId: 3537780, part: 0, rank: 0 }]);
    expect(trace.files.files.map(({ path: name }) => name)).toContain('namelist.input');
    expect(trace.notes.join()).not.toMatch(/hash/);
    const [fread] = column(trace, 'fread', 'bytes');
    expect(fread).toBe(3107);
    expect(LAYERS[column(trace, 'fread', 'layer')[0]!]).toBe('STDIO');
    expect(column(trace, 'fread', 'requested')[0]).toBe(8192);
  });

  test('several processes: one file each', async () => {
    const trace = await read(sample('own-4000.pfw.gz'), sample('own-4001.pfw.gz'));
    expectSound(trace);
    expect(trace.streams.map(({ pid, part }) => [pid, part])).toEqual([
      [4000, 0],
      [4001, 1],
    ]);
    expect(column(trace, 'write', 'offset').slice(0, 3)).toEqual([0, 65536, 131072]);
    expect(column(trace, 'open64', 'argument')).toEqual(Array(2).fill(1 | OPEN_MODE.create | OPEN_MODE.truncate));
    const compute = trace.functions!.functions.find(({ name }) => name === 'compute');
    expect(compute).toMatchObject({ role: 'computation', paradigm: 'CPP_APP' });
  });

  test.skipIf(upstream === undefined)(`bytes that were cut or flipped ${elsewhere}`, async () => {
    const random = randomNumbers(3);
    const whole = sample(CM1).subarray(0, 6000);
    for (let round = 0; round < rounds(150); round++) {
      const bytes = Uint8Array.from(whole.subarray(0, 1000 + random(5000)));
      for (let flip = random(6); flip > 0; flip--) bytes[random(bytes.length)] = random(256);
      expectSound(await read(bytes));
    }
  });
});

const event = (id: number, name: string, cat: string, ts: number, dur: number, args: object = {}): string =>
  JSON.stringify({ id, name, cat, pid: 7, tid: 7, ts, dur, ph: 'X', args: { level: 1, p_idx: -1, ...args } });
const metadata = (name: string, of: string, value: number | string): string =>
  JSON.stringify({ id: 0, name, cat: 'dftracer', pid: 7, tid: 7, ph: 'M', args: { name: of, value } });
const text = (...lines: readonly string[]): string => `[\n${lines.join('\n')}\n`;

describe('events of our own', () => {
  test('what contains others stands behind them in the file, and in front of them in the table', async () => {
    const trace = await read(
      text(
        event(3, 'write', 'POSIX', 120, 10, { fname: '/a', count: 5, ret: 5, p_idx: 2 }),
        event(2, 'fwrite', 'STDIO', 110, 40, { fname: '/a', size: 5, count: 1, ret: 1, p_idx: 1 }),
        event(1, 'train', 'PY_APP', 100, 900),
      ),
    );
    expectSound(trace);
    const { events, calls, functions } = trace;
    expect([0, 1].map((row) => calls.names[events.value('call', row)])).toEqual(['fwrite', 'write']);
    expect(events.value('parent', 1)).toBe(0);
    expect(LINKS[events.value('link', 1)]).toBe('nesting');
    expect(events.value('parent', 0)).toBe(NONE);
    const callers = Array.from({ length: functions!.length }, (_, row) => functions!.caller.at(row));
    expect(callers).toEqual([NONE, 0, 1]);
  });

  test('hashes are explained behind their use, each file by itself; what is not explained is told', async () => {
    const use = event(1, 'read', 'POSIX', 100, 10, { fhash: 9, count: 4, ret: 4 });
    const unknown = event(2, 'read', 'POSIX', 120, 10, { fhash: 10, count: 4, ret: 4 });
    const trace = await read(
      text(use, metadata('FH', '/first', 9), unknown),
      text(use, metadata('FH', '/second', '9')),
    );
    const files = [0, 1, 2]
      .map((row) => trace.events.value('file', row))
      .map((file) => (file < 0 ? '' : trace.files.at(file).path));
    expect(files).toEqual(['/first', '', '/second']);
    expect(trace.notes.join()).toMatch(/1 calls name their file by a hash/);
  });

  test('positions follow seeks, appends and failures', async () => {
    const trace = await read(
      text(
        event(1, 'open', 'POSIX', 1, 1, { fname: '/a', flags: 577, ret: 3 }),
        event(2, 'write', 'POSIX', 3, 1, { fname: '/a', count: 100, ret: 60 }),
        event(3, 'write', 'POSIX', 5, 1, { fname: '/a', count: 40, ret: -1 }),
        event(4, 'lseek', 'POSIX', 7, 1, { fname: '/a', offset: -10, whence: 2, ret: 50 }),
        event(5, 'write', 'POSIX', 9, 1, { fname: '/a', count: 10, ret: 10 }),
        event(6, 'pread', 'POSIX', 11, 1, { fname: '/a', count: 10, offset: 7, ret: 10 }),
      ),
    );
    expect(column(trace, 'write', 'offset')).toEqual([0, NaN, 50]);
    expect(column(trace, 'write', 'bytes')).toEqual([60, 0, 10]);
    expect(column(trace, 'write', 'error').map((error) => trace.errors.at(error))).toEqual(['', 'unknown error', '']);
    expect(column(trace, 'pread', 'offset')).toEqual([7]);
    expect(column(trace, 'lseek', 'argument')).toEqual([2]);
  });

  test('sizes that were not recorded are unknown, not zero, and a note says so', async () => {
    const trace = await read(text(event(1, 'write', 'POSIX', 1, 1, { fname: '/a' })));
    expect(column(trace, 'write', 'requested')).toEqual([NaN]);
    expect(trace.notes.join()).toMatch(/unknown size.*: 1 of POSIX/);
  });

  test('escapes, blanks between the parts, lists, and lines that are none', async () => {
    const spaced =
      '{"id": 1, "name": "open", "cat": "POSIX", "pid": 7, "tid": 7, "ts": 5, "dur": 1, "ph": "X", "args": {"fname": "/a\\"b\\u00e9", "flags": 0, "more": [{"x": "}"}], "none": null}}';
    const trace = await read(`[\r\n${spaced},\r\nnonsense\n{"id":2,"ph":"C","args":{}}\n]`);
    expect(trace.files.files.map(({ path: name }) => name)).toEqual(['/a"bé']);
    expect(trace.damage.map(({ where }) => where)).toEqual(['0.pfw, line 3', '0.pfw, line 4']);
  });

  test('a line that breaks off is reported, and what stands before it kept', async () => {
    const whole = text(
      event(1, 'open', 'POSIX', 1, 1, { fname: '/a' }),
      event(2, 'close', 'POSIX', 3, 1, { fname: '/a' }),
    );
    for (let length = 2; length < whole.length; length++) {
      const cut = whole.slice(0, length);
      const rows = cut.split('\n').filter((line) => line.endsWith('}}')).length;
      if (rows === 0) {
        await expect(read(cut)).rejects.toThrow(UnreadableRecordingError);
        continue;
      }
      const trace = await read(cut);
      expect(trace.events.length).toBe(rows);
      const isCut = !cut.endsWith('\n') && !cut.endsWith('}}');
      expect(trace.damage.length).toBe(isCut ? 1 : 0);
    }
  });
});

describe('recognition', () =>
  test('by the first event, in front of which a bracket, blanks and commas may stand', () => {
    const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
    expect(looksLikeDfTracer(bytes(text(event(1, 'open', 'POSIX', 1, 1))))).toBe(true);
    expect(looksLikeDfTracer(bytes(`[\n ,${event(1, 'open', 'POSIX', 1, 1)}`))).toBe(true);
    expect(recogniseFormat(bytes(text(event(1, 'open', 'POSIX', 1, 1))))?.name).toBe('dftracer');
    // Other traces of this kind, and other lists.
    expect(looksLikeDfTracer(bytes('[\n{"ph":"X","pid":0,"tid":0,"ts":0,"dur":1,"name":"write"},\n'))).toBe(false);
    expect(looksLikeDfTracer(bytes('[1, 2, 3]'))).toBe(false);
    expect(looksLikeDfTracer(gzipSync('[\n'))).toBe(false);
  }));
