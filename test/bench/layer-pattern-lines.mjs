// Bench lines of the patterns across layers: gathering what they look at against reading the recording, and finding them.

const RUNS = 5;

/** @param {object} bench what the bench hands out; @param {string} location of a recording of several layers. */
export function benchLayerPatterns({ at, row, time, median }, title, location) {
  const runs = Array.from({ length: RUNS }, () =>
    JSON.parse(time(['node', at('layer-patterns.mjs'), location]).stdout),
  );
  const [{ events, upper, places }] = runs;
  const of = (value) => median(runs.map(value));
  const gathering = `${of((run) => run.gathering).toFixed(0)} ms`;
  const reading = `reading ${of((run) => run.reading).toFixed(0)} ms`;
  const ratio = of((run) => run.gathering / run.reading);
  row(
    `patterns across layers, ${title}, ${events.toLocaleString('en')} events (${upper.toLocaleString('en')} above others)`,
    `${gathering}; ${reading}: ${ratio.toFixed(2)}×`,
    '≤ 1.0×',
  );
  const found = of((run) => run.finding / run.reading);
  row(`  looking for all (${places} places)`, `${of((run) => run.finding).toFixed(0)} ms: ${found.toFixed(2)}×`, '');
}
