import { describe, expect, test } from 'vitest';
import { COLUMNS, HEADER, LAST_ROW, lines, read, row } from '../../../test/support/darshan/darshan-samples.ts';
import { NONE } from '../../trace/events.ts';

/** Output of darshan-parser in shapes that no log of the corpus shows. */
describe('header', () => {
  test('job, regions and mounts', async () => {
    const { counters, damage, notes, program, version, startTime, durationNs } = await read(
      HEADER + lines('', COLUMNS, row('POSIX_OPENS', 3), LAST_ROW),
    );
    expect(damage).toEqual([]);
    expect(counters!.job).toEqual({
      command: './sim -n 4',
      userId: '1000',
      jobId: '42',
      startTime: 1700000000,
      endTime: 1700000010,
      runTime: 10.25,
      processes: 4,
      logVersion: '3.41',
      compression: 'bzip2',
      metadata: [
        ['lib_ver', '3.4.4'],
        ['h', 'a=b;c=d'],
      ],
      mounts: [
        ['/scratch', 'lustre'],
        ['/', 'ext4'],
      ],
    });
    expect(counters!.regions).toEqual([
      { name: 'job data', bytes: 100, version: 0, incomplete: false, known: true },
      { name: 'record table', bytes: 60, version: 0, incomplete: false, known: true },
      { name: 'POSIX', bytes: 207, version: 4, incomplete: false, known: true },
      { name: 'DXT_POSIX', bytes: 300, version: 1, incomplete: false, known: true },
      { name: '<UNKNOWN> (id 20)', bytes: 9, version: 1, incomplete: false, known: false },
    ]);
    expect({ program, version, startTime, durationNs }).toEqual({
      program: './sim -n 4',
      version: '3.41',
      startTime: 1700000000,
      durationNs: 10_250_000_000,
    });
    expect(notes).toEqual([expect.stringContaining('darshan-dxt-parser prints them')]);
  });

  test('a killed program has no run time', async () => {
    const text = HEADER.replace('end_time: 1700000010', 'end_time: 0').replace('10.2500', '-1700000000.0000');
    const { counters, durationNs } = await read(text + lines(COLUMNS, row('POSIX_OPENS', 3), LAST_ROW));
    expect(counters!.job).toMatchObject({ endTime: 0, runTime: NaN });
    expect(durationNs).toBe(0);
  });

  test('lines that are missing are said to be', async () => {
    const { damage } = await read(
      HEADER.replace('# nprocs: 4\n', '') + lines(COLUMNS, row('POSIX_OPENS', 3), LAST_ROW),
    );
    expect(damage).toEqual([
      { where: 't0.txt, line 1', what: 'the header has no line for nprocs', lost: 'what it says' },
    ]);
  });

  test('rows without any header are read, and a mount point that only rows name is kept', async () => {
    const { counters, notes, damage } = await read(lines(row('POSIX_OPENS', 3), row('POSIX_READS', 4)));
    expect(counters!.modules[0]!.get(0, 'POSIX_READS')).toBe(4);
    expect(counters!.job.mounts).toEqual([['/scratch', 'lustre']]);
    expect(notes).toEqual([expect.stringContaining('no header')]);
    expect(damage).toEqual([]);
  });
});

describe('counters', () => {
  test('a text that was cut between two rows', async () => {
    const { counters, damage } = await read(HEADER + lines(COLUMNS, row('POSIX_OPENS', 3), row('POSIX_FILENOS', 3)));
    expect(counters!.modules[0]!.get(0, 'POSIX_OPENS')).toBe(3);
    expect(damage).toEqual([
      {
        where: 't0.txt, line 30',
        what: 'a record of /scratch/a ends here and lacks values',
        lost: '84 values of this record',
      },
    ]);
  });

  test('what the release does not print is not measured; what only a later one has is kept by its name', async () => {
    const { counters, damage } = await read(
      lines(
        row('POSIX_OPENS', 3),
        row('POSIX_TELEPORTS', 8),
        row('POSIX_F_READ_TIME', '0.250000'),
        row('POSIX_OPENS', 5, { rank: 1 }),
        row('POSIX_TELEPORTS', 9, { rank: 1 }),
        row('POSIX_F_READ_TIME', '-0.500000', { rank: 1 }),
      ),
    );
    const [table] = counters!.modules;
    expect(damage).toEqual([]);
    expect(table!.length).toBe(2);
    expect(
      ['POSIX_OPENS', 'POSIX_TELEPORTS', 'POSIX_F_READ_TIME', 'POSIX_DUPS'].map((name) => table!.get(1, name)),
    ).toEqual([5, 9, -0.5, -1]);
  });

  test('a counter that shows in a later record only', async () => {
    const { counters } = await read(
      lines(row('NVME_X', 1, { module: 'NVME' }), row('NVME_Y', 2, { module: 'NVME', id: '8' })),
    );
    const [table] = counters!.modules;
    expect([table!.get(0, 'NVME_X'), table!.get(0, 'NVME_Y')]).toEqual([1, NaN]);
    expect([table!.get(1, 'NVME_X'), table!.get(1, 'NVME_Y')]).toEqual([NaN, 2]);
  });

  test('a record whose first row is cut off', async () => {
    const { counters, files, damage } = await read(
      lines('POSIX\t3\t9\tPOSIX_O', row('POSIX_READS', 4, { rank: 3, id: '9' })),
    );
    const [table] = counters!.modules;
    expect([table!.rank(0), table!.recordId(0), files.at(table!.file(0)).path]).toEqual([3, 9n, '/scratch/a']);
    expect(damage.map(({ where }) => where)).toEqual(['t0.txt, line 1']);
  });

  test('an unknown module is kept, and named', async () => {
    const { counters, notes } = await read(lines(row('NVME_TRIMS', 3, { module: 'NVME' })));
    expect(counters!.modules.map(({ module, length }) => [module, length])).toEqual([['NVME', 1]]);
    expect(notes[0]).toContain('NVME');
  });

  test('numbers of 64 bits, nan and texts', async () => {
    const { counters, damage } = await read(
      lines(
        row('DFS_OPENS', '9007199254740993', { module: 'DFS', id: '18446744073709551615' }),
        row('DFS_F_READ_TIME', 'nan', { module: 'DFS', id: '18446744073709551615' }),
        row('DFS_POOL_UUID', 'd0e93d4c-fc99', { module: 'DFS', id: '18446744073709551615' }),
        row('DFS_READS', 'many', { module: 'DFS', id: '18446744073709551615' }),
      ),
    );
    const [table] = counters!.modules;
    expect(table!.recordId(0)).toBe(18446744073709551615n);
    expect(table!.get(0, 'DFS_OPENS')).toBe(9007199254740992);
    expect(table!.get(0, 'DFS_F_READ_TIME')).toBe(0);
    expect(damage.map(({ where, what }) => [where, what])).toEqual([
      ['t0.txt, line 4', "DFS_READS should be a number and is 'many'"],
      ['t0.txt, DFS', 'a value that no recorder can have written (DFS_F_READ_TIME = NaN)'],
    ]);
  });

  test('names with blanks and tabs, names that are missing, standard output', async () => {
    const { counters, files } = await read(
      lines(
        row('POSIX_OPENS', 1, { name: '/scratch/my file' }),
        row('POSIX_OPENS', 1, { id: '8', name: '/scratch/a\tb' }),
        row('POSIX_OPENS', 1, { id: '9', name: '(null)' }),
        row('STDIO_OPENS', 1, { module: 'STDIO', id: '10', name: '<STDOUT>' }),
      ),
    );
    const [posix, stdio] = counters!.modules;
    const path = (file: number): string => (file === NONE ? '' : files.at(file).path);
    expect([0, 1, 2].map((record) => path(posix!.file(record)))).toEqual(['/scratch/my file', '/scratch/a\tb', '']);
    expect(files.at(stdio!.file(0)).kind).not.toBe('regular');
  });

  test('carriage returns', async () => {
    const text = HEADER + lines('', COLUMNS, row('POSIX_OPENS', 3), row('POSIX_READS', 4), LAST_ROW);
    const { counters, damage } = await read(text.replaceAll('\n', '\r\n'));
    expect(damage).toEqual([]);
    expect(counters!.job.mounts[0]).toEqual(['/scratch', 'lustre']);
    expect(counters!.modules[0]!.get(0, 'POSIX_READS')).toBe(4);
  });

  test('sums and lists that options add are passed over', async () => {
    const { counters, damage } = await read(
      lines(
        row('POSIX_OPENS', 3),
        '',
        'total_POSIX_OPENS: 3',
        '# total: 1 1048576 1048575',
        '# <record_id>\t<file_name>\t<nprocs>',
        '7\t/scratch/a\t1\t0.25',
        '# agg_perf_by_slowest: 12.5 # MiB/s',
        row('STDIO_OPENS', 4, { module: 'STDIO' }),
      ),
    );
    expect(damage).toEqual([]);
    expect(counters!.modules.map(({ module }) => module)).toEqual(['POSIX', 'STDIO']);
  });

  test('what tools say on standard error stands in front', async () => {
    const { damage } = await read(lines('Error: failed to parse POSIX module record.', row('POSIX_OPENS', 3)));
    expect(damage).toEqual([
      {
        where: 't0.txt, line 1',
        what: 'the tool that printed the text said: Error: failed to parse POSIX module record.',
        lost: 'what it could not read',
      },
    ]);
  });

  test('incomplete modules, and those that the tool cannot print', async () => {
    const region = '# POSIX module: 207 bytes (compressed), ver=4';
    const { counters, notes } = await read(
      HEADER.replace(
        region,
        `${region}\n# APXC module: 9 bytes (compressed), ver=1\n# STDIO module: 9 bytes (compressed), ver=2`,
      ) +
        lines(
          '# *WARNING*: The POSIX module contains incomplete data!',
          COLUMNS,
          row('POSIX_OPENS', 3),
          '',
          '# *ERROR*: The STDIO module contains incomplete data!',
          'Warning: no log utility handlers defined for module APXC, SKIPPING.',
        ),
    );
    const flags = counters!.regions.filter(({ incomplete, known }) => incomplete || !known);
    expect(flags.map(({ name, incomplete, known }) => [name, incomplete, known])).toEqual([
      ['POSIX', true, true],
      ['APXC', false, false],
      ['STDIO', true, true],
      ['<UNKNOWN> (id 20)', false, false],
    ]);
    expect(counters!.modules[0]!.incomplete).toBe(true);
    expect(notes.join()).toContain('APXC');
    expect(notes.join()).toContain('STDIO is incomplete and was left out: --show-incomplete prints it');
  });
});

describe('Lustre and heatmaps', () => {
  const lustre = (counter: string, value: string | number): string =>
    row(`LUSTRE_${counter}`, value, { module: 'LUSTRE' });

  test('progressive layout', async () => {
    const { counters, damage } = await read(
      lines(
        lustre('NUM_COMPONENTS', 2),
        lustre('NUM_STRIPES', 3),
        ...[
          ['STRIPE_SIZE', 1048576],
          ['STRIPE_COUNT', 1],
          ['STRIPE_PATTERN', 'raid0'],
          ['FLAGS', 'prefwr,init'],
          ['EXT_START', 0],
          ['EXT_END', 1048576],
          ['MIRROR_ID', 0],
          ['POOL_NAME', 'N/A'],
          ['OST_ID_0', 12],
        ].map(([name, value]) => lustre(`COMP1_${name!}`, value!)),
        ...[
          ['STRIPE_SIZE', 4194304],
          ['STRIPE_COUNT', 2],
          ['STRIPE_PATTERN', 'N/A'],
          ['FLAGS', 'N/A'],
          ['EXT_START', 1048576],
          ['EXT_END', -1],
          ['MIRROR_ID', -1],
          ['POOL_NAME', 'flash'],
          ['OST_ID_0', 3],
          ['OST_ID_1', 9],
        ].map(([name, value]) => lustre(`COMP2_${name!}`, value!)),
      ),
    );
    expect(damage).toEqual([]);
    expect(counters!.layouts[0]!.components).toEqual([
      {
        stripeSize: 1048576,
        stripeCount: 1,
        pattern: 'raid0',
        flags: 20,
        extentStart: 0,
        extentEnd: 1048576,
        mirror: 0,
        pool: '',
        targets: [12],
      },
      {
        stripeSize: 4194304,
        stripeCount: 2,
        pattern: '',
        flags: -1,
        extentStart: 1048576,
        extentEnd: -1,
        mirror: -1,
        pool: 'flash',
        targets: [3, 9],
      },
    ]);
  });

  test('releases before 3.4.6, and targets that are missing', async () => {
    const { counters, damage } = await read(
      lines(
        lustre('OSTS', 248),
        lustre('MDTS', 1),
        lustre('STRIPE_OFFSET', -1),
        lustre('STRIPE_SIZE', 1048576),
        lustre('STRIPE_WIDTH', 3),
        lustre('OST_ID_0', 7),
        lustre('OST_ID_1', 9),
      ),
    );
    const [layout] = counters!.layouts;
    expect(layout!.components).toHaveLength(1);
    expect(layout!.components[0]).toMatchObject({
      stripeSize: 1048576,
      stripeCount: 3,
      targets: [7, 9],
      extentEnd: -1,
    });
    expect(damage[0]).toMatchObject({ lost: 'a value of this record' });
  });

  test('heatmaps', async () => {
    const heat = (counter: string, value: string | number): string =>
      row(`HEATMAP_${counter}`, value, { module: 'HEATMAP', name: 'heatmap:MPIIO', rank: 3 });
    const { counters, files } = await read(
      lines(
        heat('F_BIN_WIDTH_SECONDS', '0.100000'),
        heat('READ_BIN_0', 5),
        heat('READ_BIN_1', 6),
        heat('WRITE_BIN_0', 0),
        heat('WRITE_BIN_1', 7),
      ),
    );
    expect(counters!.heatmaps).toEqual([
      { api: 'MPIIO', rank: 3, binWidth: 0.1, read: Float64Array.of(5, 6), written: Float64Array.of(0, 7) },
    ]);
    expect(files.length).toBe(0);
  });
});
