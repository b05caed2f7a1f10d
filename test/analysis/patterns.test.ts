import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { NONE } from '../../src/trace/events.ts';
import { findSiteLoops, type SiteLoop } from '../../src/analysis/loops/site-loops.ts';
import type { LoopsDocument } from '../../src/export/loops/loop-document.ts';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { absent, corpus } from '../support/corpus.ts';
import { freshFolder } from '../support/programs.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const wasm = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');

function patterns(recording: string, ...options: string[]): string {
  const { stdout, stderr, status } = spawnSync('node', [cli, 'patterns', recording, '--no-cache', ...options], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** A process that copies blocks of a file, in a loop. */
function copyRecording(name: string): string {
  const lines = ['openat(AT_FDCWD, "/data/in", O_RDONLY) = 3</data/in>'];
  lines.push(`openat(AT_FDCWD, "/data/${name}", O_WRONLY|O_CREAT, 0644) = 4</data/${name}>`);
  for (let i = 0; i < 34; i++) {
    lines.push('read(3</data/in>, ""..., 10000) = 10000');
    lines.push(`pwrite64(4</data/${name}>, ""..., 10000, ${String(i * 20000)}) = 10000`);
  }
  return recordingOf(lines);
}

function recordingOf(lines: readonly string[]): string {
  const file = path.join(freshFolder('patterns'), 'copy.strace');
  const stamped = lines.map((line, i) => `7 1700000000.${String(i * 100).padStart(6, '0')} ${line} <0.000050>\n`);
  writeFileSync(file, stamped.join(''));
  return file;
}

describe('iolens patterns', () => {
  test('prints an outline as the paper does', () => {
    const [, , ...lines] = patterns(copyRecording('out')).trimEnd().split('\n');
    expect(lines).toEqual([
      'process 7: 70 calls in 5 lines, 664 KiB, 3.5 ms',
      '  openat, /data/in, 50 µs',
      '  openat, /data/out, 50 µs',
      '  34 × [ 664 KiB, 3.4 ms',
      '    read 10000 B, /data/in, 332 KiB, 1.7 ms',
      '    pwrite64 10000 B, offset 0 += 20000, /data/out, 332 KiB, 1.7 ms',
      '  ]',
    ]);
  });

  test('gives a document of numbers', () => {
    const document = JSON.parse(patterns(copyRecording('out'), '--format', 'json')) as LoopsDocument;
    expect(document.schema).toBe('iolens/patterns@1');
    const [group] = document.recordings[0]!.groups;
    expect(group).toMatchObject({ streams: [{ thread: 7, rank: null }], length: 70, size: 5, events: 70 });
    expect(group!.patterns[2]).toMatchObject({
      kind: 'loop',
      count: 34,
      variable: null,
      body: [
        { call: 'read', path: '/data/in', slot: 0, offset: null, requested: { base: 10000, steps: [] } },
        { call: 'pwrite64', slot: 1, offset: { base: 0, steps: [20000], text: '0 += 20000' }, events: 34 },
      ],
    });
  });

  const OPEN = 'openat(AT_FDCWD, "/data/in", O_RDONLY) = 3</data/in>';
  const READ = 'read(3</data/in>, ""..., 512) = 512';
  const CLOSE = 'close(3</data/in>) = 0';
  test.each<[how: string, opens: readonly string[], loop: readonly string[], access: string]>([
    ['that is opened anew each time', [], [OPEN, READ, CLOSE], 'repeated'],
    [
      'that is opened anew, without its paths',
      [],
      [OPEN, READ, CLOSE].map((call) => call.replace(/<[^>]*>/, '')),
      'repeated',
    ],
    ['whose opens nobody recorded', [], [READ, CLOSE], ''],
    [
      'that stays open',
      [OPEN],
      [READ, 'fstat(3</data/in>, {st_mode=S_IFREG|0644, st_size=900000, ...}) = 0'],
      'contiguous',
    ],
    [
      'of a descriptor that is doubled, which has the same offset',
      [OPEN],
      ['dup(3</data/in>) = 4</data/in>', READ.replace('3', '4'), CLOSE.replace('3', '4')],
      'contiguous',
    ],
  ])('says of 400 reads of a file %s how they lie', (_how, opens, loop, access) => {
    const recording = recordingOf([...opens, ...Array.from({ length: 400 }, () => loop).flat()]);
    expect(/400 × \[ 200 KiB, \d+ ms(?:, )?(.*)\n/.exec(patterns(recording))?.[1]).toBe(access);
    const document = JSON.parse(patterns(recording, '--format', 'json')) as LoopsDocument;
    const [line] = document.recordings[0]!.groups[0]!.patterns.slice(opens.length);
    expect(line?.kind === 'loop' && (line.access?.kind ?? '')).toBe(access);
  });

  test('lets no name of the recording reach the terminal as it is', () =>
    expect(patterns(copyRecording('\\33[31mred'))).not.toContain('\u001b'));

  test('refuses a layer that is none', () => {
    const { status, stderr } = spawnSync('node', [cli, 'patterns', 'x', '--layer', 'lustre'], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain('outermost, requests, ');
  });
});

const programs = corpus('strace-programs');

/** The direction, and how the transfers of a line follow each other, as the sources show them. */
const KINDS: Readonly<Record<string, readonly [place: string, direction: 'read' | 'write', kind: SiteLoop['kind']][]>> =
  {
    small_writes: [['small_writes.c:11', 'write', 'contiguous']],
    seek_write: [['seek_write.c:8', 'write', 'strided']],
    backward_reads: [['backward_reads.c:11', 'read', 'backward']],
    reread: [['reread.c:10', 'read', 'repeated']],
    fsync_each: [
      ['fsync_each.c:10', 'write', 'contiguous'],
      ['fsync_each.c:18', 'write', 'contiguous'],
    ],
    open_close: [['open_close.c:12', 'write', 'appended']],
    stdio_unbuffered: [['stdio_unbuffered.c:8', 'read', 'contiguous']],
    f_flush: [['f_flush.f90:8', 'write', 'contiguous']],
    cxx_inline_header: [['table.h:13', 'write', 'contiguous']],
    threads: [['threads.c:28', 'write', 'appended']],
    good_io: [['good_io.c:17', 'write', 'contiguous']],
    mpi_unaligned: [
      ['mpi_unaligned.c:15', 'write', 'strided'],
      ['mpi_unaligned.c:22', 'write', 'strided'],
    ],
    random_reads: [],
  };

describe.skipIf(programs === undefined)(
  programs === undefined ? absent('strace-programs') : 'contiguous and strided loops are told apart',
  () =>
    test.each(Object.entries(KINDS))('%s', async (name, expected) => {
      const folder = path.join(programs!, name);
      const files = readdirSync(folder).filter((file) => /(^mO2.*\.st|O2\.strace)(\.gz)?$/.test(file));
      const request = {
        ...plainRequest(...files.map((file) => path.join(folder, file))),
        pathRules: [{ from: '/tmp/badio', to: programs! }],
        workspaceFolders: [programs!],
      };
      const recording = await OpenedRecording.open(request, await chooseLookup(wasm, false));
      const { sites, siteOfNode } = recording.callSites();
      const loops = findSiteLoops(recording.trace, { siteOfNode });
      const found = [...loops].map(([key, { kind, iterations }]) => {
        const [direction, site] = key.split(' ');
        const { file = '', line = 0 } = sites[Number(site)] ?? {};
        return { place: `${file.split('/').at(-1)!}:${String(line)}`, direction, kind, iterations };
      });
      for (const [place, direction, kind] of expected) {
        expect(found).toContainEqual({ place, direction, kind, iterations: expect.any(Number) as number });
      }
      // Who asks for one place is told what is found among all.
      for (const [key, loop] of loops) {
        const [direction, ...place] = key.split(' ');
        const number = Number(place.at(-1));
        const [site, file] = place.length === 1 ? [number, NONE] : [NONE, number];
        const places = [{ site, file, direction: direction as 'read' | 'write' }];
        expect([...findSiteLoops(recording.trace, { siteOfNode, places })]).toEqual([[key, loop]]);
      }
      // Places at random are no loop of any kind.
      if (name === 'random_reads') expect(found.filter(({ direction }) => direction === 'read')).toEqual([]);
      await recording.close();
    }),
);
