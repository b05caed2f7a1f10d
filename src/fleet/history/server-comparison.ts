import type { QueryEngine } from '../query/query-engine.ts';
import { exactSum } from '../query/questions/exact-sum.ts';
import { OWN_SERVER } from '../query/questions/servers.ts';
import type { KindRun, ServerComparison } from './history.ts';
import { higherByChance, quantile } from './ranks.ts';

/** Runs of a side that are looked at: those next to the change. */
const MOST_RUNS = 200;
/** Runs of a side that have to be sampled. */
const LEAST_RUNS = 5;
const LEAST_RATIO = 1.25;
const MOST_CHANCE = 0.01;

/**
 * For each of some runs what the servers did meanwhile: bytes a second of all storage targets, over the time in which each was
 * sampled, without the run's own; and metadata operations a second.
 */
const LOADS = `
WITH runs AS (
  SELECT log, epoch(start_time) AS since,
    epoch(start_time) + coalesce(run_seconds, greatest(read_end, write_end)) AS until,
    coalesce(bytes_read, 0) + coalesce(bytes_written, 0) AS own
  FROM main.job WHERE log IN (SELECT unnest($1))
), samples AS (
  SELECT file_system, target_kind, target, ${OWN_SERVER} AS server, epoch(start_time) AS since, epoch(end_time) AS until, seconds,
    coalesce(bytes_read, 0) + coalesce(bytes_written, 0) AS bytes, operations
  FROM server_load WHERE seconds > 0 AND start_time IS NOT NULL
), meetings AS (
  SELECT runs.log, runs.own / (runs.until - runs.since) AS own, samples.*,
    least(samples.until, runs.until) - greatest(samples.since, runs.since) AS common
  FROM runs JOIN samples ON samples.since < runs.until AND samples.until > runs.since
  WHERE runs.until > runs.since
), targets AS (
  SELECT log, target_kind, min(own) AS own, ${exactSum('bytes / seconds * common', 3)} / ${exactSum('common')} AS bytes,
    ${exactSum('operations / seconds * common')} / ${exactSum('common')} AS operations
  FROM meetings GROUP BY log, file_system, target_kind, target, server
)
SELECT log, greatest(0, ${exactSum("CASE WHEN target_kind <> 'MDT' THEN bytes END", 3)} - min(own)) AS bytes,
  ${exactSum('operations')} AS operations
FROM targets GROUP BY log`.trim();

/** Whether the servers were busier with others during the runs behind a change than during those before. */
export async function compareServers(
  engine: Pick<QueryEngine, 'query'>,
  before: readonly KindRun[],
  after: readonly KindRun[],
  signal?: AbortSignal,
): Promise<ServerComparison> {
  const nothing = { bytesBefore: null, bytesAfter: null, operationsBefore: null, operationsAfter: null };
  const options = signal && { signal };
  const any = await engine.query('SELECT 1 FROM server_load LIMIT 1', options);
  if (any.rows.length === 0) return { verdict: 'no-load', ...nothing };
  const sides = [before.slice(-MOST_RUNS), after.slice(0, MOST_RUNS)] as const;
  const logs = sides.flat().map(({ log }) => log);
  const { rows } = await engine.query(LOADS, { parameters: [logs], ...options });
  const loads = new Map(rows.map(([log, bytes, operations]) => [log, { bytes, operations }]));
  const of = (side: readonly KindRun[], what: 'bytes' | 'operations'): number[] =>
    side.flatMap(({ log }) => {
      const value = loads.get(log)?.[what];
      return typeof value === 'number' ? [value] : [];
    });
  const bytes = sides.map((side) => of(side, 'bytes')) as [number[], number[]];
  const operations = sides.map((side) => of(side, 'operations')) as [number[], number[]];
  const verdicts = [bytes, operations].map(([first, second]) => busier(first, second));
  const order = ['busier', 'unclear', 'not-busier'] as const;
  return {
    verdict: order.find((verdict) => verdicts.includes(verdict)) ?? 'not-sampled',
    bytesBefore: quantile(bytes[0], 0.5) ?? null,
    bytesAfter: quantile(bytes[1], 0.5) ?? null,
    operationsBefore: quantile(operations[0], 0.5) ?? null,
    operationsAfter: quantile(operations[1], 0.5) ?? null,
  };
}

function busier(before: readonly number[], after: readonly number[]): ServerComparison['verdict'] {
  if (before.length < LEAST_RUNS || after.length < LEAST_RUNS) return 'not-sampled';
  const isMore = quantile(after, 0.5)! >= LEAST_RATIO * quantile(before, 0.5)! && quantile(after, 0.5)! > 0;
  if (!isMore) return 'not-busier';
  return higherByChance(before, after) <= MOST_CHANCE ? 'busier' : 'unclear';
}
