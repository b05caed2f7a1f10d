// What a browser unpacks with against Node's zlib, on real recordings that are cut, changed and followed by rubbish.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pakoInflation } from '../../src/session/machine/browser/pako-inflation.ts';
import { nodeInflation } from '../../src/session/reading/compression/node-inflation.ts';
import { StoredBytes } from '../../src/session/reading/compression/stored-bytes.ts';
import { MemorySource } from '../../src/session/machine/local-source.ts';
import type { Inflation, StoredWindow } from '../../src/session/machine/machine.ts';
import { rounds } from '../support/rounds.ts';

const root = path.resolve(import.meta.dirname, '../..');
const packed = readFileSync(path.join(root, 'demo/heat/heat.strace.gz'));
const log = readFileSync(path.join(root, 'test/data/darshan-stack/badmpi_4ranks.darshan'));

interface Outcome {
  readonly bytes: Buffer;
  readonly error: string;
}

async function gathered(pieces: AsyncGenerator<Uint8Array, unknown>): Promise<Outcome> {
  const all: Buffer[] = [];
  try {
    for await (const piece of pieces) all.push(Buffer.from(piece));
    return { bytes: Buffer.concat(all), error: '' };
  } catch (error) {
    return { bytes: Buffer.concat(all), error: (error as Error).message };
  }
}

function gunzipped(inflation: Inflation, stored: Uint8Array): Promise<Outcome> {
  let position = 0;
  const source = MemorySource.of(stored);
  const stream = {
    read: async (target: Uint8Array): Promise<number> => {
      const length = await source.read(position, target);
      position += length;
      return length;
    },
    close: () => Promise.resolve(),
  };
  return gathered(inflation.gunzipped(new StoredBytes(stream)));
}

/** A window that shows a part at a time. */
function windowOn(stored: Uint8Array, most: number): StoredWindow & { readonly taken: number } {
  let taken = 0;
  let bytes = stored.subarray(0, most);
  return {
    get bytes() {
      return bytes;
    },
    get taken() {
      return taken;
    },
    fill() {
      bytes = stored.subarray(taken, taken + most);
      return Promise.resolve();
    },
    skip(length) {
      taken += length;
      bytes = bytes.subarray(length);
    },
  };
}

/** Cuts, changes, or lengthens. */
const damage = (length: number): fc.Arbitrary<(bytes: Buffer) => Buffer> =>
  fc.oneof(
    fc.nat(length).map((at) => (bytes: Buffer) => bytes.subarray(0, at)),
    fc.tuple(fc.nat(length - 1), fc.integer({ min: 1, max: 255 })).map(([at, value]) => (bytes: Buffer) => {
      const changed = Buffer.from(bytes);
      changed[at]! ^= value;
      return changed;
    }),
    fc.uint8Array({ maxLength: 40 }).map((rest) => (bytes: Buffer) => Buffer.concat([bytes, rest])),
  );

/** The same verdict, and nothing less than zlib's thread hands out, which loses the chunk that the damage stands in. */
function agrees(browser: Outcome, node: Outcome): void {
  expect(browser.error).toBe(node.error);
  expect(browser.bytes.length).toBeGreaterThanOrEqual(node.bytes.length);
  expect(browser.bytes.subarray(0, node.bytes.length).equals(node.bytes)).toBe(true);
  if (node.error === '') expect(browser.bytes.length).toBe(node.bytes.length);
}

describe('gzip', () =>
  test('damaged in any way', async () => {
    await fc.assert(
      fc.asyncProperty(damage(packed.length), async (harm) => {
        const stored = harm(packed);
        // Zeros behind the data pad it.
        if (stored.length <= 2) return;
        agrees(await gunzipped(pakoInflation, stored), await gunzipped(nodeInflation, stored));
      }),
      { numRuns: rounds(60) },
    );
  }));

describe('zlib streams', () => {
  const text = Buffer.from(readFileSync(path.join(root, 'demo/heat/heat.c'), 'latin1').repeat(200), 'latin1');
  const stream = deflateSync(text);

  test('damaged in any way, seen through windows of any size', async () => {
    const sizes = fc.constantFrom(stream.length, 1000, 333);
    await fc.assert(
      fc.asyncProperty(damage(stream.length), sizes, async (harm, size) => {
        const stored = harm(stream);
        const [here, there] = [windowOn(stored, size), windowOn(stored, size)];
        const browser = await gathered(pakoInflation.piecewise(here));
        const node = await gathered(nodeInflation.piecewise(there));
        agrees(browser, node);
        if (node.error === '') expect(here.taken).toBe(there.taken);
      }),
      { numRuns: rounds(60) },
    );
  });

  test('in the bytes of a Darshan log: each place is the beginning of one for both, or for none', () => {
    const found: number[] = [];
    for (let at = log.indexOf(0x78); at >= 0; at = log.indexOf(0x78, at + 1)) {
      const rest = log.subarray(at);
      expect(pakoInflation.isStream(rest), `at ${at}`).toBe(nodeInflation.isStream(rest));
      const [browser, node] = [pakoInflation.atOnce(rest), nodeInflation.atOnce(rest)];
      expect(browser?.stored).toBe(node?.stored);
      expect(browser === undefined || Buffer.from(browser.bytes).equals(Buffer.from(node!.bytes))).toBe(true);
      if (browser !== undefined) found.push(at);
    }
    expect(found.length).toBeGreaterThan(3);
  });

  test('one that is too long to be inflated at once is none to both', () => {
    const long = deflateSync(Buffer.alloc((1 << 20) + 1));
    expect([pakoInflation.atOnce(long), nodeInflation.atOnce(long)]).toEqual([undefined, undefined]);
    expect([pakoInflation.isStream(long), nodeInflation.isStream(long)]).toEqual([true, true]);
  });
});
