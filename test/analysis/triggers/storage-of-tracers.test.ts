import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Insight } from '../../../src/analysis/triggers/insight.ts';
import { OPEN_MODE } from '../../../src/trace/events.ts';
import { KiB, MiB } from '../../support/analysed-text.ts';
import { open } from '../../support/programs.ts';
import { expectSlots } from '../../support/sentences.ts';
import { ToldCalls } from '../../support/told-calls.ts';

/** L33 to L39 in recordings of other tracers than strace: the same calls as Recorder and as OTF2 write them. */

const TRACERS = ['recorder', 'otf2'] as const;
type Tracer = (typeof TRACERS)[number];

async function findings(calls: ToldCalls, tracer: Tracer): Promise<readonly Insight[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-tracers-'));
  try {
    for (const [name, bytes] of calls[tracer]()) {
      const file = path.join(folder, 'trace', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    const recording = await open(path.join(folder, 'trace'), folder);
    expect(recording.trace.damage).toEqual([]);
    expectSlots(recording.insights);
    return recording.insights;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const codes = async (calls: ToldCalls, tracer: Tracer): Promise<string[]> =>
  (await findings(calls, tracer)).map(({ code }) => code);

async function find(code: string, calls: ToldCalls, tracer: Tracer): Promise<Insight> {
  const found = await findings(calls, tracer);
  expect(found.map((each) => each.code)).toContain(code);
  return found.find((each) => each.code === code)!;
}

const [A, B] = ['/scratch/a', '/scratch/b'];
const { create, sync, dataSync, direct, append } = OPEN_MODE;
const WRITE_ONLY = 1;

describe.each(TRACERS)('in a recording of %s', (tracer) => {
  test.each([
    ['O_SYNC', sync],
    ['O_DSYNC', dataSync],
  ])('L33: writes to a file opened with %s; not without', async (_, flag) => {
    const writes = (flags: number): ToldCalls =>
      new ToldCalls().open(A, WRITE_ONLY | create | flags).times(60, (calls) => calls.move('write', A, 8 * KiB, 500));
    const found = await find('L33', writes(flag), tracer);
    expect(found).toMatchObject({ severity: 'high', evidence: { count: 60, bytes: 60 * 8 * KiB } });
    expect(await codes(writes(append), tracer)).not.toContain('L33');
  });

  test('L34: pieces of 4 KiB past the page cache; not of 1 MiB, and not through the cache', async () => {
    const reads = (flags: number, bytes: number): ToldCalls =>
      new ToldCalls().open(A, flags).times(100, (calls) => calls.move('read', A, bytes, 100));
    const found = await find('L34', reads(direct, 4 * KiB), tracer);
    expect(found).toMatchObject({ severity: 'high', evidence: { count: 100 } });
    expect(await codes(reads(direct, MiB), tracer)).not.toContain('L34');
    expect(await codes(reads(0, 4 * KiB), tracer)).not.toContain('L34');
  });

  // Recorder does not intercept sendfile and its like.
  test.skipIf(tracer === 'recorder')('L35: copies of 512 B in the kernel; not of 64 KiB', async () => {
    const copies = (bytes: number): ToldCalls =>
      new ToldCalls()
        .open(A, 0)
        .open(B, WRITE_ONLY | create)
        .times(100, (calls) => calls.copy(A, B, bytes, 20));
    expect((await find('L35', copies(512), tracer)).evidence).toMatchObject({ count: 100, bytes: 100 * 512 });
    // A buffer in the program joins none of them.
    expect(await codes(copies(512), tracer)).toEqual(['L35']);
    expect(await codes(copies(64 * KiB), tracer)).toEqual([]);
  });

  test('L36: synchronised after every 64 writes; not where that takes no time', async () => {
    const rounds = (lasts: number): ToldCalls =>
      new ToldCalls()
        .open(A, WRITE_ONLY | create)
        .times(40, (calls) => calls.times(64, () => calls.move('write', A, 4 * KiB)).sync(A, lasts));
    const found = await find('L36', rounds(200), tracer);
    expect(found).toMatchObject({ severity: 'high', evidence: { count: 39 } });
    expect(await codes(rounds(1), tracer)).not.toContain('L36');
  });

  test('L37: small files that are read in turns; not once each', async () => {
    const turns = (count: number): ToldCalls =>
      new ToldCalls().times(count, (calls) =>
        calls.times(50, (_, i) =>
          calls
            .open(`${A}.${i}`, 0, 30)
            .move('read', `${A}.${i}`, 16 * KiB)
            .close(`${A}.${i}`),
        ),
      );
    expect((await find('L37', turns(4), tracer)).evidence).toMatchObject({ files: 50, turns: 4 });
    expect(await codes(turns(1), tracer)).not.toContain('L37');
  });

  test('L38: asked again and again after a pause; not at once', async () => {
    const asks = (pause: number): ToldCalls =>
      new ToldCalls().open(A, 0).times(60, (calls) => {
        calls.wait(pause);
        // An archive names no file of a question: there the end of a file that grows is read again.
        if (tracer === 'otf2') calls.move('read', A, 4 * KiB, 5, 0);
        else calls.ask(B);
      });
    expect((await find('L38', asks(10_000), tracer)).evidence).toMatchObject({ count: 59 });
    expect(await codes(asks(0), tracer)).not.toContain('L38');
  });

  test('L39: a journal that is made safe before its data; L01 where nothing follows', async () => {
    const rounds = (hasData: boolean): ToldCalls =>
      new ToldCalls()
        .open(A, WRITE_ONLY | create)
        .open(B, WRITE_ONLY | create)
        .times(40, (calls) => {
          calls.move('write', A, 256).sync(A, 2000);
          if (hasData) calls.move('write', B, 4 * KiB).sync(B, 2000);
        });
    const found = await find('L39', rounds(true), tracer);
    expect(found.evidence).toMatchObject({ count: 80, ordered: 79, acknowledged: 0 });
    expect(found.recommendations[0]!.text).toContain('group commit');
    expect(await codes(rounds(false), tracer)).toEqual(expect.arrayContaining(['L01']));
    expect(await codes(rounds(false), tracer)).not.toContain('L39');
  });
});
