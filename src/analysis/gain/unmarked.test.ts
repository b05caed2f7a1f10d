import { describe, expect, test } from 'vitest';
import { analysed, at, KiB, MiB } from '../../../test/support/analysed-text.ts';
import { line, StraceText } from '../../../test/support/strace-text.ts';
import type { Unmarked } from './unmarked.ts';

/** What costs a tenth of the I/O has a finding or a sentence; what is left without either is less. */
async function unmarkedOf(text: StraceText): Promise<readonly Unmarked[]> {
  return (await analysed(text)).unmarked;
}

describe('dear calls without a finding', () => {
  test('large writes and the one synchronisation behind them are as they should be, and are told with their numbers', async () => {
    const text = new StraceText();
    text.times(8, (i) => text.call(1, at('write', '/w/a', i * 4 * MiB, 4 * MiB), 9000, [line(7)]));
    text.call(1, 'fsync(3</w/a>) = 0', 20_000, [line(8)]);
    const unmarked = await unmarkedOf(text);
    expect(unmarked).toHaveLength(2);
    const [sync, writes] = unmarked.toSorted((a, b) => a.events - b.events);
    expect(writes).toMatchObject({ kind: 'large', events: 8, bytes: 32 * MiB });
    expect(writes!.what).toMatch(/^8 writes \(.* each\) of 4 MiB, in the order of the file: large pieces/);
    expect(sync).toMatchObject({ kind: 'synchronisation', events: 1 });
    expect(sync!.what).toContain('after 8 writes, once for a file');
    expect(writes!.cost.shareOfIo + sync!.cost.shareOfIo).toBeCloseTo(1, 5);
  });

  test('what a finding names is not told once more, but what the same line does beside it is', async () => {
    const small = new StraceText();
    small.times(3000, (i) => small.call(1, at('write', '/w/a', i * 100, 100), 200, [line(7)]));
    expect(await unmarkedOf(small)).toEqual([]);
    // The same line waits for the storage thrice, which takes most of the time.
    small.times(3, () => small.call(1, 'fsync(3</w/a>) = 0', 900_000, [line(7)]));
    const estimates = await analysed(small);
    expect(estimates.insights.filter(({ sites }) => sites.length > 0)).not.toEqual([]);
    expect(estimates.unmarked).toMatchObject([{ kind: 'synchronisation', events: 3 }]);
  });

  test('a finding on one operation of a file leaves the others to be told', async () => {
    const text = new StraceText();
    text.call(1, 'openat(AT_FDCWD, "/w/a", O_WRONLY) = 3</w/a>', 90_000);
    text.times(12, (i) => {
      text.call(1, at('write', '/w/a', i * MiB, MiB), 900);
      text.call(1, 'fdatasync(3</w/a>) = 0', 9000);
    });
    const { insights, unmarked } = await analysed(text);
    expect(insights.map(({ code }) => code)).toContain('L01');
    expect(unmarked).toMatchObject([{ kind: 'once', events: 1 }]);
  });

  test('who asks a pipe again and again does not wait for the other end', async () => {
    const asking = (answer: string): StraceText => {
      const text = new StraceText();
      text.times(500, (i) => text.call(1, `read(4<pipe:[77]>, ${answer}`, 100 + (i % 50) * 100, [line(9)]));
      return text.call(1, at('write', '/w/a', 0, MiB), 20_000, [line(7)]);
    };
    const ofPipes = async (answer: string): Promise<Unmarked | undefined> =>
      (await unmarkedOf(asking(answer))).find(({ kind }) => kind === 'waiting');
    const busy = await ofPipes('0x7ffe, 64) = -1 EAGAIN (Resource temporarily unavailable)');
    expect(busy!.what).toMatch(/^500 calls on pipes and sockets, 500 of which came back with an error at once/);
    const waiting = await ofPipes('"x"..., 65536) = 65536');
    expect(waiting!.what).toContain('which wait for the process at the other end');
  });

  test('pieces that are neither small nor large are not praised: no rule is about them', async () => {
    const text = new StraceText();
    text.times(3000, (i) => text.call(1, at('write', '/w/a', i * 16 * KiB, 16 * KiB), 400, [line(7)]));
    const [only] = await unmarkedOf(text);
    expect(only).toMatchObject({ kind: 'unjudged', events: 3000 });
    expect(only!.what).toMatch(/^no trigger covers 3,000 writes .* of 16 KiB, in the order of the file$/);
  });

  test('large pieces, half of which come twice, are not praised', async () => {
    const text = new StraceText();
    text.times(40, (i) => text.call(1, at('read', '/w/a', (i % 24) * MiB, MiB), 900, [line(7)]));
    const [only] = await unmarkedOf(text);
    expect(only).toMatchObject({ kind: 'unjudged' });
    expect(only!.what).toContain('40 % of the bytes not for the first time');
  });

  test('many lines that are cheap by themselves are told together', async () => {
    const text = new StraceText();
    text.times(40, (i) => text.call(1, at('write', `/w/${i}`, 0, MiB), 900, [line(i + 1)]));
    const [only, ...others] = await unmarkedOf(text);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ kind: 'large', events: 40 });
    expect(only!.sites).toHaveLength(40);
    expect(only!.cost.shareOfIo).toBeCloseTo(1, 5);
  });

  test('without lines the files are the places', async () => {
    const text = new StraceText();
    text.times(8, (i) => text.call(1, at('write', '/w/a', i * 4 * MiB, 4 * MiB), 9000));
    const [only] = await unmarkedOf(text);
    expect(only).toMatchObject({ kind: 'large', sites: [], files: [expect.any(Number)] });
  });

  test('a long wait for another process is told as such, a short one is not', async () => {
    const waiting = (microseconds: number): StraceText =>
      new StraceText()
        .call(1, at('write', '/w/a', 0, MiB), 20_000, [line(7)])
        .call(1, 'read(4<pipe:[77]>, "x", 1) = 1', microseconds, [line(9)]);
    const [wait] = await unmarkedOf(waiting(300_000));
    expect(wait).toMatchObject({ kind: 'waiting', events: 1, files: [] });
    expect(wait!.cost.shareOfRun).toBeGreaterThan(0.8);
    expect((await unmarkedOf(waiting(1000))).map(({ kind }) => kind)).toEqual(['large']);
  });

  test('where I/O does not matter nothing is dear', async () => {
    const text = new StraceText();
    text.call(1, at('write', '/w/a', 0, MiB), 900, [line(7)]);
    text.wait(1_000_000).call(1, 'close(3</w/a>) = 0', 10, [line(8)]);
    expect(await unmarkedOf(text)).toEqual([]);
  });
});
