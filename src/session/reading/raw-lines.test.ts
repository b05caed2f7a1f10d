import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawLines } from './raw-lines.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'raw-lines-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Lines of many lengths, over several MiB, one of them longer than a MiB. */
const LINES = Array.from({ length: 60_000 }, (_, i) => `write(${i}, ${'x'.repeat((i * 7919) % 150)})`);
LINES[31_000] = `write(31000, ${'y'.repeat(1_500_000)})`;

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, content);
  return at;
}

describe('single lines of a recording', () => {
  it('are found in any order', async () => {
    const text = await file('plain', LINES.join('\n'));
    const raw = new RawLines();
    for (const line of [1, 2, 59_999, 60_000, 30_999, 31_000, 31_002, 500, 45_000, 1]) {
      expect(await raw.line(text, line, 'write')).toEqual({ text: LINES[line - 1], lack: '' });
    }
    const { text: long } = await raw.line(text, 31_001, 'write');
    expect([long.length, long.slice(0, 20), long.at(-1)]).toEqual([4097, LINES[31_000]!.slice(0, 20), '…']);
  });

  it('are found in a compressed file', async () => {
    const packed = await file('packed.gz', gzipSync(`${LINES.slice(0, 20_000).join('\r\n')}\r\n`));
    const raw = new RawLines();
    expect(await raw.line(packed, 20_000, 'write')).toEqual({ text: LINES[19_999], lack: '' });
    expect(await raw.line(packed, 7, 'write')).toEqual({ text: LINES[6], lack: '' });
    const small = await new RawLines({ mostUnpacked: 1 << 20 }).line(packed, 20_000, '');
    expect(small).toEqual({
      text: '',
      lack: 'it unpacks to more than 1 MiB: unpack it first, and open the file itself',
    });
  });

  it('cost a bounded stretch of reading each', async () => {
    const text = await file('large', LINES.join('\n'));
    const raw = new RawLines({ mostScanned: 2 << 20 });
    const answers = [];
    while (answers.at(-1)?.text !== LINES[59_999] && answers.length < 10)
      answers.push(await raw.line(text, 60_000, 'write'));
    expect(answers.map(({ lack }) => lack.includes('far back'))).toEqual([true, true, true, false]);
  });

  it('of a recording in bytes there is none', async () => {
    const bytes = await file('0.evt', Uint8Array.from([3, 0x42, 1, 0, 0, 0, 10, 119, 114, 105, 116, 101, 10]));
    const words = 'the recording is no text';
    expect(await new RawLines().line(bytes, 2, 'write')).toEqual({ text: '', lack: words });
  });

  it('are not shown of a file that was changed, and not of what is no text', async () => {
    const text = await file('changing', `${LINES.slice(0, 50).join('\n')}\n`);
    const raw = new RawLines();
    expect((await raw.line(text, 50, 'write')).lack).toBe('');
    await appendFile(text, 'write(more)\n');
    expect((await raw.line(text, 51, 'write')).text).toBe('write(more)');
    expect((await raw.line(text, 51, 'read')).lack).toMatch(/changed since/);
    await truncate(text, 100);
    expect((await raw.line(text, 51, 'write')).lack).toMatch(/ends before this line/);
    const binary = await file('binary', Uint8Array.of(100, 97, 0, 10, 0, 1));
    expect((await raw.line(binary, 1, '')).lack).toBe('the recording is no text');
    expect((await raw.line(path.join(folder, 'gone'), 1, '')).lack).toMatch(/no such file/);
    expect((await raw.line('-', 1, '')).lack).toMatch(/standard input/);
  });
});
