import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { GrowingBytes } from '../../../test/support/growing-bytes.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { frame, line, StraceText } from '../../../test/support/strace-text.ts';
import { contentOf } from '../../../test/support/trace-content.ts';
import { CHUNK_BYTES, CHUNK_ROWS } from '../../trace/events.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import type { ReadOptions, Trace } from '../../trace/trace.ts';
import { GrowingStrace } from './growing-strace.ts';
import { readStrace, type ReadLimits } from './strace-reader.ts';
import { rounds } from '../../../test/support/rounds.ts';

/** Reads bytes that grow to each of the lengths in turn. `look` sees the reader behind each step. */
async function readInPieces(
  name: string,
  bytes: Uint8Array,
  lengths: readonly number[],
  options: ReadOptions = {},
  limits: Partial<ReadLimits> = {},
  look: (reader: GrowingStrace) => void = () => undefined,
): Promise<Trace> {
  const file = new GrowingBytes(name, bytes);
  const reader = new GrowingStrace(options, limits);
  reader.add([file]);
  for (const length of lengths) {
    file.grow(length);
    await reader.read();
    look(reader);
  }
  file.grow(bytes.length);
  return reader.finish();
}

function cutsOf(length: number, seed: number, most: number): number[] {
  const random = randomNumbers(seed);
  return Array.from({ length: 1 + random(most) }, () => random(length + 1)).sort((a, b) => a - b);
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Calls with stacks, of two processes, that cut each other in two; a child; a time of day that passes midnight. */
const TWISTED = [
  '7 23:59:59.100000 openat(AT_FDCWD</w>, "a", O_RDWR) = 3</w/a> <0.000010>',
  ` > ${frame('libc.so.6', 'open')}`,
  ` > ${line(4)}`,
  '7 23:59:59.200000 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD) = 8 <0.000100>',
  '8 23:59:59.300000 write(3</w/a>, "x", 1 <unfinished ...>',
  '7 23:59:59.400000 read(3</w/a>, "", 4096) = 0 <0.000020>',
  ` > ${frame('libc.so.6', 'read')}`,
  ` > ${line(9)}`,
  '8 00:00:00.100000 <... write resumed>) = 1 <0.800000>',
  ` > ${line(12)}`,
  '8 00:00:00.200000 --- SIGCHLD {si_signo=SIGCHLD} ---',
  'what is this line',
  '8 00:00:00.300000 +++ exited with 0 +++',
  '7 00:00:00.400000 wait4(-1, 0x0, 0, NULL <unfinished ...>',
].join('\n');

describe('a recording that is read while it grows', () => {
  test('in any pieces is the same as read whole', async () => {
    const bytes = encode(TWISTED);
    const whole = contentOf(await readStrace([memoryFile('t.strace', bytes)]));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 30 }), async (cuts) => {
        const trace = await readInPieces(
          't.strace',
          bytes,
          cuts.sort((a, b) => a - b),
        );
        expect(contentOf(trace)).toEqual(whole);
      }),
      { numRuns: rounds(100) },
    );
  });

  test('cut at each byte in turn gives the same', async () => {
    const bytes = encode(`\ufeff${TWISTED}\n`);
    const whole = contentOf(await readStrace([memoryFile('t.strace', bytes)]));
    for (let at = 0; at <= bytes.length; at++) {
      const trace = await readInPieces('t.strace', bytes, [at]);
      expect(contentOf(trace), `cut at ${at}`).toEqual(whole);
    }
  });

  test('with lines that are too long, and colours', async () => {
    const call = '7 1795252180.000001 write(3</tmp/x>, "abc", 3) = 3 <0.000010>\n';
    const long = `7 1795252180.000002 write(3</tmp/x>, "${'a'.repeat(700)}", 700) = 700 <0.000010>`;
    const coloured = call.replace('write', '\u001b[34mwrite\u001b[0m');
    const limits = { chunkBytes: 128, longestRecord: 512 };
    for (const text of [call + long, `${call + long}\n${coloured}`, `${coloured + long + long}\n${call}`, long]) {
      const bytes = encode(text);
      const whole = await readStrace([memoryFile('t.strace', bytes)], {}, limits).then(contentOf, String);
      for (let seed = 1; seed < 40; seed++) {
        const cuts = cutsOf(bytes.length, seed, 20);
        const trace = await readInPieces('t.strace', bytes, cuts, {}, limits).then(contentOf, String);
        expect(trace, `${text.length} bytes, cut at ${cuts.join(' ')}`).toEqual(whole);
      }
    }
  });

  test('has no damage while calls have not returned, and the last line waits', async () => {
    const bytes = encode(TWISTED);
    const unfinished = TWISTED.indexOf('7 23:59:59.400000');
    const seen: string[] = [];
    await readInPieces('t.strace', bytes, [unfinished + 30], {}, {}, (reader) => {
      const { events, damage, calls, stacks } = reader.snapshot();
      for (let row = 0; row < events.length; row++)
        seen.push(`${calls.names[events.value('call', row)]!} ${stacks.framesOf(events.value('stack', row)).length}`);
      expect(damage).toEqual([]);
    });
    expect(seen).toEqual(['openat 2', 'clone 0', 'write 0']);
  });

  test('gives snapshots that stay as they are', async () => {
    const bytes = encode(TWISTED);
    const snapshots: { trace: Trace; before: object }[] = [];
    const steps = [150, 250, 500, 600, 700, 900];
    await readInPieces('t.strace', bytes, steps, {}, {}, (reader) => {
      const trace = reader.snapshot();
      snapshots.push({ trace, before: contentOf(trace) });
    });
    expect(snapshots).toHaveLength(steps.length);
    for (const { trace, before } of snapshots) expect(contentOf(trace)).toEqual(before);
  });

  test('is given up when the user cancels, and can be read on', async () => {
    const bytes = encode(TWISTED);
    const file = new GrowingBytes('t.strace', bytes);
    const reader = new GrowingStrace();
    reader.add([file]);
    file.grow(400);
    await expect(reader.read({ signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    await reader.read();
    file.grow(bytes.length);
    expect(contentOf(await reader.finish())).toEqual(contentOf(await readStrace([memoryFile('t.strace', bytes)])));
  });

  test('without a call is refused as when it is opened', async () => {
    await expect(readInPieces('t.strace', encode('Dear reader,\n'), [3])).rejects.toThrow('no system call of strace');
  });

  test('with more calls than are kept says so', async () => {
    const text = new StraceText();
    text.times(3000, () => text.call(7, 'read(3</w/a>, "", 8) = 8', 3));
    const bytes = encode(text.toString());
    const limits = { mostEvents: 100, chunkBytes: 4096 };
    const trace = await readInPieces('t.strace', bytes, [50_000, 90_000], {}, limits);
    expect(trace.events.length).toBeLessThan(300);
    expect(trace.damage.map(({ what }) => what)).toEqual([
      'cannot be read further: the recording holds more calls than are kept',
    ]);
  });
});

/** A temporary file that holds every chunk but the newest. */
class TinyStore implements ChunkStore {
  readonly held = new Map<number, Uint8Array>();
  keeps(): boolean {
    return false;
  }
  write(position: number, bytes: Uint8Array): boolean {
    this.held.set(position, bytes.slice());
    return true;
  }
  read(position: number, target: Uint8Array): void {
    const start = Math.floor(position / CHUNK_BYTES) * CHUNK_BYTES;
    target.set(this.held.get(start)!.subarray(position - start, position - start + target.length));
  }
}

/** Of all columns of all events. */
function digestOf({ events }: Trace): string {
  const hash = createHash('sha1');
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (const column of Object.values(chunk)) {
      const { buffer, byteOffset, BYTES_PER_ELEMENT } = column.subarray(0, rows);
      hash.update(new Uint8Array(buffer, byteOffset, rows * BYTES_PER_ELEMENT));
    }
  });
  return hash.digest('hex');
}

test('a file that appears later and begins earlier moves the origin, and snapshots stay as they are', async () => {
  const bytes = (...lines: string[]): Uint8Array => new TextEncoder().encode(lines.map((text) => `${text}\n`).join(''));
  const startsOf = ({ events }: Trace): number[] =>
    Array.from({ length: events.length }, (_, row) => events.value('start', row));
  const late = new GrowingBytes(
    't.7',
    bytes(
      '1795252180.750000 sync( <unfinished ...>',
      '1795252181.000000 <... sync resumed>) = 0',
      '1795252182.000000 sync() = 0 <0.5>',
    ),
  );
  const early = new GrowingBytes(
    't.8',
    bytes('1795252179.500000 sync() = 0 <0.1>', '1795252183.000000 sync() = 0 <0.1>'),
  );
  const reader = new GrowingStrace();
  reader.add([late]);
  late.grow(60);
  await reader.read();
  const first = reader.snapshot();
  expect(startsOf(first)).toEqual([0]);
  reader.add([early]);
  early.grow(1000);
  await reader.read();
  const second = reader.snapshot();
  expect(startsOf(second)).toEqual([1.25e9, 0]);
  expect(startsOf(first)).toEqual([0]);
  late.grow(1000);
  await reader.read();
  const whole = await reader.finish();
  expect(startsOf(whole).toSorted((a, b) => a - b)).toEqual([0, 1.25e9, 2.5e9, 3.5e9]);
  expect(whole.events.value('duration', 0)).toBe(0.25e9);
  expect(whole).toMatchObject({ startTime: 1795252179.5, durationNs: 3.6e9 });
  expect(startsOf(second)).toEqual([1.25e9, 0]);
});

test('a recording larger than memory is the same, and so are its last two snapshots', async () => {
  // One process waits all the time: its calls return into chunks that were put aside long ago.
  const lines: string[] = [];
  for (let i = 0; i < 1_000_000; i++) {
    const time = `1795252180.${String(i).padStart(6, '0')}`;
    if (i % 500_000 === 5) lines.push(`8 ${time} futex(0x7f, FUTEX_WAIT, 1, NULL <unfinished ...>`);
    else if (i % 500_000 === 499_999) lines.push(`8 ${time} <... futex resumed>) = 0 <0.490000>`);
    else lines.push(`7 ${time} read(3</w/a>, "", 8) = 8 <0.000001>`);
  }
  const bytes = encode(`${lines.join('\n')}\n`);
  const whole = digestOf(await readStrace([memoryFile('t.strace', bytes)]));
  // Between the first two the beginning is put aside, filled in, and put aside again.
  const steps = [0.45, 0.95, 0.97].map((share) => Math.floor(share * bytes.length));
  const recent: { trace: Trace; before: string }[] = [];
  const store = new TinyStore();
  const trace = await readInPieces('t.strace', bytes, steps, { chunkStore: store }, {}, (reader) => {
    const snapshot = reader.snapshot();
    recent.push({ trace: snapshot, before: digestOf(snapshot) });
    if (recent.length > 2) recent.shift();
    for (const { trace, before } of recent) expect(digestOf(trace)).toBe(before);
  });
  expect(digestOf(trace)).toBe(whole);
  expect(store.held.size).toBeLessThan(1_000_000 / CHUNK_ROWS + 6);
}, 60_000);

describe('real recordings in random pieces', () => {
  const files = ['formats', 'damaged', 'ior/ssf']
    .flatMap((name) => {
      const folder = corpus(`strace/${name}`);
      return folder === undefined ? [] : readdirSync(folder).map((file) => path.join(folder, file));
    })
    .filter((file) => /\.(strace|st)$/.test(file));
  test.skipIf(files.length === 0)(files.length === 0 ? absent('strace') : 'are the same as read whole', async () => {
    for (const [number, file] of files.entries()) {
      const bytes = readFileSync(file);
      const name = path.basename(file);
      const whole = await readStrace([memoryFile(name, bytes)]).then(contentOf, String);
      const pieces = await readInPieces(name, bytes, cutsOf(bytes.length, number + 1, 40)).then(contentOf, String);
      expect(pieces, file).toEqual(whole);
    }
  });
});
