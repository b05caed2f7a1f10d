// Bench line of root causes: the sweep-line over a million intervals against sorting their two million ends.
const RUNS = 5;

export function benchCriticalPath({ at, row, time, median }) {
  const runs = Array.from({ length: RUNS }, () => JSON.parse(time(['node', at('critical-path.mjs')]).stdout));
  const [{ intervals }] = runs;
  const sweep = median(runs.map(({ sweepSeconds }) => sweepSeconds));
  const sort = median(runs.map(({ sortSeconds }) => sortSeconds));
  const ratio = median(runs.map(({ sweepSeconds, sortSeconds }) => sweepSeconds / sortSeconds));
  row(
    `critical path of ${intervals.toLocaleString('en')} files`,
    `${sweep.toFixed(3)} s; sorting their ends ${sort.toFixed(3)} s: ${ratio.toFixed(2)}×`,
    '≤ 3.0×',
  );
}
