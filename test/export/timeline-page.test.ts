import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sax from 'sax';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StraceText } from '../support/strace-text.ts';

/** `iolens timeline`, as a user runs it. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const ranks = path.resolve(import.meta.dirname, '../data/darshan-stack/badmpi_4ranks.darshan');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-timeline-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; err: string } {
  const { status, stderr } = spawnSync(process.execPath, [cli, 'timeline', ...args], { encoding: 'utf8' });
  return { status, err: stderr };
}

function drawn(name: string, recording: string, ...options: string[]): string {
  const file = path.join(folder, name);
  const { status, err } = run(recording, '-o', file, ...options);
  expect(status, err).toBe(0);
  return readFileSync(file, 'utf8');
}

/** Elements of a picture by name; throws where it is no XML. */
function elements(svg: string): Map<string, number> {
  const counts = new Map<string, number>();
  const parser = sax.parser(true);
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name }) => counts.set(name, (counts.get(name) ?? 0) + 1);
  parser.write(svg).close();
  return counts;
}

const headings = (page: string): string[] => [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, text]) => text!);

describe('the timeline as a page', () => {
  test('has every facet, and reads whole without a script', () => {
    const page = drawn('all.html', ranks);
    expect(headings(page)).toEqual([
      ...['Layers', 'Operations', 'Transfer sizes', 'Files'],
      ...['shared.dat', 'field.dat', 'header.dat'].map((name) => `Offsets of /tmp/app/data/${name}`),
      ...['Bytes over time, MPI-IO', 'Bytes over time, POSIX'],
    ]);
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    const layers = page.slice(page.indexOf('<h2>Layers'), page.indexOf('<h2>Operations'));
    for (const label of ['MPI-IO', 'POSIX', 'rank 0', 'rank 3']) expect(layers).toContain(`>${label}</text>`);
    const ids = [...page.matchAll(/<clipPath id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(3);
  });

  test('or is one picture, of what is asked for', () => {
    const svg = drawn('some.svg', ranks, '--facets', 'heatmap,sizes');
    const counts = elements(svg);
    expect(counts.get('svg')).toBe(1 + 1 + 2);
    expect(svg).toContain('up to 100 B');
    expect(svg).toContain('.cell1 {');
    expect(svg).not.toContain('Calls in flight');
  });

  test('shows a part of the time', () => {
    const whole = drawn('whole.svg', ranks, '--facets', 'operations');
    const part = drawn('part.svg', ranks, '--facets', 'operations', '--from', '0.018', '--to', '0.026');
    const before = '>5 ms<';
    expect([whole, part].map((svg) => svg.includes(before))).toEqual([true, false]);
    expect(part).toContain('>20 ms<');
  });

  test('is of one time in all pictures, also of a file that is used in a part of it', () => {
    const recording = path.join(folder, 'parts.strace');
    const text = new StraceText();
    text
      .call(7, 'openat(AT_FDCWD, "/d/early", O_RDWR) = 3', 9)
      .times(3, () => text.call(7, 'write(3, ""..., 5) = 5', 9));
    text.wait(800_000).call(7, 'openat(AT_FDCWD, "/d/late", O_RDWR) = 4', 9);
    text.times(3, () => text.call(7, 'write(4, ""..., 5) = 5', 9));
    writeFileSync(recording, text.toString());
    const page = drawn('parts.html', recording, '--facets', 'offsets,files', '--from', '0.5', '--to', '0.8');
    expect(headings(page)).toEqual(['Files', 'Offsets of /d/early', 'Offsets of /d/late']);
    expect([...page.matchAll(/>700 ms</g)]).toHaveLength(3);
  });

  test('of a recording of one moment is drawn, and of one without times no part of it', () => {
    const calls = ['openat(AT_FDCWD, "/d/a", O_RDWR) = 3', 'write(3, ""..., 5) = 5', 'write(3, ""..., 5) = 5'];
    const file = (name: string, stamp: string): string => {
      const recording = path.join(folder, name);
      writeFileSync(recording, calls.map((call) => `7 ${stamp}${call}\n`).join(''));
      return recording;
    };
    const moment = drawn('moment.html', file('moment.strace', '12:00:00 '));
    expect(headings(moment)).toEqual(['Layers', 'Operations', 'Transfer sizes', 'Files', 'Offsets of /d/a']);
    const timeless = file('timeless.strace', '');
    expect(run(timeless, '-o', path.join(folder, 'timeless.html'), '--to', '1')).toEqual({
      status: 2,
      err: expect.stringContaining('timeless.strace holds no times') as string,
    });
  });

  test('what storage did meanwhile stands above the operations, where that recording was looked at', () => {
    const recording = path.join(folder, 'noted.strace');
    const lines = (origin: number): string =>
      ['openat(AT_FDCWD, "/d/a", O_RDWR) = 3', 'write(3, ""..., 10) = 10', 'close(3) = 0']
        .map((call, i) => `7 ${origin + i}.000000 ${call} <0.000010>\n`)
        .join('');
    writeFileSync(recording, lines(1_700_000_000));
    const storage = { at: [1_700_000_000, 1_700_000_002], read: [0, 0], written: [0, 4e6], stalled: [0, 1] };
    const note = { schema: 'iolens/recorded@1', revision: '', changed: [], buildIds: {}, storage };
    writeFileSync(`${recording}.iolens.json`, JSON.stringify(note));
    const page = drawn('noted.html', recording, '--facets', 'operations');
    for (const text of ['Machine’s storage', 'Waits for storage', '2 MB/s', '100 %']) expect(page).toContain(text);
    // Of another time: of another run under that name.
    writeFileSync(recording, lines(1_600_000_000));
    expect(drawn('other.html', recording, '--facets', 'operations')).not.toContain('storage');
  });

  test('of a thousand processes draws so many rows as are asked for, and says what it leaves out', () => {
    const recording = path.join(folder, 'many.strace');
    const text = new StraceText();
    // Each does something else, so that none are alike.
    text.times(1000, (i) => {
      text.call(i + 10, `openat(AT_FDCWD, "/d/${i}", O_RDWR) = 3`, 5).times(1 + (i % 9), () => {
        text.call(i + 10, `write(3, ""..., ${100 << (i % 12)}) = ${100 << (i % 12)}`, 3 + (i % 50));
      });
    });
    writeFileSync(recording, text.toString());
    const page = drawn('many.html', recording, '--facets', 'operations', '--rows', '150');
    const [, left] = /([\d,]+) more rows are left out\./.exec(page)!;
    expect(Number(left!.replace(',', ''))).toBeGreaterThan(100);
    const rows = [...page.matchAll(/<line [^>]*stroke-opacity="0.5"/g)].length;
    expect(rows).toBe(150);
  });

  test('names of a hostile recording are text', () => {
    const recording = path.join(folder, 'hostile.strace');
    const text = new StraceText().call(7, 'openat(AT_FDCWD, "</svg><script>x</script>", O_RDWR) = 3', 9);
    text.times(3, () => text.call(7, 'write(3, ""..., 5) = 5', 9));
    writeFileSync(recording, text.toString());
    const page = drawn('hostile.html', recording);
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script');
    expect(elements(drawn('hostile.svg', recording)).get('script')).toBeUndefined();
  });

  test('what cannot be drawn is said, and no file is left', () => {
    const empty = path.join(folder, 'empty.strace');
    writeFileSync(empty, '7 1795252180.5 +++ exited with 0 +++\n');
    const file = path.join(folder, 'none.html');
    expect(run(empty, '-o', file)).toEqual({
      status: 2,
      err: expect.stringContaining('can be drawn over time') as string,
    });
    expect(run(ranks, '-o', path.join(folder, 'none.pdf')).err).toContain('ends in .html or .svg');
    expect(run(ranks, '-o', file, '--facets', 'lanes').err).toContain('there is no facet lanes');
    expect(run(ranks, '-o', file, '--from', '5').err).toContain('nothing lies between them');
    expect(existsSync(file)).toBe(false);
  });
});
