import { describe, expect, test } from 'vitest';
import { HEADER, lines, read, SEGMENTS } from '../../../test/support/darshan/darshan-samples.ts';
import { LAYERS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

/** Output of darshan-dxt-parser in the shapes of its releases. */
/** Segments as plain data. */
function segmentsOf(trace: Trace): unknown[] {
  const { events, files, calls, streams } = trace;
  return Array.from({ length: events.length }, (_, index) => {
    const file = events.value('file', index);
    return [
      calls.names[events.value('call', index)],
      file === NONE ? '' : files.at(file).path,
      streams[events.value('stream', index)]!.rank,
      events.value('offset', index),
      events.value('bytes', index),
      events.value('start', index),
      events.value('duration', index),
      events.value('line', index),
    ];
  });
}

describe('segments', () => {
  const head = (id: number, name: string, rank: number, writes: number, reads: number): string =>
    lines(
      '',
      `# DXT, file_id: ${id}, file_name: ${name}`,
      `# DXT, rank: ${rank}, hostname: nid0001${rank}`,
      `# DXT, write_count: ${writes}, read_count: ${reads}`,
      '# DXT, mnt_pt: /scratch, fs_type: lustre',
    );

  test('storage targets of releases before 3.4.6; reads and writes by their start', async () => {
    const trace = await read(
      HEADER +
        SEGMENTS +
        head(42, '/scratch/a, b: c', 3, 2, 1) +
        lines(
          '# DXT, Lustre stripe_size: 1048576, Lustre stripe_count: 2',
          '# DXT, Lustre OST obdidx: 12 17',
          '# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)  [OST]',
          ' X_POSIX       3  write        0               0         4096      0.0010      0.0011  [ 12]',
          ' X_POSIX       3  write        1            4096         4096      0.0030      0.0032  [ 12]  [ 17]',
          ' X_POSIX       3   read        0            8192          100      0.0020      0.0021  [ 12]',
        ),
    );
    expect(trace.damage).toEqual([]);
    expect(segmentsOf(trace)).toEqual([
      ['write', '/scratch/a, b: c', 3, 0, 4096, 1_000_000, 100_000, 40],
      ['read', '/scratch/a, b: c', 3, 8192, 100, 2_000_000, 100_000, 42],
      ['write', '/scratch/a, b: c', 3, 4096, 4096, 3_000_000, 200_000, 41],
    ]);
    expect(trace.streams).toEqual([{ host: 'nid00013', pid: 3, processId: 3, part: 0, rank: 3 }]);
    expect(trace.counters!.layouts).toMatchObject([
      { recordId: 42n, rank: -1, components: [{ stripeSize: 1048576, stripeCount: 2, targets: [12, 17] }] },
    ]);
    expect(trace.counters!.segments).toEqual([
      { module: 'DXT_POSIX', write: { count: 2, bytes: 8192 }, read: { count: 1, bytes: 100 } },
    ]);
    expect(trace.notes.join()).toContain('four decimals');
  });

  test('components, threads and narrow columns of later releases; MPI-IO without offsets', async () => {
    const trace = await read(
      HEADER +
        SEGMENTS +
        head(42, '/scratch/a', 0, 1, 0) +
        lines(
          '# DXT, number of threads: 1',
          '# DXT, Lustre stripe components:',
          '#\t[Component 1] stripe_ext: 0 - 1048576, stripe_size: 1048576, stripe_count: 1, OSTs: 12',
          '#\t[Component 2] stripe_ext: 1048576 - EOF, stripe_size: 4194304, stripe_count: 2, OSTs: 3 9',
          ' X_POSIX       0  write        0               0         4096      0.0010      0.0011 [ 12] [117]  139979100170048',
        ) +
        SEGMENTS.replace('POSIX', 'MPIIO') +
        head(42, '/scratch/a', 0, 0, 1) +
        lines(' X_MPIIO       0   read        0              -1          100      0.0020      0.0021    N/A'),
    );
    expect(trace.damage).toEqual([]);
    expect(segmentsOf(trace)).toEqual([
      ['write', '/scratch/a', 0, 0, 4096, 1_000_000, 100_000, 41],
      ['MPI_File_read', '/scratch/a', 0, NaN, 100, 2_000_000, 100_000, 51],
    ]);
    expect(trace.counters!.layouts[0]!.components).toMatchObject([
      { extentStart: 0, extentEnd: 1048576, targets: [12] },
      { extentStart: 1048576, extentEnd: -1, targets: [3, 9] },
    ]);
    expect([0, 1].map((index) => LAYERS[trace.events.value('layer', index)])).toEqual(['POSIX', 'MPI-IO']);
    expect(trace.handles.length).toBe(2);
  });

  test('threads whose segments are not in order', async () => {
    const line = (segment: number, start: string): string =>
      ` X_POSIX       0  write${String(segment).padStart(9)}               0           1${start.padStart(12)}      9.0000`;
    const starts = ['0.5000', '0.1000', '0.3000', '0.1000', '0.2000'];
    const trace = await read(head(1, '/a', 0, 5, 0) + lines(...starts.map((start, index) => line(index, start))));
    expect(segmentsOf(trace).map((segment) => (segment as number[])[7])).toEqual([7, 9, 10, 8, 6]);
  });

  const STACK = '0x7f0000001000, 0x7f0000002000, 0x4012f2, 0x4016e8, 0x7f000000724a, 0x7f0000007305, 0x401181';
  const segment = (stack: string): string =>
    ` X_POSIX       0  write        0               0              40      0.0054      0.0054    [${stack}]`;
  /** Offsets of the frames of each event's stack, innermost first; `-` stands for libraries. */
  const stacksOf = (trace: Trace): string[] =>
    Array.from({ length: trace.events.length }, (_, event) => {
      const frames = trace.stacks
        .framesOf(trace.events.value('stack', event))
        .map((frame) => trace.stacks.frame(frame));
      return frames.map(({ module, value }) => (module === '' ? '-' : value.toString(16))).join(' ');
    });

  test('stacks end at _start, whatever stands behind, and addresses may lack a comma', async () => {
    const other = STACK.replace('0x4012f2, 0x4016e8', '0x40139a, 0x40171e');
    const trace = await read(
      head(1, '/a', 0, 4, 0) +
        lines(
          segment(STACK),
          segment(`${other}, 0x7f0000001000, 0x4012f2, 0x4016e8, 0x7f000000724a, 0x7f0000007305, 0x401181`),
          segment(`${STACK}, 0xd00000001, 0x17890, 0x3f945f4000000000, 0x180x3fa000000000`),
          segment(`${other}, 0x1f071, 0x7f0000b23cc0, 0x7f0000b23cc0`),
        ),
    );
    expect(trace.damage).toEqual([]);
    expect(stacksOf(trace)).toEqual([
      '- 4012f2 4016e8 - 401181',
      '- 40139a 40171e - 401181',
      '- 4012f2 4016e8 - 401181',
      '- 40139a 40171e - 401181',
    ]);
    expect(trace.capabilities.stacks).toBe(true);
    expect([...trace.stacks.moduleForms.values()]).toEqual(['address']);
  });

  test("the program's own table gives lines to frames; without a command the module has a name of its own", async () => {
    const table = lines(
      '# DXT-POSIX address to line mapping',
      '# ------------',
      '0x4012f2, /tmp/a: b.c:19 (discriminator 3)',
      '0x401181, ??:?',
      '0x4016e8, ??:0',
    );
    const trace = await read(table + head(1, '/a', 0, 1, 0) + lines(segment(STACK)));
    const frames = trace.stacks.framesOf(trace.events.value('stack', 0)).map((frame) => trace.stacks.frame(frame));
    expect(frames.map(({ module, sourceFile, sourceLine }) => [module, sourceFile, sourceLine])).toEqual([
      ['', '', 0],
      ['<executable>', '/tmp/a: b.c', 19],
      ['<executable>', '', 0],
      ['', '', 0],
      ['<executable>', '', 0],
    ]);
  });

  test('position-independent executables have the same stacks in all processes', async () => {
    const moved = (base: string): string => STACK.replaceAll('0x40', base);
    const text = [0, 1].map((rank) => {
      const own = segment(moved(['0x55ee5e40', '0x564cfb00'][rank]!)).replace('   0  write', `   ${rank}  write`);
      return head(1, '/a', rank, 1, 0) + lines(own);
    });
    const trace = await read(HEADER + text.join(''));
    expect(stacksOf(trace)).toEqual(['- 171 567 - 0', '- 171 567 - 0']);
    expect(trace.events.value('stack', 0)).toBe(trace.events.value('stack', 1));
    expect([...trace.stacks.moduleForms]).toEqual([[trace.stacks.modules.find('./sim'), 'behind-start']]);
  });

  test('a stack of another thread: the innermost frames of the program are certain', async () => {
    const thread = '0x7f0000001000, 0x4013aa, 0x7f0000009000, 0x7f0000009900, 0x4012f2, 0x7f000000724a';
    const trace = await read(head(1, '/a', 0, 3, 0) + lines(segment(STACK), segment(STACK), segment(thread)));
    expect(stacksOf(trace)[2]).toBe('- 4013aa -');
  });

  test('sizes that cannot be, and an end before the start', async () => {
    const rows = lines(
      ' X_POSIX       0  write        0               0 9223372036854775807      0.1000      0.2000',
      ' X_POSIX       0  write        1 9223372036854775807         4096      0.1000      0.2000',
      ' X_POSIX       0  write        2               0              10 99999999999.0000 99999999999.5000',
      ' X_POSIX       0  write        3               0              10      0.3000      0.2000',
    );
    const trace = await read(head(1, '/a', 0, 1, 0) + rows);
    expect(trace.events.length).toBe(1);
    expect([trace.events.value('bytes', 0), trace.events.value('duration', 0)]).toEqual([10, NaN]);
    expect(trace.damage.map(({ lost }) => lost)).toEqual([
      'this segment',
      'this segment',
      'this segment',
      'how long this call took',
    ]);
  });

  test('a stack that is cut off', async () => {
    const trace = await read(head(1, '/a', 0, 1, 0) + segment(STACK).slice(0, -9));
    expect(trace.events.value('stack', 0)).toBe(NONE);
    expect(trace.damage).toEqual([
      { where: 't0.txt, line 6', what: 'a stack ends before its last address', lost: 'the stack of this segment' },
    ]);
  });

  test('rows that lost the line with their file, and segments that are missing', async () => {
    const rows = lines(
      ' X_POSIX       0  write        0               0           1      0.1000      0.2000',
      ' X_POSIX       0  write        1               1           1      0.3000      0.4000',
    );
    const lost = head(2, '/b', 0, 2, 1).replace('# DXT, file_id', '# DXT, f#le_id');
    const layout = '# DXT, Lustre stripe_size: 1048576, Lustre stripe_count: 1\n# DXT, Lustre OST obdidx: 12\n';
    const trace = await read(head(1, '/a', 0, 2, 0) + rows + lost + layout + rows);
    expect(trace.counters!.layouts).toEqual([]);
    expect(segmentsOf(trace).map((segment) => (segment as string[])[1])).toEqual(['/a', '/a', '', '']);
    expect(trace.damage).toEqual([
      {
        where: 't0.txt, line 15',
        what: 'rows of segments without the line that names their file',
        lost: 'the file of these segments',
      },
      {
        where: 't0.txt, line 15',
        what: '2 writes and 1 reads are announced, 2 and 0 stand there',
        lost: '1 of these segments',
      },
    ]);
  });

  test('a comment with the wrong process costs one row', async () => {
    const rows = [0, 1, 2].map(
      (n) => ` X_POSIX       7  write        ${n}               0           1      0.1000      0.2000`,
    );
    const trace = await read(head(1, '/a', 6, 3, 0) + lines(...rows));
    expect(segmentsOf(trace).map((segment) => (segment as unknown[]).slice(1, 3))).toEqual([
      ['/a', 7],
      ['/a', 7],
    ]);
    expect(trace.damage.map(({ lost }) => lost)).toEqual(['this segment', '1 segment of /a']);
  });

  test.each([
    ' X_POSIX       0  write        0               0           1      0.1000',
    ' X_POSIX       0  write        0               0           1      0.1000      0.20',
    ' X_POSIX       0  erase        0               0           1      0.1000      0.2000',
    ' X_POSIX       1  write        0               0           1      0.1000      0.2000',
    ' X_POSIX       0  write        0               0          -1      0.1000      0.2000',
    ' X_POSIX       0  write        0              0x           1      0.1000      0.2000',
    ' X_POSIX       0  write        0               0           1         nan         nan',
  ])('a row that is none: %s', async (bad) => {
    const good = ' X_POSIX       0  write        0               0           1      0.1000      0.2000';
    const trace = await read(head(1, '/a', 0, 1, 0) + lines(bad, good));
    expect(trace.events.length).toBe(1);
    expect(trace.damage.map(({ where, lost }) => [where, lost])).toEqual([['t0.txt, line 6', 'this segment']]);
  });
});
