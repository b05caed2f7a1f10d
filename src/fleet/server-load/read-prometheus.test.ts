import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import type { ServerLoad } from './load-rows.ts';
import { loadFormatOf } from './load-source.ts';
import { readPrometheus } from './read-prometheus.ts';

type Labels = Readonly<Record<string, string>>;
type Values = readonly (readonly [at: number, value: string])[];

const OST = { component: 'ost', instance: 'oss1:9169', job: 'lustre', target: 'lustrefs-OST001f' };
const MDT = { component: 'mdt', instance: 'mds1:9169', target: 'lustrefs-MDT0000' };

/** As Prometheus answers a range query. */
function answer(...series: readonly (readonly [name: string, labels: Labels, values: Values])[]): string {
  const result = series.map(([name, labels, values]) => ({ metric: { __name__: name, ...labels }, values }));
  return JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } });
}

function read(...texts: readonly string[]): Promise<ServerLoad> {
  const files = texts.map((text, i) => {
    const format = loadFormatOf(new TextEncoder().encode(text).subarray(0, 65_536));
    if (format === undefined || format === 'jobstats') throw new Error(`${String(format)}: ${text}`);
    return { file: memoryFile(`metrics.${i}`, text), format };
  });
  return readPrometheus(files, 'key');
}

const shown = ({ rows }: ServerLoad): unknown[] =>
  rows.map(({ target, start_time, seconds, bytes_read, bytes_written, operations }) => [
    ...[target, start_time, seconds],
    ...[bytes_read, bytes_written, operations],
  ]);

describe('Prometheus', () => {
  test('a range query of lustre_exporter: reads and writes of a target are one row', async () => {
    const load = await read(
      answer(
        [
          'lustre_read_bytes_total',
          OST,
          [
            [1000, '5.8370831220736e+13'],
            [1015.5, '58370831221000'],
            [1030, '7'],
          ],
        ],
        [
          'lustre_write_bytes_total',
          OST,
          [
            [1000, '0'],
            [1015.5, '10'],
            [1030, '30'],
          ],
        ],
        [
          'lustre_capacity_kilobytes',
          OST,
          [
            [1000, '100'],
            [1015.5, '100'],
            [1030, '100'],
          ],
        ],
        [
          'lustre_free_kilobytes',
          OST,
          [
            [1000, '90'],
            [1015.5, '80'],
            [1030, '70'],
          ],
        ],
        [
          'lustre_read_bytes_total',
          { component: 'client', target: 'lustrefs-ffff88105db50000' },
          [
            [1, '0'],
            [2, '9'],
          ],
        ],
        [
          'up',
          OST,
          [
            [1000, '1'],
            [1015.5, '1'],
          ],
        ],
      ),
    );
    expect(load.damage).toEqual([]);
    expect(shown(load)).toEqual([
      ['OST001f', 1000, 15.5, 264, 10, null],
      ['OST001f', 1015.5, 14.5, 7, 20, null],
    ]);
    const target = { file_system: 'lustrefs', server: 'oss1', target_kind: 'OST', target_index: 31 };
    expect(load.rows[1]).toMatchObject({ ...target, bytes_used: 30 * 1024, cpu_percent: null });
  });

  test('operations of a metadata target are summed over kinds; a rename counts once', async () => {
    const of = (operation: string, values: Values) => ['lustre_stats_total', { ...MDT, operation }, values] as const;
    const { rows } = await read(
      answer(
        of('open', [
          [10, '1'],
          [20, '4'],
          [30, '4'],
        ]),
        of('getattr', [
          [10, '0'],
          [30, '10'],
        ]),
        of('rename', [
          [10, '0'],
          [20, '1'],
          [30, '1'],
        ]),
        of('samedir_rename', [
          [10, '0'],
          [20, '1'],
          [30, '1'],
        ]),
      ),
    );
    // Reads of attributes were not sampled in between: no row can say when they were.
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      seconds: 20,
      operations: 14,
      opens: 3,
      getattrs: 10,
      renames: 1,
      target_kind: 'MDT',
    });
  });

  test('jobs count where the target has no series of its own; one that came since counts whole', async () => {
    const job = (jobid: string, values: Values) => ['lustre_job_read_bytes_total', { ...OST, jobid }, values] as const;
    const jobs = [
      job('4711', [
        [10, '5'],
        [20, '8'],
      ]),
      job('dd.0', [
        [20, '100'],
        [30, '101'],
      ]),
    ] as const;
    expect(shown(await read(answer(...jobs)))).toEqual([
      ['OST001f', 10, 10, 103, null, null],
      ['OST001f', 20, 10, 1, null, null],
    ]);
    const own = [
      'lustre_read_bytes_total',
      OST,
      [
        [10, '0'],
        [30, '200'],
      ],
    ] as const;
    expect(shown(await read(answer(...jobs, own)))).toEqual([['OST001f', 10, 20, 200, null, null]]);
  });

  test('OpenMetrics with seconds, and the older text with milliseconds; the same sample twice is once', async () => {
    const text = `# HELP lustre_read_bytes_total The total number of bytes that have been read.
# TYPE lustre_read_bytes_total counter
lustre_read_bytes_total{component="ost",target="ai400x2-OST0000",operation="read"} 5.8370831220736e+13 1700000000.123
lustre_read_bytes_total{component="ost",target="ai400x2-OST0000",operation="read"} 58370831220836 1700000015123 # {a="b"} 1
go_threads 7 1700000000
# EOF
`;
    const dump =
      '{__name__="lustre_read_bytes_total", component="ost", operation="read", target="ai400x2-OST0000"} 58370831220846 1700000030123\n';
    expect((await read(text, text)).rows).toMatchObject([
      { bytes_read: 100, start_time: 1700000000.123, seconds: 15, target_index: 0, server: null },
    ]);
    expect(loadFormatOf(new TextEncoder().encode(dump))).toBe('openmetrics');
  });

  test("disks and NFS servers; what stands upon other disks counts once, and so does what a server's disks do for it", async () => {
    const two = (from: number, to: number): Values => [
      [10, `${from}`],
      [20, `${to}`],
    ];
    const disk = (device: string, instance: string) =>
      ['node_disk_read_bytes_total', { device, instance }, two(0, 7)] as const;
    const nfs = { instance: 'nfs1:9100' };
    const load = await read(
      answer(
        ...['sda', 'sda1', 'dm-0', 'md127', 'nvme0n1', 'nvme0n1p1', 'sr0'].map((device) => disk(device, 'plain:9100')),
        disk('sdb', 'nfs1:9100'),
        disk('sdc', 'oss1:9100'),
        ['node_nfsd_disk_bytes_read_total', nfs, two(0, 100)],
        ['node_nfsd_disk_bytes_written_total', nfs, two(0, 200)],
        ['node_nfsd_requests_total', { ...nfs, method: 'GetAttr', proto: '3' }, two(0, 5)],
        ['node_nfsd_requests_total', { ...nfs, method: 'GetAttr', proto: '4' }, two(0, 6)],
        ['node_nfsd_requests_total', { ...nfs, method: 'Read', proto: '3' }, two(0, 50)],
        ['node_nfsd_requests_total', { ...nfs, method: 'PutFH', proto: '4' }, two(0, 50)],
        ['lustre_write_bytes_total', OST, two(0, 1)],
      ),
    );
    expect(shown(load)).toEqual([
      ['sda', 10, 10, 7, null, null],
      ['nvme0n1', 10, 10, 7, null, null],
      ['nfsd', 10, 10, 100, 200, 11],
      ['OST001f', 10, 10, null, 1, null],
    ]);
    expect(load.rows.map(({ target_kind, server }) => [target_kind, server])).toEqual([
      ['disk', 'plain'],
      ['disk', 'plain'],
      ['NFS', 'nfs1'],
      ['OST', 'oss1'],
    ]);
  });

  test('two that scrape the same exporter count once, and it is said', async () => {
    const copy = { ...OST, job: 'other' };
    const load = await read(
      answer(
        [
          'lustre_read_bytes_total',
          OST,
          [
            [10, '0'],
            [20, '5'],
            [30, '9'],
          ],
        ],
        [
          'lustre_read_bytes_total',
          copy,
          [
            [11, '0'],
            [21, '5'],
          ],
        ],
      ),
    );
    expect(shown(load)).toEqual([
      ['OST001f', 10, 10, 5, null, null],
      ['OST001f', 20, 10, 4, null, null],
    ]);
    expect(load.damage).toEqual(['OST001f of oss1: 1 series that measure the same are left out']);
  });

  test('what makes no sense is told with its place, and the rest counts', async () => {
    const name = 'lustre_read_bytes_total';
    const values = [
      [10, '0'],
      [20, 'NaN'],
      [30, '-1'],
      ['x', '5'],
      [40, 5],
      [50, '99999999999999999999'],
      7,
      [60, '6'],
    ];
    const load = await read(
      JSON.stringify({
        status: 'success',
        data: {
          resultType: 'matrix',
          result: [
            { metric: { __name__: name, ...OST }, values },
            { metric: { target: 'lustrefs-OST0000' }, values: [[10, '1']] },
            { metric: null, values: [] },
            {
              metric: { __name__: name, ...OST, target: '<img src=x>-OST0001' },
              values: [
                [10, '1'],
                [20, '2'],
              ],
            },
          ],
        },
      }),
      `${name}{target="a-OST0002"} 5\n${name}{target="a-OST0002} 5 1700000000\n${name}{target="a-OST0002"}\n`,
    );
    expect(shown(load)).toEqual([
      ['OST001f', 10, 50, 6, null, null],
      ['OST0001', 10, 10, 1, null, null],
    ]);
    expect(load.rows[1]!.file_system).toBe('<img src=x>');
    expect(load.damage).toEqual([
      'metrics.0, series 2: a series without a name is left out (rate() and sum() take it away: ask for the counters themselves)',
      'metrics.0, series 3: a series without metric or values is left out',
      'metrics.0, series 1: a sample whose value is no number of 0 or more is left out (6 times; this is the first)',
      'metrics.1, line 1: a sample without a moment is left out (an exporter has none: ask Prometheus)',
      'metrics.1, line 2: a line that is no sample is left out (2 times; this is the first)',
    ]);
  });

  test.each([
    [
      '{"status":"error","errorType":"bad_data","error":"invalid parameter \\"step\\""}',
      /answered with an error: invalid/,
    ],
    ['{"status":"success","data":{"resultType":"vector","result":[]}}', /no answer to a range query/],
    ['{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__na', /ends early or is damaged/],
  ])('no range query: %s', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test('nothing of a server, and a counter without a second sample, say so', async () => {
    expect(await read(answer())).toEqual({
      rows: [],
      damage: ['no series of targets of Lustre, of disks or of an NFS server'],
    });
    const load = await read(answer(['lustre_read_bytes_total', OST, [[10, '5']]]));
    expect(load).toEqual({ rows: [], damage: ['no counter has two samples: only differences say what was done'] });
  });

  test('load summed over time is the last value less the first, and rows do not overlap', async () => {
    const growths = fc.array(fc.tuple(fc.nat(2 ** 40), fc.boolean()), { minLength: 2, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(growths, growths, async (reads, writes) => {
        let total = 0;
        const seen = (steps: typeof reads): Values => {
          total = 0;
          const all = steps.map(([step], i) => [100 + 15 * i, `${(total += step)}`] as const);
          return all.filter((_, i) => i === 0 || i === steps.length - 1 || steps[i]![1]);
        };
        const done = (values: Values): number => Number(values.at(-1)![1]) - Number(values[0]![1]);
        const [first, second] = [seen(reads), seen(writes)];
        const { rows } = await read(
          answer(['lustre_read_bytes_total', OST, first], ['lustre_write_bytes_total', OST, second]),
        );
        expect(rows.reduce((sum, row) => sum + (row.bytes_read ?? 0), 0)).toBe(done(first));
        expect(rows.reduce((sum, row) => sum + (row.bytes_written ?? 0), 0)).toBe(done(second));
        for (let i = 1; i < rows.length; i++)
          expect(rows[i]!.start_time).toBeGreaterThanOrEqual(rows[i - 1]!.end_time!);
      }),
      { numRuns: 200 },
    );
  });
});
