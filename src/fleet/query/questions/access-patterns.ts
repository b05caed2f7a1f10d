import type { Question } from './question.ts';

export const ACCESS_QUESTIONS: readonly Question[] = [
  {
    id: 'sequential-share',
    title: 'Share of sequential I/O',
    about:
      'How sequential the I/O of each job is: the percentage of its requests that begin where the last one of the same process in the file ended, as a distribution over jobs.',
    definition:
      'So many per cent of the jobs stay at or below the value. Sequential is what Darshan counts as consecutive. Requests whose offset nobody recorded (FILE streams) do not count.',
    source: 'IOMiner, equation 3 and figure 7',
    parameters: [],
    sql: `
WITH placed AS (
  SELECT coalesce(placed_reads, reads) AS reads, coalesce(placed_writes, writes) AS writes,
    consecutive_reads, consecutive_writes
  FROM job
), percentages AS (
  SELECT 100.0 * (coalesce(consecutive_reads, 0) + coalesce(consecutive_writes, 0))
      / nullif(coalesce(reads, 0) + coalesce(writes, 0), 0) AS both_ways,
    100.0 * consecutive_reads / nullif(reads, 0) AS of_reads,
    100.0 * consecutive_writes / nullif(writes, 0) AS of_writes
  FROM placed
), distributions AS (
  SELECT quantile_disc(both_ways, [x / 100.0 FOR x IN range(101)]) AS both_ways,
    quantile_disc(of_reads, [x / 100.0 FOR x IN range(101)]) AS of_reads,
    quantile_disc(of_writes, [x / 100.0 FOR x IN range(101)]) AS of_writes
  FROM percentages
)
SELECT percentile AS job_percentile, list_extract(both_ways, percentile + 1) AS sequential_percent,
  list_extract(of_reads, percentile + 1) AS read_percent, list_extract(of_writes, percentile + 1) AS write_percent
FROM distributions, (SELECT unnest(range(101)) AS percentile)
ORDER BY percentile`.trim(),
    chart: { kind: 'lines', x: 'job_percentile', y: ['sequential_percent', 'read_percent', 'write_percent'] },
  },
  {
    id: 'read-ratio',
    title: 'Read ratio',
    about:
      'Jobs by the percentage of their bytes that they read: 0 % are jobs that only write, 100 % those that only read.',
    definition:
      'Each bin between holds the percentages up to its number (99: all below 100). Jobs that move nothing do not count.',
    source: 'IOMiner, equation 4 and figure 8',
    parameters: [],
    sql: `
WITH bins AS (
  SELECT CASE WHEN coalesce(bytes_read, 0) = 0 THEN 0
      WHEN coalesce(bytes_written, 0) = 0 THEN 100
      ELSE greatest(1, least(99, ceil(100.0 * bytes_read / (bytes_read + bytes_written)))) END::INTEGER AS bin
  FROM job
  WHERE coalesce(bytes_read, 0) + coalesce(bytes_written, 0) > 0
)
SELECT percent AS read_percent, count(bin) AS jobs, 100.0 * count(bin) / nullif(sum(count(bin)) OVER (), 0) AS job_percent
FROM (SELECT unnest(range(101)) AS percent) LEFT JOIN bins ON bin = percent
GROUP BY percent
ORDER BY percent`.trim(),
    chart: { kind: 'lines', x: 'read_percent', y: ['jobs'] },
  },
  {
    id: 'sharing-patterns',
    title: 'File-sharing patterns',
    about:
      'How the processes of a job share its files: N-1 when all of them use every file, N-N when each has one file of its own, N-M otherwise.',
    definition: 'Jobs of one process do not count. N-1 may be one file or a list of shared ones.',
    source: 'IOMiner, section III.D',
    parameters: [],
    sql: `
WITH used AS (
  SELECT log, count(*) AS files, min(processes) AS fewest, max(processes) AS most
  FROM file
  WHERE processes IS NOT NULL
  GROUP BY log
), patterns AS (
  SELECT CASE WHEN used.fewest >= job.processes THEN 'N-1'
      WHEN used.most = 1 AND used.files = job.processes THEN 'N-N'
      ELSE 'N-M' END AS pattern,
    coalesce(job.bytes_read, 0) + coalesce(job.bytes_written, 0) AS bytes
  FROM job JOIN used ON used.log = job.log
  WHERE job.processes > 1
)
SELECT pattern, count(*) AS jobs, 100.0 * count(*) / sum(count(*)) OVER () AS job_percent, sum(bytes)::DOUBLE AS bytes
FROM patterns
GROUP BY pattern
ORDER BY jobs DESC, pattern`.trim(),
    chart: { kind: 'bars', label: 'pattern', values: ['jobs'] },
  },
  {
    id: 'sharing-ratio',
    title: 'Processes to files',
    about: 'Processes for each file of a job: at 1, a job has as many files as processes.',
    definition:
      'Jobs of more than one process. N-N lies at 1; each other bin holds the ratios from its own to the next power of two.',
    source: 'IOMiner, equation 5 and figure 9',
    parameters: [],
    sql: `
WITH ratios AS (
  SELECT processes / files AS ratio FROM job WHERE processes > 1 AND files > 0
), bins AS (
  SELECT ratio, CASE WHEN ratio = 1 THEN '1'
      WHEN ratio < 1 THEN '1/' || pow(2, ceil(-log2(ratio)))::BIGINT || ' to 1/' || pow(2, ceil(-log2(ratio)) - 1)::BIGINT
      ELSE pow(2, floor(log2(ratio)))::BIGINT || ' to ' || pow(2, floor(log2(ratio)) + 1)::BIGINT END AS bin
  FROM ratios
)
SELECT bin AS ratio, count(*) AS jobs, 100.0 * count(*) / sum(count(*)) OVER () AS job_percent, min(bins.ratio) AS least, max(bins.ratio) AS most
FROM bins
GROUP BY bin
ORDER BY least`.trim(),
    chart: { kind: 'bars', label: 'ratio', values: ['jobs'] },
  },
  {
    id: 'middleware-by-size',
    title: 'Middleware by size of the job',
    about:
      'Which interface jobs of each size do their I/O with: collective MPI-IO, MPI-IO without collective calls, POSIX alone or FILE streams alone.',
    definition:
      'Sizes are One (1 process), Small (2 to 1,024), Medium (1,025 to 8,192) and Large (more). Libraries above MPI-IO are counted besides.',
    source: 'IOMiner, section III.E and figure 10',
    parameters: [],
    sql: `
WITH classes AS (
  SELECT CASE WHEN processes = 1 THEN 1 WHEN processes <= 1024 THEN 2 WHEN processes <= 8192 THEN 3 ELSE 4 END AS class,
    coalesce(collective_reads, 0) + coalesce(collective_writes, 0) > 0 AS collective,
    coalesce(uses_mpi_io, false) OR collective AS mpi_io,
    coalesce(uses_posix, false) AS posix, coalesce(uses_stdio, false) AS stdio,
    coalesce(uses_hdf5, false) AS hdf5, coalesce(uses_netcdf, false) AS netcdf
  FROM job
  WHERE processes > 0
)
SELECT CASE class WHEN 1 THEN 'One' WHEN 2 THEN 'Small' WHEN 3 THEN 'Medium' ELSE 'Large' END AS size, count(*) AS jobs,
  100.0 * count(*) FILTER (WHERE posix AND NOT mpi_io) / count(*) AS posix_percent,
  100.0 * count(*) FILTER (WHERE mpi_io AND NOT collective) / count(*) AS independent_percent,
  100.0 * count(*) FILTER (WHERE collective) / count(*) AS collective_percent,
  100.0 * count(*) FILTER (WHERE stdio AND NOT posix AND NOT mpi_io) / count(*) AS stdio_percent,
  100.0 * count(*) FILTER (WHERE hdf5) / count(*) AS hdf5_percent,
  100.0 * count(*) FILTER (WHERE netcdf) / count(*) AS netcdf_percent
FROM classes
GROUP BY class
ORDER BY class`.trim(),
    chart: {
      kind: 'stacked',
      label: 'size',
      values: ['posix_percent', 'independent_percent', 'collective_percent', 'stdio_percent'],
    },
  },
];
