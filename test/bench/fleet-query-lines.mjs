import { execFileSync } from 'node:child_process';

const JOBS = 1_000_000;
const FILES = 50_000_000;
const PAIRS = 5;

/**
 * A group-by over the files of a store against the same SQL over the same Parquet files, in one process, in turns.
 * @param {object} bench what the bench hands out: `at` a file of its folder, `row`, `median`.
 */
export function benchFleetQueries({ at, row, median }) {
  const given = [at('fleet-queries.mjs'), at(`fleet-${JOBS}-${FILES}`), JOBS, FILES, PAIRS].map(String);
  const { store, raw, pageSeconds } = JSON.parse(execFileSync('node', given, { encoding: 'utf8' }));
  const [ours, theirs] = [median(store), median(raw)];
  const figures = `${ours.toFixed(3)} s; DuckDB alone ${theirs.toFixed(3)} s: ${(ours / theirs).toFixed(2)}×`;
  row(`Group-by, store of ${FILES / 1e6} million files`, figures, '≤ 1.1×');
  row(`A page from the middle of ${JOBS / 1e6} million jobs`, `${pageSeconds.toFixed(3)} s`, '');
}
