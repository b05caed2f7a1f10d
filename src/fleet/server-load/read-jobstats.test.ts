import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import type { ServerLoad } from './load-rows.ts';
import { readJobstats } from './read-jobstats.ts';

/** As Lustre 2.12 prints it. */
function ost212(
  target: string,
  jobs: readonly (readonly [job: string, at: number, read: number, written: number])[],
): string {
  const pad = (value: number, width: number): string => String(value).padStart(width);
  const bytes = (sum: number): string =>
    `{ samples: ${pad(sum > 0 ? 2 : 0, 11)}, unit: bytes, min:${pad(0, 8)}, max:${pad(sum, 8)}, sum:${pad(sum, 16)} }`;
  return [
    `obdfilter.${target}.job_stats=`,
    'job_stats:',
    ...jobs.flatMap(([job, at, read, written]) => [
      `- job_id:          ${job}`,
      `  snapshot_time:   ${at}`,
      `  read_bytes:      ${bytes(read)}`,
      `  write_bytes:     ${bytes(written)}`,
      `  getattr:         { samples:           7, unit:  reqs }`,
      `  statfs:          { samples:           0, unit:  reqs }`,
    ]),
    '',
  ].join('\n');
}

/** As 2.15 prints it: moments with nanoseconds, a start, latencies and histograms. */
function ost215(target: string, [job, since, at, read]: readonly [string, string, string, number]): string {
  return `obdfilter.${target}.job_stats=
job_stats:
- job_id:          ${job}
  snapshot_time:   ${at} secs.nsecs
  start_time:      ${since} secs.nsecs
  elapsed_time:    0.000003398 secs.nsecs
  read_bytes:      { samples:           3, unit: bytes, min:     4096, max:    65536, sum: ${String(read).padStart(16)}, sumsq:         4311744512, hist: { 4K: 2, 64K: 1 } }
  write_bytes:     { samples:           0, unit: bytes, min:        0, max:        0, sum:                0, sumsq:                  0, hist: {  } }
  read:            { samples:           3, unit: usecs, min:        9, max:       21, sum:               45, sumsq:                747 }
  write:           { samples:           0, unit: usecs, min:        0, max:        0, sum:                0, sumsq:                  0 }
  statfs:          { samples:           1, unit: usecs, min:       11, max:       11, sum:               11, sumsq:                121 }
`;
}

const mdt = (open: number, rename: number): string => `mdt.scratch-MDT0001.job_stats=
job_stats:
- job_id:          touch.0
  snapshot_time:   ${1614767417 + open}
  open:            { samples: ${String(open).padStart(11)}, unit: usecs, min:     315, max:     315, sum:             315, sumsq:              99225 }
  mknod:           { samples:           1, unit: usecs, min:     296, max:     296, sum:             296, sumsq:              87616 }
  rename:          { samples: ${String(rename).padStart(11)}, unit: usecs, min:       0, max:       0, sum:               0, sumsq:                  0 }
  crossdir_rename: { samples: ${String(rename).padStart(11)}, unit: usecs, min:       0, max:       0, sum:               0, sumsq:                  0 }
  read_bytes:      { samples:           0, unit: bytes, min:       0, max:       0, sum:               0, sumsq:                  0 }
`;

function read(...texts: readonly string[]): Promise<ServerLoad> {
  return readJobstats(
    texts.map((text, i) => memoryFile(`look.${i}`, text)),
    'key',
  );
}

const shown = ({ rows }: ServerLoad): unknown[] =>
  rows.map(({ start_time, seconds, bytes_read, bytes_written }) => [start_time, seconds, bytes_read, bytes_written]);

describe('jobstats', () => {
  test('differences of looks, summed over jobs; a job that came since counts whole', async () => {
    const load = await read(
      ost212('scratch-OST001f', [
        ['4711', 1000, 100, 5],
        ['dd.1000', 990, 7, 7],
      ]),
      ost212('scratch-OST001f', [
        ['4711', 1050, 150, 5],
        ['dd.1000', 990, 7, 7],
        ['kworker/86:1.0', 1060, 0, 3],
      ]),
      ost212('scratch-OST001f', [['kworker/86:1.0', 1100, 10, 3]]),
    );
    expect(load.damage).toEqual([]);
    expect(shown(load)).toEqual([
      [1000, 60, 50, 3],
      [1060, 40, 10, 0],
    ]);
    const target = { file_system: 'scratch', target: 'OST001f', target_kind: 'OST', target_index: 31, server: null };
    expect(load.rows[0]).toMatchObject({ ...target, operations: null, cpu_percent: null, log: 'key' });
  });

  test('2.15: a start that changed is a new count, though it shows more than before; an old one is no new job', async () => {
    const name = '"bash:0:node7"';
    const first = ost215('fs-OST0000', [name, '100.000000000', '200.500000000', 1000]);
    const again = ost215('fs-OST0000', [name, '250.000000001', '300.250000000', 1500]);
    expect(shown(await read(first + again))).toEqual([[200.5, 99.75, 1500, 0]]);
    const other = ost215('fs-OST0000', ['x', '150.000000000', '300.000000000', 1500]);
    expect(shown(await read(first + other))).toEqual([[200.5, 99.5, null, null]]);
  });

  test('operations of a metadata target: kinds, and renames once', async () => {
    const { rows, damage } = await read(mdt(3, 1), mdt(8, 3));
    expect(damage).toEqual([]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      target_kind: 'MDT',
      target_index: 1,
      operations: 7,
      opens: 5,
      creates: 0,
      renames: 2,
    });
    expect(rows[0]).toMatchObject({ bytes_read: null, start_time: 1614767420, seconds: 5 });
  });

  test('a counter that fell began again: of the job all counts from there', async () => {
    const load = await read(ost212('a-OST0000', [['j', 10, 100, 100]]), ost212('a-OST0000', [['j', 20, 5, 300]]));
    expect(shown(load)).toEqual([[10, 10, 5, 300]]);
  });

  test('looks in the same second, files in any order, several targets of one file', async () => {
    const of = (at: number, sum: number): string =>
      ost212('a-OST0000', [['j', at, sum, 0]]) + ost212('a-OST0001', [['j', at, 2 * sum, 0]]);
    const load = await read(of(30, 60), of(10, 1), of(30, 50), of(20, 10));
    expect(load.rows.reduce((sum, { bytes_read }) => sum + bytes_read!, 0)).toBe(3 * 59);
    const same = await read(ost212('a-OST0000', [['j', 10, 1, 0]]) + ost212('a-OST0000', [['j', 10, 4, 0]]));
    expect(shown(same)).toEqual([[10, 1, 3, 0]]);
  });

  test('a look that was cut makes no load of jobs that it does not show', async () => {
    const jobs = [
      ['a', 10, 100, 0],
      ['b', 10, 1000, 0],
    ] as const;
    const whole = ost212('a-OST0000', jobs);
    const later = ost212('a-OST0000', [
      ['a', 20, 101, 0],
      ['b', 20, 1001, 0],
    ]);
    // Cut between the two jobs it is as if the second had not been there: nobody can tell.
    const between = whole.lastIndexOf('- job_id');
    for (let end = whole.indexOf('snapshot_time'); end < whole.length - 1; end++) {
      if (end === between || end === between - 1) continue;
      const { rows } = await read(`${whole.slice(0, end)}\n${later}`);
      expect([null, 0, 1, 2]).toContain(rows[0]?.bytes_read ?? null);
    }
    const { damage } = await read(`${whole.slice(0, whole.lastIndexOf('getattr') + 20)}\n${later}`);
    expect(damage).toEqual([expect.stringMatching(/^look\.0, line 13: a counter without its end is left out$/)]);
  });

  test('what makes no sense is told with its place, and the rest counts', async () => {
    const text = ost212('a-OST0000', [['j', 10, 1, 0]]);
    const load = await read(
      `Mon Nov  3 10:00:00 UTC 2025\n${text}`,
      text.replace('sum:               1', 'sum: NaN').replace('   10', '   20'),
      text.replace('sum:               1', 'sum: 99999999999999999999').replace('   10', '   30'),
      text.replace('sum:               1', 'sum: 12').replace('   10', '   40'),
      text.replace('   10', '   tomorrow'),
      'obdfilter.hostile<script>.job_stats=\njob_stats:\n- job_id: __proto__\n  snapshot_time: 1\n',
      '',
      '- job_id: x\n  snapshot_time: 10\n',
    );
    expect([...load.damage].sort()).toEqual([
      expect.stringMatching(/^look\.1, line 5: a counter whose value is no number of 0 or more is left out \(2 times/),
      expect.stringMatching(/^look\.4, line 3: a job without a moment \(snapshot_time\) is left out$/),
      expect.stringMatching(/^look\.5, line 1: a look is left out: no line names its target .* \(2 times/),
    ]);
    expect(load.rows.reduce((sum, { bytes_read }) => sum + (bytes_read ?? 0), 0)).toBe(11);
    expect((await read(text)).damage).toEqual(['no target was looked at twice: only differences say what was done']);
    expect(await read('')).toMatchObject({ rows: [] });
  });

  test('counters that a terminal wrapped go on in the next line', async () => {
    const [first, second] = [1, 4].map((sum) => ost212('a-OST0000', [['j', 10 + sum, sum, sum]]));
    const load = await read(first!.replaceAll(/, sum: */g, ', sum:\n   '), second!.replaceAll(/, max: */g, ', max:\n'));
    expect(load.damage).toEqual([]);
    expect(shown(load)).toEqual([[11, 3, 3, 3]]);
  });

  test('a file that is named like its target needs no line that names it', async () => {
    const text = (sum: number): string => ost212('x', [['j', 10 + sum, sum, 0]]).replace(/^.*\n/, '');
    const { rows } = await readJobstats([memoryFile('scratch-OST000a_job_stats', text(1) + text(3))], 'key');
    expect(rows).toMatchObject([{ target_index: 10, file_system: 'scratch', bytes_read: 2 }]);
  });

  test('load summed over time is the last value of each counter less the first', async () => {
    const jobs = fc.array(fc.array(fc.nat(2 ** 40), { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(jobs, fc.array(fc.nat(50), { minLength: 6, maxLength: 6 }), async (growths, steps) => {
        const looks = Math.min(...growths.map(({ length }) => length));
        const totals = growths.map((steps) => steps.map((_, i) => steps.slice(0, i + 1).reduce((a, b) => a + b, 0)));
        const at = (look: number): number => 1000 + steps.slice(0, look).reduce((a, b) => a + b, 0);
        const text = Array.from({ length: looks }, (_, look) =>
          ost212(
            'fs-OST0003',
            totals.map((total, job) => [`j${job}`, at(look), total[look]!, 0] as const),
          ),
        );
        const { rows } = await read(text.join(''));
        const moved = rows.reduce((sum, { bytes_read }) => sum + (bytes_read ?? 0), 0);
        expect(moved).toBe(totals.reduce((sum, total) => sum + total[looks - 1]! - total[0]!, 0));
        for (const [i, row] of rows.entries()) {
          expect(row.seconds).toBeGreaterThan(0);
          if (i > 0) expect(row.start_time).toBeGreaterThanOrEqual(rows[i - 1]!.end_time!);
        }
      }),
      { numRuns: 200 },
    );
  });
});
