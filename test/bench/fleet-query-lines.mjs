import { execFileSync } from 'node:child_process';

/** A smaller store, to try this: IOLENS_BENCH_JOBS=20000. */
const JOBS = Number(process.env.IOLENS_BENCH_JOBS ?? 1_000_000);
const FILES = JOBS * 50;
const PAIRS = 5;

/**
 * A group-by over the files of a store against the same SQL over the same Parquet files, in one process, in turns.
 * @param {object} bench what the bench hands out: `at` a file of its folder, `row`, `median`.
 */
export function benchFleetQueries({ at, row, median }) {
  const given = [at('fleet-queries.mjs'), at(`fleet-${JOBS}-${FILES}`), JOBS, FILES, PAIRS].map(String);
  const { store, raw, pages } = JSON.parse(execFileSync('node', given, { encoding: 'utf8' }));
  const [ours, theirs] = [median(store), median(raw)];
  const figures = `${ours.toFixed(3)} s; DuckDB alone ${theirs.toFixed(3)} s: ${(ours / theirs).toFixed(2)}×`;
  row(`Group-by, store of ${FILES / 1e6} million files`, figures, '≤ 1.1×');
  const shown = ({ first, scroll, filter, sort }) =>
    `scroll ${scroll.toFixed(0)} ms, filter ${filter.toFixed(0)} ms, sort ${sort.toFixed(0)} ms; the first ${first.toFixed(0)} ms`;
  row(`Pages of ${JOBS / 1e6} million jobs`, shown(pages), '≤ 100 ms');
}
